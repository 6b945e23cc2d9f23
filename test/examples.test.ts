import { execFile } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const packages = resolve(import.meta.dirname, '../packages')
const names = readdirSync(packages).filter((name) =>
  existsSync(join(packages, name, 'package.json')),
)

test.for(names)('the example of %s runs', async (name) => {
  const example = join(packages, name, 'examples/usage.ts')
  await promisify(execFile)(process.execPath, [example])
})

test.for(names)('the README of %s shows its example verbatim', (name) => {
  const readme = readFileSync(join(packages, name, 'README.md'), 'utf8')
  const example = readFileSync(join(packages, name, 'examples/usage.ts'), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``)
})

/** Returns the packages that a text imports, except Node.js' own modules. */
function getImports(text: string): string[] {
  const matches = [
    ...text.matchAll(/^(?:import .*|\} )from '((?:@[^/']+\/)?[^/'.:]+)(?:\/[^']*)?'/gm),
  ]
  return matches.map(([, name = '']) => name)
}

test.for(names)('the install line of %s names all packages that its example imports', (name) => {
  const readme = readFileSync(join(packages, name, 'README.md'), 'utf8')
  const example = readFileSync(join(packages, name, 'examples/usage.ts'), 'utf8')
  const installed = /^npm install (.*)$/m.exec(readme)?.[1]?.split(' ') ?? []
  expect(getImports(example)).toContain(`@toolblocks/${name}`)
  for (const library of getImports(example)) expect(installed).toContain(library)
})

test.for(names)('the README of %s names every export of its index', (name) => {
  const readme = readFileSync(join(packages, name, 'README.md'), 'utf8')
  const index = readFileSync(join(packages, name, 'src/index.ts'), 'utf8')
  const values = [...index.matchAll(/export \{([^}]*)\}/g)].flatMap(([, list]) =>
    (list ?? '')
      .split(',')
      .map(
        (entry) =>
          entry
            .replace(/^\s*type\s.*/, '')
            .trim()
            .split(/\s+as\s+/)
            .at(-1) ?? '',
      )
      .filter((entry) => entry !== ''),
  )
  for (const value of values) expect(readme).toContain(value)
})
