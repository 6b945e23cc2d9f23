// Passes messages between standard streams and a server that is a program, with the transports of the official SDK and nothing else.
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'

const [command, ...args] = process.argv.slice(2)
const client = new StdioServerTransport()
const server = new StdioClientTransport({ command, args })
Object.assign(client, { onmessage: async (message) => await server.send(message) })
Object.assign(server, {
  onmessage: async (message) => await client.send(message),
  onclose: () => process.exit(),
})
process.stdin.once('end', () => void server.close())
await server.start()
await client.start()
