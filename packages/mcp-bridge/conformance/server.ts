// The server that MCP's conformance suite tests: node server.ts, which prints its address. It ends when its input ends.
import { createServer, request } from 'node:http'
import { serveHttp } from '@toolblocks/mcp-bridge/server'
import { features } from './features.ts'
import { callDiagnosticTool, definitions, onDefinitionsChanged } from './tools.ts'

// The suite sends no token, but every client of a service over HTTP needs one: this proxy adds it to the requests.
const front = createServer((incoming, answer) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${served.token}` }
  const { method = 'GET', url = '/' } = incoming
  const asked = request(
    new URL(url, served.url),
    { method, headers, setHost: false },
    (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(answer)
    },
  )
  asked.on('error', () => answer.destroy())
  answer.once('close', () => asked.destroy())
  incoming.pipe(asked)
})
await new Promise<void>((done) => front.listen(0, '127.0.0.1', done))
const address = front.address()
const port = typeof address === 'object' && address ? address.port : 0

const served = await serveHttp(
  {
    name: 'conformance',
    version: '1',
    root: process.cwd(),
    definitions: () => definitions,
    callTool: callDiagnosticTool,
    features,
    onDefinitionsChanged,
  },
  { port: 0, allowedHosts: [`127.0.0.1:${port}`, `localhost:${port}`] },
)
process.stdout.write(`http://127.0.0.1:${port}/mcp\n`)
process.stdin
  .on('end', () => {
    front.close()
    front.closeAllConnections()
    void served.close({ graceMs: 0 })
  })
  .resume()
