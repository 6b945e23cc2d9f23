import { expect, test } from 'vitest'
import { run, toolblocks, visit } from '../stage/command.ts'
import { makeFolder, toToolOutput, tool } from '../stage/folder.ts'
import { createServerProgram, SERVER_FILE, SERVERS } from '../stage/mcp-server.ts'

const GO = { id: 'go', text: 'Go?', schema: { type: 'boolean' } }
const quietly = (name: string, command: readonly string[], policy: string): string =>
  tool(name, command).replace('unattended', policy)

test('promise call: the exit code and the result of --output json report how the call ended', async () => {
  const folder = makeFolder({
    'ask.json': toToolOutput([{ type: 'question', question: GO }]),
    'toolblocks.toml': [
      quietly('fine', ['echo', 'ran'], 'ask'),
      tool('broken', ['sh', '-c', 'echo ran; exit 9']),
      quietly('denied', ['echo', 'ran'], 'deny'),
      quietly('skipped', ['echo', 'ran'], 'skip'),
      tool('slow', ['sleep', '30'], 'timeout_secs = 0.2\nparameters = {}'),
      tool('asks', ['cat', 'ask.json']),
    ].join(''),
  })
  const names = ['fine', 'broken', 'denied', 'skipped', 'slow', 'asks']
  const ran = await Promise.all(
    names.map(async (name) => await toolblocks(folder, 'call', name, '--output', 'json')),
  )
  const ended = ran.map(({ code, stdout }) => {
    const { isError, metadata } = JSON.parse(stdout)
    return [code, metadata.outcome, isError]
  })
  expect(ended).toEqual([
    [0, 'completed', false],
    [1, 'failed', true],
    [3, 'denied', true],
    [3, 'denied', true],
    [4, 'timeout', true],
    [5, 'unanswered', true],
  ])
  for (const denied of [ran[2], ran[3]]) expect(denied?.stdout).not.toContain('ran\\n')
  expect((await toolblocks(folder, 'call', 'fime')).stderr).toContain('did you mean "fine"?')
  expect((await toolblocks(folder, 'call', 'fime')).code).toBe(2)
  const { code } = await visit(folder, ['call', 'asks'], [[/Go\?[^]*No/, '\u0003']])
  expect(code).toBe(130)
})

test('promise call: Ctrl-C at the form of a server ends the call without a warning, and the record has its end', async () => {
  const program = createServerProgram(
    [{ name: 'ship', inputSchema: { type: 'object', properties: {} } }],
    `const properties = { fast: { type: 'boolean', title: 'Send it fast?' } }
  const said = await server.elicitInput({ message: 'How?', requestedSchema: { type: 'object', properties } })
  return { content: [{ type: 'text', text: said.action }] }`,
  )
  const folder = makeFolder({
    [SERVER_FILE]: program,
    '.mcp.json': SERVERS,
    'toolblocks.toml': '[store]\nurl = "sqlite:kept.db"\n',
  })
  const args = ['call', 'notes__ship']
  const { code, written } = await visit(folder, args, [[/Send it fast\?[^]*No/, '\u0003']])
  expect([code, written]).toEqual([130, expect.not.stringContaining('warning')])
  const conversation = await toolblocks(folder, 'conversations', 'show', 'latest')
  expect(conversation.stdout).toContain('was cancelled. It may still have been executed.')
})

test('promise call: if a tool fails and names a variable of the shell that it did not receive, this is said, with how to pass it', async () => {
  const line = ['sh', '-c', 'test -n "$SHIP_TOKEN" || { echo SHIP_TOKEN is required >&2; exit 1; }']
  const folder = makeFolder({
    'toolblocks.toml':
      tool('bare', line) + tool('given', line, 'env = ["SHIP_TOKEN"]\nparameters = {}'),
  })
  const call = async (name: string): Promise<unknown> =>
    await run(folder, ['call', name], { ...process.env, SHIP_TOKEN: 'a secret value' })
  const bare = await call('bare')
  expect(bare).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'SHIP_TOKEN, a variable that is set here and was not passed on. If the program needs it, add env = ["SHIP_TOKEN"].',
    ),
  })
  expect(JSON.stringify(bare)).not.toContain('a secret value')
  expect(await call('given')).toMatchObject({ code: 0, stderr: '' })
})
