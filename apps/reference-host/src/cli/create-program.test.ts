import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { toolblocks } from './toolblocks.support.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-options-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'toolblocks.toml'), '')

test.for([
  [['serve', 'tokens', '--output', 'json', 'list'], '"tokens"'],
  [['serve', 'logins', '--output', 'json', 'list'], '"logins"'],
  [['approvals', '--output', 'json', 'list'], '"rules"'],
  [['questions', '--output', 'json', 'list'], '"questions"'],
  [['questions', '--output', 'json'], '"questions"'],
] as const)('%j gives the option to the command behind it', async ([args, field]) => {
  const { code, stdout } = await toolblocks(folder, ...args)
  expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^\\{\\s*${field}`))])
})

test.for([
  [['serve', 'tokens', '--config', 'no.toml', 'list']],
  [['serve', '--config', 'no.toml', 'tokens', 'list']],
  [['approvals', '--config', 'no.toml', 'test', 'x']],
  [['questions', '--config', 'no.toml', 'show', 'x']],
] as const)('%j reads the configuration that the option names', async ([args]) => {
  const { code, stderr } = await toolblocks(folder, ...args)
  expect([code, stderr]).toEqual([2, expect.stringContaining('no.toml: no such file')])
})

test.for([
  [['serve', '--http', '0', 'tokens', 'list'], '"serve tokens" does not take --http'],
  [['serve', '--no-pin', 'tokens'], '"serve tokens" does not take --no-pin'],
  [['serve', '--no-share', 'logins'], '"serve logins" does not take --no-share'],
  [['serve', '--deny-tool', 'x', 'tokens'], 'does not take --allow-tool, --ask-tool, --deny-tool'],
  [['approvals', '--config', 'a.toml', 'revoke', 'x'], '"approvals revoke" does not take --config'],
  [['questions', '--all', 'show', 'x'], '"questions show" does not take --all'],
] as const)('%j is an error, because the option would have no effect', async ([args, message]) => {
  const { code, stderr } = await toolblocks(folder, ...args)
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})

test.for([
  [['help'], []],
  [['help', 'call'], ['call']],
  [['help', 'call', 'x'], ['call']],
  [['approvals', 'help'], ['approvals']],
  [
    ['approvals', 'help', 'test'],
    ['approvals', 'test'],
  ],
  [
    ['help', 'serve', 'tokens', 'add'],
    ['serve', 'tokens', 'add'],
  ],
  [['questions', 'help'], ['questions']],
  [['serve', 'help'], ['serve']],
  [
    ['serve', 'tokens', 'help'],
    ['serve', 'tokens'],
  ],
  [
    ['conversations', 'help', 'export'],
    ['conversations', 'export'],
  ],
  [['mcp', 'help'], ['mcp']],
] as const)('%j shows the help of a command', async ([args, command]) => {
  const helped = await toolblocks(folder, ...args)
  expect([helped.code, helped.stderr]).toEqual([0, ''])
  expect(helped.stdout).toBe((await toolblocks(folder, ...command, '--help')).stdout)
})

test.for([
  [['help', 'cal'], "unknown command 'cal'"],
  [['approvals', 'help', 'tset'], 'unknown command "tset"; did you mean "test"?'],
  [
    ['--config', 'x', 'tools'],
    'error: the option --config stands after the name of a command, as in "toolblocks tools --config …"',
  ],
  [
    ['mcp', '--trust', 'list'],
    'the option --trust stands after the name of a command, as in "toolblocks mcp ',
  ],
  [['--nothing'], "unknown option '--nothing'"],
  [['completion'], "missing required argument 'bash|zsh|fish'"],
] as const)('%j is an error that says what to type', async ([args, message]) => {
  const { code, stderr } = await toolblocks(folder, ...args)
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})

test('completion --help names the shells', async () => {
  const { stdout } = await toolblocks(folder, 'completion', '--help')
  expect(stdout).toContain('(choices: "bash", "zsh", "fish")')
})

test('config show lists each setting once', async () => {
  const { stdout } = await toolblocks(folder, 'config', 'show')
  const keys = stdout.split('\n').map((line) => line.split(' = ')[0])
  expect(keys).toEqual([...new Set(keys)])
  expect(keys).toContain('approvals.rules')
})
