import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const STYLE = readFileSync(new URL('style.css', import.meta.url), 'utf8')

test('every selector is inside :where, so that any rule of the page wins', () => {
  const selectors = STYLE.replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .split('}')
    .flatMap((rule) => rule.split('{').slice(0, -1))
    .map((selector) => selector.trim().replaceAll(/\s+/g, ' '))
    .filter((selector) => selector !== '' && !selector.startsWith('@media'))
  expect(selectors.length).toBeGreaterThan(80)
  for (const selector of selectors) expect(selector).toMatch(/^:where\(.*\)$/)
})

test('every selector but that of the variables names a class of the components', () => {
  const names = [...STYLE.matchAll(/:where\(([^{]*)\) \{/g)].map(([, list = '']) => list)
  for (const list of names.filter((each) => !each.startsWith(':root')))
    for (const selector of list.split(/,(?![^(]*\))/)) expect(selector).toMatch(/\.tb\b/)
})

test('no component sets markup', () => {
  const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  for (const file of sources.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')))
    expect(readFileSync(`${import.meta.dirname}/${file}`, 'utf8'), file).not.toMatch(/innerHTML/i)
})

test.for(['bundler', 'nodenext'])(
  'TypeScript accepts an import of the published stylesheet without types of a bundler, with the resolution %s',
  (resolution) => {
    const folder = mkdtempSync(join(tmpdir(), 'react-style-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const installed = join(folder, 'node_modules/@toolblocks/react')
    mkdirSync(installed, { recursive: true })
    const manifest: { publishConfig: { exports: object } } = JSON.parse(
      readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
    )
    const { exports } = manifest.publishConfig
    const published = { name: '@toolblocks/react', type: 'module', exports }
    writeFileSync(join(installed, 'package.json'), JSON.stringify(published))
    symlinkSync(fileURLToPath(new URL('.', import.meta.url)), join(installed, 'src'), 'junction')
    writeFileSync(join(folder, 'page.ts'), `import '@toolblocks/react/style.css'\n`)
    const options = {
      noEmit: true,
      strict: true,
      types: [],
      noUncheckedSideEffectImports: true,
      module: resolution === 'nodenext' ? 'nodenext' : 'esnext',
      moduleResolution: resolution,
    }
    const project = { compilerOptions: options, files: ['page.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
    const compiler = fileURLToPath(
      new URL('../../../node_modules/typescript/bin/tsc', import.meta.url),
    )
    const args = [compiler, '-p', folder, '--pretty', 'false']
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect([stdout, status]).toEqual(['', 0])
  },
)
