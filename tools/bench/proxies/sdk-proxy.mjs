// Answers requests as a server of the official SDK, with what a client of the SDK gets from a server that is a program.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const [command, ...args] = process.argv.slice(2)
const client = new Client({ name: 'proxy', version: '1' })
await client.connect(new StdioClientTransport({ command, args }))
const server = new Server(client.getServerVersion(), { capabilities: { tools: {} } })
server.setRequestHandler(
  ListToolsRequestSchema,
  async ({ params }) => await client.listTools(params),
)
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => await client.callTool(params))
process.stdin.once('end', () => void client.close().then(() => process.exit()))
await server.connect(new StdioServerTransport())
