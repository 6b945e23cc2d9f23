import assert from 'node:assert/strict'
import { startProgram } from '@toolblocks/local-executor'
import { connectServer } from '@toolblocks/mcp-bridge'
import { serveHttp } from '@toolblocks/mcp-bridge/server'
import { createSuccessResult, type ToolContext } from '@toolblocks/protocol'

// Any tools, served to any MCP host that has the token. A host with many tools passes `callTool` of a tool executor.
const served = await serveHttp(
  {
    name: 'notes',
    version: '1.0.0',
    root: process.cwd(),
    definitions: () => [
      { name: 'read', description: 'Reads a note.', inputSchema: { type: 'object' } },
    ],
    callTool: async ({ arguments: { path } }, { ask, signal }) => {
      const request = { id: 'draft', text: 'Also the draft?', schema: { type: 'boolean' } }
      const source = { kind: 'elicitation', server: 'notes' } as const
      const answer = await ask?.user?.(request, { blocks: [], source, signal })
      const text = answer?.action === 'accept' && answer.value === true ? 'All of it.' : 'A part.'
      const resource = { uri: `file:///notes/${String(path)}`, name: 'The note', text }
      return createSuccessResult([{ type: 'resource', resource, formatted: `1: ${text}` }])
    },
  },
  { port: 0 },
)

// Any MCP server, whose tools become tools of the host. `startProgram` starts servers that are programs.
const headers = { Authorization: `Bearer ${served.token}` }
const server = await connectServer(
  { name: 'notes', transport: { kind: 'http', url: served.url, headers } },
  { canAsk: true },
  { startProgram },
)
const [read] = server.tools()
assert.equal(read?.name, 'notes__read')

const context: ToolContext = {
  signal: AbortSignal.timeout(5000),
  root: process.cwd(),
  answers: {},
  // Questions of the server during the call are answered here; `server` is the configured name.
  ask: async (_request, { source }) => {
    assert(source.kind === 'elicitation' && source.server === 'notes')
    return { action: 'accept', value: { value: true } }
  },
}
const call = { id: 'call-1', name: read.name, arguments: { path: 'today.md' } }
const { content } = await read.execute(call, context)
assert.deepEqual(content, [
  {
    type: 'resource',
    resource: { uri: 'file:///notes/today.md', name: 'The note', text: 'All of it.' },
    formatted: '1: All of it.',
  },
])

await server.close()
await served.close()
