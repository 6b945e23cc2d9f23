// What the conformance suite of MCP looks at as a server: node server.ts, which prints its address. Ends with its input.
import { serveHttp } from '@toolblocks/mcp-bridge/server'
import { createSuccessResult } from '@toolblocks/protocol'

const served = await serveHttp(
  {
    name: 'conformance',
    version: '1',
    root: process.cwd(),
    definitions: () => [
      {
        name: 'test_simple_text',
        description: 'Says something simple.',
        inputSchema: { type: 'object', properties: {} },
      },
    ],
    callTool: async () =>
      createSuccessResult([{ type: 'text', text: 'This is a simple text response for testing.' }]),
  },
  { port: 0 },
)
process.stdout.write(`${served.url}\n`)
process.stdin.on('end', () => void served.close({ graceMs: 0 })).resume()
