import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createContext } from '../serve/command-context.support.ts'
import { type InstalledEntry, installEntry } from './install-entry.ts'

const ENTRY = { name: 'greet', command: '/bin/node', args: ['/main.js', 'serve'] }
const CODEX: InstalledEntry = { host: 'codex', entry: ENTRY, programs: [], isNamed: false }
const TABLE = '[mcp_servers.greet]\ncommand = "/bin/node"\n'

/** The context of a person whose Codex keeps its settings in `home`, relative to a folder with these files. */
function useCodex(files: Readonly<Record<string, string>> = {}, home = '') {
  const created = createContext(files)
  vi.stubEnv('CODEX_HOME', join(created.folder, home))
  return { ...created, file: join(created.folder, home, 'config.toml') }
}

const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')

test('with --yes the entry is written into the file of the host, which nobody else can read, and not a second time', async () => {
  const { context, file } = useCodex({}, 'new/folder')
  expect(await installEntry(context, { ...CODEX, yes: true })).toBe(0)
  const text = read(file)
  expect(text).toContain(TABLE)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await installEntry(context, CODEX)).toBe(0)
  expect(read(file)).toBe(text)
})

test('without a terminal and --yes a person reads the change, and nothing is written', async () => {
  const { context, file, readStderr } = useCodex({ 'config.toml': 'model = "m"\n' })
  expect(await installEntry(context, CODEX)).toBe(3)
  const text = readStderr()
  expect(text).toContain(file)
  expect(text).toMatch(/\+.*command = "\/bin\/node"/)
  expect(text).toContain('only at a terminal or with --yes; nothing was written')
  expect(read(file)).toBe('model = "m"\n')
})

test('the mode of the file and a link to it stay', async () => {
  const { context, folder, file } = useCodex({ 'own.toml': 'model = "m"\n' })
  const own = join(folder, 'own.toml')
  chmodSync(own, 0o640)
  symlinkSync(own, file)
  expect(await installEntry(context, { ...CODEX, yes: true })).toBe(0)
  expect(lstatSync(file).isSymbolicLink()).toBe(true)
  expect(read(own)).toMatch(/^model = "m"\n[^]*greet/)
  expect(statSync(own).mode & 0o777).toBe(0o640)
})

test.for([
  [
    'another server with the name',
    '[mcp_servers.greet]\ncommand = "other"\n',
    'another server "greet"',
  ],
  ['a file that is not TOML', 'a = [', 'not TOML'],
])('%s is not replaced, and the person reads why', async ([, text, why]) => {
  const { context, file, readStderr } = useCodex({ 'config.toml': text ?? '' })
  expect(await installEntry(context, { ...CODEX, yes: true })).toBe(2)
  expect(readStderr()).toContain(why)
  expect(read(file)).toBe(text)
})

test('a folder that cannot be written is named', async () => {
  const { context, folder, readStderr } = useCodex({ home: 'a file' })
  vi.stubEnv('CODEX_HOME', join(folder, 'home'))
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await installEntry(context, { ...CODEX, yes: true })).toBe(2)
  expect(readStderr()).toContain(join(folder, 'home'))
})

test('a file that is no text in UTF-8 is refused, because its other bytes would be lost', async () => {
  const { context, file, readStderr } = useCodex({ 'config.toml': '' })
  const bytes = Buffer.from('model = "caf\xe9"\n', 'latin1')
  writeFileSync(file, bytes)
  expect(await installEntry(context, { ...CODEX, yes: true })).toBe(2)
  expect(readStderr()).toContain('expected text in UTF-8, got other bytes; nothing was written')
  expect(readFileSync(file)).toEqual(bytes)
})
