import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeDescribedWorkspace } from '../../workspace/tools/described-workspace.support.ts'
import { toolblocks } from '../toolblocks.support.ts'
import { appendTool, getTable } from './new-tool.ts'

const FIRST = '# mine\n[format] # here\nstructured = "auto"\n'

test.for([
  ['ts', 'mts', [process.execPath, '--test']],
  ['python', 'py', ['python3']],
  ['bash', 'sh', ['bash']],
] as const)(
  'a tool in %s passes its own test, is configured, trusted and called',
  async ([language, extension, [tester, ...options]]) => {
    const { folder, run, read } = makeDescribedWorkspace(FIRST)
    const { code, stdout } = await run('new', 'say_hello', '--language', language)
    expect(code).toBe(0)
    expect(stdout).toContain(`tools/say_hello.${extension}`)
    expect(stdout).toContain('\nWhen you change what the tool does, change its test too.\n')
    expect(read('toolblocks.toml')).toMatch(
      /^# mine\n\[format\] # here\n[^]*\n\[tools\.say_hello\]/,
    )
    const own = `tools/say_hello.test.${extension}`
    await promisify(execFile)(tester, [...options, own], { cwd: folder })
    const listed = await run('tools')
    expect(listed).toMatchObject({ code: 0 })
    expect(listed.stdout).toContain(
      'Greet somebody.\n  --arg who= (string, required) Who is greeted.',
    )
    const called = await run('call', 'say_hello', '--arg', "who=O'Hara")
    expect(called).toMatchObject({ code: 0, stderr: '' })
    expect(called.stdout).toContain("Hello, O'Hara!")
  },
)

test('if the workspace has the SDK, a tool in TypeScript uses it', async () => {
  const { folder, run, read } = makeDescribedWorkspace(FIRST)
  mkdirSync(join(folder, 'node_modules/@toolblocks'), { recursive: true })
  const sdk = fileURLToPath(new URL('../../../../../packages/tool-sdk', import.meta.url))
  symlinkSync(sdk, join(folder, 'node_modules/@toolblocks/tool-sdk'))
  expect(await run('new', 'say_hello')).toMatchObject({ code: 0 })
  expect(read('tools/say_hello.mts')).toContain("from '@toolblocks/tool-sdk'")
  const own = ['--test', 'tools/say_hello.test.mts']
  await promisify(execFile)(process.execPath, own, { cwd: folder })
  const called = await run('call', 'say_hello', '--arg', 'who=Ada')
  expect(called).toMatchObject({ code: 0, stdout: expect.stringContaining('Hello, Ada!') })
})

test('a missing configuration is created; from a folder below, the existing one is used', async () => {
  const { folder, run } = makeDescribedWorkspace('')
  const inner = join(folder, 'inner')
  mkdirSync(inner)
  const ran = await toolblocks(inner, 'new', 'a', '--language', 'bash')
  expect(ran.stdout).toContain('bash ../tools/a.test.sh')
  expect(existsSync(join(folder, 'tools/a.sh'))).toBe(true)
  const own = join(folder, 'own')
  mkdirSync(own)
  expect(await run('new', 'b', '--config', 'own/toolblocks.toml')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no such file'),
  })
})

test('a configuration behind a link stays a link', async () => {
  const { folder, run, write, read } = makeDescribedWorkspace('')
  write('real.toml', FIRST)
  symlinkSync('real.toml', join(folder, 'linked.toml'))
  expect(await run('new', 'a', '--config', 'linked.toml')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('added a to linked.toml.'),
  })
  expect(read('real.toml')).toContain('[tools.a]')
})

test.for<[string, string, string, string]>([
  [
    'a name that is taken',
    'tool',
    '[tools.tool]\nsource = "local"\ncommand = "x"\n',
    'a tool with this name exists already',
  ],
  [
    'an older name',
    'tool',
    '[conversation.tools.tool]\nsource = "local"\ncommand = "x"\n',
    'a tool with this name exists',
  ],
  ['a name that is no name', '../tool', '', 'invalid tool name: expected up to 64 letters'],
  ['a file that exists', 'there', '', 'there.mts exists; nothing was written'],
  ['a configuration that is wrong', 'tool', '[tools', 'toolblocks.toml:1'],
  ['a table that takes no more', 'tool', 'tools = {}\n', 'cannot hold another table'],
])('%s is refused, and nothing is written', async ([, name, text, message]) => {
  const { folder, run, write, read } = makeDescribedWorkspace(text)
  mkdirSync(join(folder, 'tools'))
  write('tools/there.mts', 'mine')
  const { code, stderr } = await run('new', name)
  expect(code).toBe(2)
  expect(stderr).toContain(message)
  expect([read('toolblocks.toml'), read('tools/there.mts')]).toEqual([text, 'mine'])
  expect(readdirSync(join(folder, 'tools'))).toEqual(['there.mts'])
})

const TABLE = getTable('greet', ['node', 'tools/greet.mts'])

test.for<[string, string]>([
  ['', TABLE],
  ['# mine', `# mine\n\n${TABLE}`],
  ['# mine\n', `# mine\n\n${TABLE}`],
  ['# mine\n\n', `# mine\n\n${TABLE}`],
  ['[format]\r\n', `[format]\r\n\r\n${TABLE.replaceAll('\n', '\r\n')}`],
])('%j does not change, and the table comes last', async ([text, expected]) => {
  expect(await appendTool(text, 'greet', TABLE)).toBe(expected)
})

test('a table that cannot be extended is reported', async () => {
  expect(await appendTool('tools = {}\n', 'greet', TABLE)).toBeUndefined()
})
