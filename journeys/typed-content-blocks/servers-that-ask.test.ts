import { expect, test } from 'vitest'
import { visit } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'
import { createServerProgram, SERVER_FILE, SERVERS } from '../stage/mcp-server.ts'
import { startProvider } from '../stage/provider.ts'
import { readRows } from '../stage/rows.ts'

const NONE = { type: 'object', properties: {} }

/** A server that asks about a shipment, and returns the answer. */
const SHIPS = createServerProgram(
  [{ name: 'ship', description: 'Ships it.', inputSchema: NONE }],
  `const requestedSchema = { type: 'object', required: ['fast', 'to'], properties: {
    fast: { type: 'boolean', title: 'Send it fast?' },
    to: { type: 'string', enum: ['Paris', 'Rome'] },
    name: { type: 'string' },
  } }
  const said = await server.elicitInput({ message: 'Where does it go?', requestedSchema })
  return { content: [{ type: 'text', text: JSON.stringify(said) }] }`,
)

test('000 elicitation: questions of an MCP server have the same prompts as questions of a tool, and the server receives the answers', async () => {
  const model = await startProvider([{ calls: [['notes__ship', {}]] }, { text: 'Shipped.' }])
  const folder = makeFolder({
    [SERVER_FILE]: SHIPS,
    '.mcp.json': SERVERS,
    'toolblocks.toml': model.settings,
  })
  const { code, written } = await visit(
    folder,
    ['run', 'Ship it.', '--allow-tool', 'notes__ship'],
    [
      [/Where does it go\?[^]*Send it fast\?[^]*Yes[^]*No/, 'y\r'],
      [/to[^]*Paris[^]*Rome/, 'rome\r'],
      [/name/, 'Ada\r'],
      [/Send this/, '\r'],
    ],
  )
  expect([code, written]).toEqual([0, expect.stringContaining('Shipped.')])
  const content = { fast: true, to: 'Rome', name: 'Ada' }
  expect(model.results()).toEqual([JSON.stringify({ action: 'accept', content })])
  const kept = readRows(`${folder}/kept.db`)
  expect(kept.filter(({ type }) => type === 'question' || type === 'answer')).toMatchObject([
    { asked: 'user', question: { text: 'Where does it go?', schema: { type: 'object' } } },
    { action: 'accept', value: content },
  ])
})

test('000 elicitation: a served MCP client receives the questions of the server, and its refusal reaches the server', async () => {
  const folder = makeFolder({ [SERVER_FILE]: SHIPS, '.mcp.json': SERVERS, 'toolblocks.toml': '' })
  const asked: unknown[] = []
  const client = await connectClient(folder, ['serve', '--trust-client'], (form) => {
    asked.push(form)
    return { action: 'decline' }
  })
  const result = await client.callTool({ name: 'notes__ship' })
  expect(result.content).toEqual([{ type: 'text', text: '{"action":"decline"}' }])
  expect(asked).toMatchObject([
    {
      message: 'Where does it go?',
      requestedSchema: {
        properties: { fast: { type: 'boolean' }, to: { enum: ['Paris', 'Rome'] } },
      },
    },
  ])
})
