import { startProgram } from '@toolblocks/local-executor'
import { connectServer, type McpServer } from '@toolblocks/mcp-bridge'
import { expect, onTestFinished, test } from 'vitest'
import type { McpToolConfiguration } from '../configuration/tool-schema.ts'
import { makeEntries } from './make-entries.ts'
import { NOTES } from './workspace.support.ts'

/** Connects to the server of notes until the test ends. */
async function connectNotes(): Promise<McpServer> {
  const server = await connectServer(
    { name: 'notes', transport: { kind: 'stdio', ...NOTES } },
    {},
    { startProgram },
  )
  onTestFinished(async () => await server.close())
  return server
}

const table = (more: Partial<McpToolConfiguration>): McpToolConfiguration => ({
  source: 'mcp.notes.read',
  server: 'notes',
  tool: 'read',
  ...more,
})

test('all keys of the tables of a server’s tools are in their entries, and the server’s own texts are kept', async () => {
  const server = await connectNotes()
  const { tools, left, warnings } = await makeEntries(
    server,
    { own: { run: 'deny', pin: true }, waiting: ['sign'] },
    {
      look: table({
        title: 'T',
        summary: 'S',
        description: 'D: {{description}}',
        examples: 'E',
        run: 'unattended',
        pin: false,
        deduplicate: false,
        on_turn_end: 'keep',
        questions: { q: { answer: 7 } },
        parameters: { path: { summary: 'Which.', default: 'a.md' }, odd: { summary: 'None.' } },
      }),
      bare: table({ tool: 'list', source: 'mcp.notes.list' }),
      lost: table({ tool: 'lsit', source: 'mcp.notes.lsit' }),
      elsewhere: table({ server: 'other' }),
    },
  )
  expect(tools.map(({ tool }) => tool.name)).toEqual(['look', 'bare', 'notes__folder'])
  const [look, bare, plain] = tools
  const { tool, origins, described, isPinned, ...entry } = look!
  expect(tool).toMatchObject({
    name: 'look',
    title: 'T',
    summary: 'S',
    description: 'D: Reads a note.',
    examples: 'E',
    inputSchema: { properties: { path: { description: 'Which.', default: 'a.md' } } },
  })
  expect(entry).toStrictEqual({
    source: 'mcp.notes.read',
    server: 'notes',
    arguments: 'as-given',
    defaults: expect.objectContaining({ properties: { path: { default: 'a.md' } } }),
    policy: 'unattended',
    routes: { q: { answer: 7 } },
    deduplicate: false,
    onTurnEnd: 'keep',
  })
  expect(isPinned).toBe(false)
  expect(origins).toMatchObject({
    title: 'configuration',
    description: 'both',
    inputSchema: 'both',
  })
  expect(described).toMatchObject({ name: 'look', description: 'Reads a note.' })
  expect(described).not.toHaveProperty('title')
  expect(bare).toMatchObject({
    isPinned: true,
    source: 'mcp.notes.list',
    policy: 'deny',
    described: { name: 'bare', description: 'Links to the notes.' },
  })
  expect(plain).toStrictEqual({
    tool: expect.objectContaining({ name: 'notes__folder' }),
    source: 'mcp.notes.folder',
    server: 'notes',
    arguments: 'as-given',
    policy: 'deny',
    origins: expect.anything(),
    described: expect.objectContaining({ name: 'notes__folder' }),
    isPinned: true,
  })
  expect(left).toEqual([
    {
      tool: 'lost',
      reason: 'undescribed',
      path: ['tools', 'lost', 'source'],
      message: expect.stringContaining(
        'has no tool "lsit"; did you mean "list"? It has read, sign, list, folder',
      ),
    },
  ])
  expect(warnings).toEqual([
    {
      path: ['tools', 'look', 'parameters', 'odd'],
      message: expect.stringContaining('no parameter of this name'),
    },
  ])
})

test('a call runs on the server, under its own name for the tool', async () => {
  const server = await connectNotes()
  const { tools } = await makeEntries(server, { own: {}, waiting: [] }, { look: table({}) })
  const [look] = tools
  expect(look).toMatchObject({ isPinned: false })
  expect(look).not.toHaveProperty('policy')
  const context = { signal: new AbortController().signal, root: '/', answers: {} }
  const call = { id: '1', name: 'look', arguments: { path: 'a.md' } }
  expect(await look?.tool.execute(call, context)).toMatchObject({
    content: [{ resource: { uri: 'file:///notes/a.md' } }],
  })
})

test('the table of a tool shapes it, after its definition was pinned', async () => {
  const server = await connectNotes()
  const { tools, left } = await makeEntries(
    server,
    { own: {}, waiting: [] },
    {
      look: table({ fixed: { path: 'a.md' }, select: ['a'] }),
      bad: table({ fixed: { path: 7 } }),
      lost: table({ hidden: ['path', 'pth'] }),
    },
  )
  expect(tools[0]).toMatchObject({
    tool: { name: 'look', inputSchema: { properties: {} } },
    described: { inputSchema: { required: ['path'] } },
    shape: { fixed: { path: 'a.md' }, select: ['/a'] },
  })
  expect(left).toMatchObject([
    { tool: 'bad', path: ['tools', 'bad', 'fixed', 'path'] },
    { tool: 'lost', path: ['tools', 'lost', 'hidden', '0'] },
    { tool: 'lost', path: ['tools', 'lost', 'hidden', '1'] },
  ])
})

test('a table hides a tool of the server that has its name', async () => {
  const server = await connectNotes()
  const { tools } = await makeEntries(server, { own: {}, waiting: [] }, { notes__sign: table({}) })
  expect(tools.filter(({ tool }) => tool.name === 'notes__sign')).toMatchObject([
    { source: 'mcp.notes.read' },
  ])
})
