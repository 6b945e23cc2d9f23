// What the conformance suite of MCP looks at as a server: node server.ts, which prints its address. Ends with its input.
import { serveHttp } from '@toolblocks/mcp-bridge/server'
import { callDiagnosticTool, definitions, onDefinitionsChanged } from './tools.ts'

const served = await serveHttp(
  {
    name: 'conformance',
    version: '1',
    root: process.cwd(),
    definitions: () => definitions,
    callTool: callDiagnosticTool,
    onDefinitionsChanged,
  },
  { port: 0 },
)
process.stdout.write(`${served.url}\n`)
process.stdin.on('end', () => void served.close({ graceMs: 0 })).resume()
