import { expect, inject, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { connectEntry } from '../stage/mcp-client.ts'
import { createServerProgram, SERVER_FILE, SERVERS } from '../stage/mcp-server.ts'
import { startProvider } from '../stage/provider.ts'

/** The schema that Zod 4 writes: it requires properties that have a default. */
const SHOT = {
  name: 'take_screenshot',
  description: 'Takes a screenshot.',
  inputSchema: {
    type: 'object',
    properties: {
      scale: { type: 'string', enum: ['css', 'device'], default: 'css' },
      sub: {
        type: 'object',
        properties: { n: { type: 'number', default: 4 } },
        required: ['n'],
        default: {},
      },
      page: { type: 'string' },
    },
    required: ['scale', 'sub', 'page'],
  },
}
/** The server tells which arguments it has received. */
const PROGRAM = createServerProgram(
  [SHOT],
  'return { content: [{ type: "text", text: JSON.stringify(given) }] }',
)

test('promise required defaults: through the gateway, arguments with a default may be left out, and the server receives what the client sent', async () => {
  const folder = makeFolder({ [SERVER_FILE]: PROGRAM })
  const client = await connectEntry(
    {
      command: process.execPath,
      args: [inject('command'), 'serve', '--server', `"${process.execPath}" ${SERVER_FILE}`],
    },
    folder,
  )
  const { tools } = await client.listTools()
  expect(tools[0]).toMatchObject(SHOT)
  for (const callArguments of [
    { page: 'a' },
    { page: 'a', sub: {} },
    { page: 'a', scale: 'device' },
  ]) {
    const result = await client.callTool({ name: SHOT.name, arguments: callArguments })
    expect(result).toEqual({ content: [{ type: 'text', text: JSON.stringify(callArguments) }] })
  }
  const refused = await client.callTool({ name: SHOT.name, arguments: { sub: { n: 'x' } } })
  expect(refused).toMatchObject({ isError: true })
  const text = JSON.stringify(refused)
  expect([
    text.includes('/page: is required'),
    text.includes('/sub/n'),
    text.includes('/scale'),
  ]).toEqual([true, true, false])
})

test('promise required defaults: a model is not asked for them, and its call and a typed one need none', async () => {
  const model = await startProvider([
    { calls: [['notes__take_screenshot', { page: 'a' }]] },
    { text: 'Done.' },
  ])
  const folder = makeFolder({
    [SERVER_FILE]: PROGRAM,
    '.mcp.json': SERVERS,
    'toolblocks.toml': model.settings,
  })
  const ran = await toolblocks(folder, 'run', 'Shoot.', '--allow-tool', 'notes__take_screenshot')
  expect([ran.code, model.results()]).toEqual([0, ['{"page":"a"}']])
  const sent = JSON.stringify(model.requests[0])
  expect(sent).toContain('"required":["page"]')
  expect(sent).not.toContain('"required":["n"]')
  const typed = await toolblocks(folder, 'call', 'notes__take_screenshot', '--arg', 'page=b')
  expect([typed.code, typed.stdout]).toEqual([0, expect.stringContaining('{"page":"b"}')])
})
