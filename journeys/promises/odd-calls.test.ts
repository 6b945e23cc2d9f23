import { expect, inject, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { connectEntry } from '../stage/mcp-client.ts'
import { createServerProgram, SERVER_FILE, SERVERS } from '../stage/mcp-server.ts'
import { PROVIDERS, startProvider } from '../stage/provider.ts'

test.for(Object.keys(PROVIDERS) as (keyof typeof PROVIDERS)[])(
  'promise odd calls: a call of %s without a name gets a result that asks for one, and the turn continues',
  async (provider) => {
    const model = await startProvider(
      [{ text: 'Wait.', calls: [['', { a: 1 }]] }, { text: 'Sorry.' }],
      provider,
    )
    const folder = makeFolder({
      'toolblocks.toml': [model.settings, tool('say', ['echo', 'hi'], '')].join('\n'),
    })
    const { code, stdout } = await toolblocks(folder, 'run', 'Hello.')
    expect([code, stdout]).toEqual([0, expect.stringContaining('Sorry.')])
    expect(model.requests).toHaveLength(2)
    expect(JSON.stringify(model.requests[1])).toContain(
      'The call has no name of a tool, and was not run. Make it again with the name of a tool. The tools are: ',
    )
  },
)

/** A program that prints its arguments. */
const ECHO = `
let text = ''
for await (const piece of process.stdin) text += piece
process.stdout.write(JSON.stringify(JSON.parse(text).tool.arguments))
`
const PARAMETERS =
  'parameters = { path = { type = "string" }, limit = { type = "integer", required = false } }'

test('promise odd calls: null for an argument that may be absent and that takes no null means absent, for a model, a client and a server', async () => {
  const find = {
    name: 'find',
    description: 'Finds files.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, limit: { type: 'integer', default: 3 } },
      required: ['path', 'limit'],
    },
  }
  const callArguments = { path: 'a', limit: null }
  const model = await startProvider([
    {
      calls: [
        ['list', callArguments],
        ['far__find', callArguments],
        ['list', { path: null }],
      ],
    },
    { text: 'Done.' },
  ])
  const folder = makeFolder({
    'echo.mjs': ECHO,
    [SERVER_FILE]: createServerProgram(
      [find],
      'return { content: [{ type: "text", text: JSON.stringify(given) }] }',
    ),
    '.mcp.json': SERVERS.replace('notes', 'far'),
    'toolblocks.toml': [
      model.settings,
      tool('list', [process.execPath, 'echo.mjs'], PARAMETERS),
    ].join('\n'),
  })
  const ran = await toolblocks(folder, 'run', 'Hello.', '--allow-tool', 'far__find')
  expect(ran.code).toBe(0)
  expect(model.results()).toEqual([
    '{"path":"a"}',
    '{"path":"a"}',
    expect.stringContaining('/path: expected string, got null'),
  ])

  const client = await connectEntry(
    { command: process.execPath, args: [inject('command'), 'serve'] },
    folder,
  )
  const served = await client.callTool({ name: 'list', arguments: callArguments })
  expect(served).toMatchObject({ content: [{ type: 'text', text: '{"path":"a"}' }] })
})
