// An MCP server of the official SDK whose tool `say` returns its text. Over standard input and output, or with the argument "http" on a free port of the
// loopback address, with a session for each client. There it sends its address to its parent, and the number of its calls whenever it is asked.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const TOOL = {
  name: 'say',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}
/** Connections that wait until this process accepts them, and milliseconds that one stays open without a request: a busy server must not lose what has arrived. */
const BACKLOG = 4096
const KEEP_ALIVE_MS = 60_000
let calls = 0

function createSayServer() {
  const server = new Server({ name: 'say', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [TOOL] }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    calls += 1
    return { content: [{ type: 'text', text: params.arguments.text }] }
  })
  return server
}

const sessions = new Map()

async function handle(request, response) {
  const id = request.headers['mcp-session-id']
  const known = sessions.get(id)
  if (known) return await known.handleRequest(request, response)
  if (id !== undefined) return void response.writeHead(404).end()
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (begun) => void sessions.set(begun, transport),
    onsessionclosed: (ended) => void sessions.delete(ended),
  })
  await createSayServer().connect(transport)
  await transport.handleRequest(request, response)
}

if (process.argv[2] === 'http') {
  const http = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  http.listen({ port: 0, host: '127.0.0.1', backlog: BACKLOG })
  await once(http, 'listening')
  process.on('message', () => process.send({ calls }))
  process.on('disconnect', () => process.exit())
  process.send({ url: `http://127.0.0.1:${http.address().port}/mcp` })
} else await createSayServer().connect(new StdioServerTransport())
