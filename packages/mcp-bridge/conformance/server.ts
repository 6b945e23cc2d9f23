// The server that MCP's conformance suite tests: node server.ts [replicas], which prints its address. It ends when its input ends. With replicas, each request
// goes to the next of them.
import { randomBytes } from 'node:crypto'
import { createServer, request } from 'node:http'
import { serveHttp } from '@toolblocks/mcp-bridge/server'
import { createSharedDocuments } from '../src/testing/shared-documents.support.ts'
import { features } from './features.ts'
import { callDiagnosticTool, definitions, onDefinitionsChanged } from './tools.ts'

const replicas = Number(process.argv[2] ?? 0)
let turn = 0

// The suite sends no token, but every client of a service over HTTP needs one: this proxy adds it to the requests.
const front = createServer((incoming, answer) => {
  turn += 1
  const served = services[turn % services.length]
  if (!served) return void answer.writeHead(503).end()
  const headers = { ...incoming.headers, authorization: `Bearer ${TOKEN}` }
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

const TOKEN = randomBytes(32).toString('hex')
const key = randomBytes(32)
const documents = createSharedDocuments()
const services = await Promise.all(
  Array.from({ length: Math.max(replicas, 1) }, async () =>
    serveHttp(
      {
        name: 'conformance',
        version: '1',
        root: process.cwd(),
        definitions: () => definitions,
        callTool: callDiagnosticTool,
        features,
        onDefinitionsChanged,
      },
      {
        port: 0,
        token: TOKEN,
        stateKey: key,
        allowedHosts: [`127.0.0.1:${port}`, `localhost:${port}`],
        ...(replicas > 0 && { replicas: { documents: documents.open(), key } }),
      },
    ),
  ),
)
process.stdout.write(`http://127.0.0.1:${port}/mcp\n`)
process.stdin
  .on('end', () => {
    front.close()
    front.closeAllConnections()
    for (const served of services) void served.close({ graceMs: 0 })
  })
  .resume()
