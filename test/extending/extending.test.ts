import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/extending.md'), 'utf8')

/** The parts of a section of the page: changes, a program, and its output. */
const sections = page
  .split('\n## ')
  .slice(1)
  .map((text) => ({
    title: text.slice(0, text.indexOf('\n')),
    files: text.split('\n').filter((line) => /^\d\. /.test(line)),
    diff: /^```diff\n([^]*?)^```/m.exec(text)?.[1],
    program: /^```ts\n([^]*?)^```/m.exec(text)?.[1] ?? '',
    printed: /^```text\n([^]*?)^```/m.exec(text)?.[1],
  }))

const copy = mkdtempSync(join(tmpdir(), 'toolblocks-extending-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** Copies the sources of the repository and links the installed packages. Links between packages point to the copies. */
beforeAll(() => {
  for (const group of ['packages', 'apps'])
    for (const name of readdirSync(join(root, group))) {
      const from = join(root, group, name)
      cpSync(from, join(copy, group, name), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (file) =>
          !/^(?:dist|\.turbo|node_modules\/\..*)$|\/fixtures$/.test(relative(from, file)),
      })
    }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  writeFileSync(join(copy, 'package.json'), '{"type":"module"}')
})

test('the page has an example of each addition, with at most five files', () => {
  expect(sections.map(({ title }) => title)).toEqual([
    'A result kind',
    'A block type',
    'A foreign format',
    'A provider',
    'A command',
  ])
  for (const { files, diff = '' } of sections) {
    expect(files.length).toBeGreaterThan(0)
    expect(files.length).toBeLessThanOrEqual(5)
    expect(diff.match(/^diff --git/gm)?.length ?? 0).toBeLessThanOrEqual(5)
  }
})

test.for(sections.filter(({ printed }) => printed !== undefined))(
  '$title is added by the changes of the page',
  { timeout: 60_000 },
  ({ diff, program, printed }) => {
    if (diff !== undefined) {
      writeFileSync(join(copy, 'change.diff'), diff)
      execFileSync('git', ['apply', 'change.diff'], { cwd: copy })
      onTestFinished(() => void execFileSync('git', ['apply', '-R', 'change.diff'], { cwd: copy }))
    }
    writeFileSync(join(copy, 'example.ts'), program)
    const ran = spawnSync(process.execPath, ['example.ts'], { cwd: copy, encoding: 'utf8' })
    expect(ran.stderr.replace(/^\(node:\d+\).*\n/gm, '')).toBe('')
    expect(ran.stdout).toBe(printed)
  },
)

test('the files that the page names exist, unless it adds them', () => {
  const named = sections.flatMap(({ files }) =>
    files.flatMap((line) => [...line.matchAll(/`((?:apps|packages|docs)\/[^`]+)`/g)]),
  )
  const known = named.map(([, file = '']) => file).filter((file) => !file.includes('NAME'))
  for (const file of known) expect(existsSync(join(root, file)), file).toBe(true)
})
