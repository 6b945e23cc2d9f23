/** The file of a folder's MCP server, and its name in an `.mcp.json`. */
export const SERVER_FILE = 'server.mjs'

/** An `.mcp.json` that names the server of the folder `notes`. */
export const SERVERS = JSON.stringify({
  mcpServers: { notes: { command: process.execPath, args: [SERVER_FILE] } },
})

/**
 * Returns the program of an MCP server that uses the library of the MCP project. `tools` are its tools in the form of `tools/list`. `answer` is the
 * body of a function of `name`, `given` and `server` that returns the result of a call. `read` is the body of a function of `uri` that returns the
 * contents of a resource.
 */
export function createServerProgram(
  tools: readonly object[],
  answer: string,
  read = 'throw new Error(uri)',
): string {
  return `
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import * as types from '@modelcontextprotocol/sdk/types.js'

const server = new Server({ name: 'notes', version: '1.0.0' }, { capabilities: { tools: {}, resources: {} } })
const answer = async (name, given) => { ${answer} }
const read = async (uri) => { ${read} }
server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: ${JSON.stringify(tools)} }))
server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => await answer(params.name, params.arguments))
server.setRequestHandler(types.ReadResourceRequestSchema, async ({ params }) => ({ contents: [await read(params.uri)] }))
server.setRequestHandler(types.ListResourcesRequestSchema, () => ({ resources: [] }))
await server.connect(new StdioServerTransport())
`
}
