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
import { uninstallEntry } from './uninstall-entry.ts'

const ENTRY = {
  name: 'greet',
  command: '/bin/node',
  args: ['/removed/node_modules/toolblocks/dist/main.js', 'serve'],
}
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

test('a link to a file that does not exist is not replaced', async () => {
  const { context, folder, file, readStderr } = useCodex()
  symlinkSync(join(folder, 'own.toml'), file)
  expect(await installEntry(context, { ...CODEX, yes: true })).toBe(2)
  expect(readStderr()).toMatch(
    /it is a symbolic link to .*own\.toml, which does not exist; create that file, or remove the link; nothing was written/,
  )
  expect(lstatSync(file).isSymbolicLink()).toBe(true)
})

test('links that lead in a circle are named', async () => {
  const { context, file, readStderr } = useCodex()
  symlinkSync(file, file)
  expect(await installEntry(context, { ...CODEX, yes: true })).toBe(2)
  expect(readStderr()).toContain(
    'it is a symbolic link, and its links lead in a circle; remove the link; nothing was written',
  )
})

test('a name with a line break is refused', async () => {
  const { context, file, readStderr } = useCodex()
  const entry = { ...ENTRY, name: 'a\nWrote b\u009b' }
  const installed = { ...CODEX, entry, isNamed: true, yes: true }
  const message = String.raw`--name: expected a name without line breaks and control characters, got "a\nWrote b\u009b"`
  expect(await installEntry(context, installed)).toBe(2)
  expect(readStderr()).toContain(message)
  expect(await uninstallEntry(context, installed)).toBe(2)
  expect(readStderr()).toContain(message)
  expect(existsSync(file)).toBe(false)
})

test('a name of the file with a line break stays in its line', async () => {
  const other = `[mcp_servers."a\\nb"]\ncommand = "toolblocks"\nargs = ["serve", "--server", "x"]\n`
  const { context, readStderr } = useCodex({ 'config.toml': other })
  const installed = { ...CODEX, isNamed: true, yes: true }
  expect(await uninstallEntry(context, installed)).toBe(2)
  expect(readStderr()).toContain(String.raw`name one with --name: "a\nb"; nothing was written`)
})

test('a file that is nested too deeply is named, and stays', async () => {
  const text = `{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  const { context, folder, readStderr } = createContext({ '.claude.json': text })
  vi.stubEnv('CLAUDE_CONFIG_DIR', folder)
  expect(await installEntry(context, { ...CODEX, host: 'claude', yes: true })).toBe(2)
  expect(readStderr()).toContain('it is nested too deeply; nothing was written')
  expect(read(join(folder, '.claude.json'))).toBe(text)
})

test('a secret that is typed as an option is named, because it stays an argument', async () => {
  const args = [
    '/removed/node_modules/toolblocks/dist/main.js',
    'serve',
    '--server',
    'https://a.example/mcp',
  ]
  args.push('--env', 'API_KEY=sekret-1', '--env', 'MODE=fast', '--env', 'OTHER_KEY')
  args.push('--header', 'Authorization: Bearer ${TOKEN}', '--header', 'X-Api-Key: sekret-2')
  const { context, file, readStderr } = useCodex()
  expect(await installEntry(context, { ...CODEX, entry: { ...ENTRY, args }, yes: true })).toBe(0)
  const text = readStderr()
  expect(text).toContain(`${file} has the value of API_KEY and X-Api-Key as arguments`)
  expect(text).not.toMatch(/sekret|MODE|OTHER_KEY|Authorization/)
})

test.for([
  ['--server', 'notes --api-key S3cr3tAbc', '--api-key as an argument'],
  ['--server', "notes --header 'X-Key: S3cr3tAbc'", 'X-Key as an argument'],
  ['--server', 'env API_TOKEN=S3cr3tAbc notes', 'API_TOKEN as an argument'],
  ['--server', 'https://a.example/mcp?token=S3cr3tAbc&mode=fast', 'token as an argument'],
  ['--server', 'https://ada:S3cr3tAbc@a.example/mcp', 'the password of an address as an argument'],
  ['--server', 'notes ghp_S3cr3tAbc', 'a word of a command line as an argument'],
  ['--fix', 't.api_key=S3cr3tAbc', 't.api_key as an argument'],
])('a secret in %s %j is named', async ([option = '', word = '', names]) => {
  const entry = { ...ENTRY, args: [...ENTRY.args, option, word] }
  const { context, readStderr } = useCodex()
  expect(await installEntry(context, { ...CODEX, entry, yes: true })).toBe(0)
  expect(readStderr()).toContain(`has the value of ${names}, which other users`)
  expect(readStderr()).not.toContain('S3cr3tAbc')
})

test.for([
  ['--policy', 'get_key=deny'],
  ['--server', 'notes --verbose ./a'],
  ['--server', 'https://a.example/mcp?mode=fast'],
  ['--fix', 't.mode=fast'],
])('%s %j has no secret', async ([option = '', word = '']) => {
  const entry = { ...ENTRY, args: [...ENTRY.args, option, word] }
  const { context, readStderr } = useCodex()
  expect(await installEntry(context, { ...CODEX, entry, yes: true })).toBe(0)
  expect(readStderr()).toBe('')
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
