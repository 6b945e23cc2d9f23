import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readOwnArgs } from './own-program.ts'

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))

/** Makes a folder with these files. */
function makeFiles(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-own-program-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

test.for([
  ['toolblocks', 'serve'],
  ['/opt/bin/toolblocks', 'serve'],
  ['C:\\npm\\toolblocks.cmd', 'serve'],
  ['npx', 'toolblocks', 'serve'],
  ['npx', '-y', 'toolblocks@0.1.0', 'serve'],
  ['cmd', '/c', 'npx', '-y', 'toolblocks', 'serve'],
  ['/bin/node', MAIN, 'serve'],
  [process.execPath, '--no-warnings', MAIN, 'serve'],
  ['node', '/removed/bin/toolblocks', 'serve'],
  ['node', '/removed/apps/reference-host/src/main.ts', 'serve'],
  ['node', '/removed/apps/reference-host/dist/main.js', 'serve'],
  ['node.exe', 'C:\\removed\\node_modules\\toolblocks\\dist\\main.js', 'serve'],
])('%j starts this command', (commandLine) => {
  expect(readOwnArgs(commandLine)).toEqual(['serve'])
})

test.for([
  [],
  ['node'],
  ['node', '/opt/other/dist/main.js', 'serve'],
  ['node', '/opt/other/src/main.ts', 'serve'],
  ['node', '/opt/node_modules/other/dist/main.js', 'serve'],
  ['python', '/removed/node_modules/toolblocks/dist/main.js', 'serve'],
  ['node', '-e', '0', MAIN, 'serve'],
  ['npx', 'toolblocks-other', 'serve'],
  ['npx', 'other', 'toolblocks', 'serve'],
  ['claude', 'mcp', 'serve'],
])('%j starts another program', (commandLine) => {
  expect(readOwnArgs(commandLine)).toBeUndefined()
})

test('a main file belongs to the package that is nearest to it', () => {
  const folder = makeFiles({
    'own/package.json': '{"name":"toolblocks"}',
    'own/dist/main.js': '',
    'own/node_modules/other/package.json': '{"name":"other"}',
    'own/node_modules/other/main.js': '',
    'reference-host/package.json': '{',
    'reference-host/dist/main.js': '',
  })
  const readFile = (name: string) => readOwnArgs(['node', join(folder, name), 'serve'])
  symlinkSync(join(folder, 'own/dist/main.js'), join(folder, 'linked'))
  expect(readFile('own/dist/main.js')).toEqual(['serve'])
  expect(readFile('linked')).toEqual(['serve'])
  expect(readFile('own/node_modules/other/main.js')).toBeUndefined()
  expect(readFile('reference-host/dist/main.js')).toBeUndefined()
})
