import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { startProgram } from '../../../packages/local-executor/src/index.ts'
import { connectServer } from '../../../packages/mcp-bridge/src/connect-server.ts'
import {
  authenticateByTokens,
  hashToken,
} from '../../../packages/mcp-bridge/src/identity/client-tokens.ts'
import { createOAuthResource } from '../../../packages/mcp-bridge/src/identity/oauth-resource.ts'
import { serveHttp } from '../../../packages/mcp-bridge/src/serve-http.ts'
import { createDroppingTelemetry } from '../../../packages/protocol/src/telemetry/open-telemetry.support.ts'
import {
  connectBare,
  connectBridge,
} from '../../../packages/mcp-bridge/src/testing/in-memory.support.ts'
import { startIssuer } from '../../../packages/mcp-bridge/src/testing/issuer.support.ts'
import { compareTimes } from '../measure.mjs'

export const title = 'Calls of MCP servers'
export const intro =
  'A call of a connected server, through the client of `mcp-bridge` and through that of `@modelcontextprotocol/sdk`, each with a server of its own from the same program (elapsed time). ' +
  '[fidelity.md](fidelity.md) lists what each keeps of a result.'

const context = { signal: new AbortController().signal, root: '/', answers: {} }
const against = 'the client of the official SDK'
const target = { ratio: 1 }
const SIZES = [
  { what: 'a small result', values: { count: 1, bytes: 1 } },
  { what: '800 KB of images', values: { count: 10, bytes: 60_000 } },
]

export async function measure(pace) {
  const long = { ...pace, rounds: pace.rounds * 2, warmupMs: pace.warmupMs * 2 }
  return [
    ...(await measureStdio(long)),
    ...(await measureHttp(long)),
    ...(await measureInMemory(long)),
    await measureTelemetry(long),
    ...(await measureTokens(long)),
  ]
}

const rowsFor = async (pace, { name, target: goal, bridge, sdk, tool }) => {
  const rows = []
  for (const { what, values } of SIZES)
    rows.push(
      await compareTimes(pace, {
        name: `${name}, ${what}`,
        clock: 'elapsed',
        ours: async () =>
          check(await bridge.execute({ id: 'c', name: bridge.name, arguments: values }, context)),
        against,
        yardstick: async () => check(await sdk.callTool({ name: tool, arguments: values })),
        target: goal,
      }),
    )
  return rows
}

function check({ isError }) {
  if (isError) throw new Error('the call failed')
}

async function measureStdio(pace) {
  const program = new URL(
    '../../../packages/mcp-bridge/src/testing/odd-server.support.ts',
    import.meta.url,
  )
  const args = [fileURLToPath(program)]
  const sdk = new Client({ name: 'bare', version: '1' })
  await sdk.connect(new StdioClientTransport({ command: process.execPath, args }))
  const transport = { kind: 'stdio', command: process.execPath, args }
  const server = await connectServer({ name: 'odd', transport }, {}, { startProgram })
  const bridge = server.tools().find(({ name }) => name === 'odd__images')
  const rows = await rowsFor(pace, { name: 'over stdio', target, bridge, sdk, tool: 'images' })
  await sdk.close()
  await server.close()
  return rows
}

async function measureInMemory(pace) {
  const [sdk, bridge] = [await connectBare(), await connectBridge()]
  const rows = await rowsFor(pace, { name: 'in one process', bridge, sdk, tool: 'images' })
  await sdk.close()
  return rows
}

/** The server is a service of `mcp-bridge` in this process. */
async function measureHttp(pace) {
  const callTool = async ({ arguments: { count, bytes } }) => ({
    isError: false,
    content: Array.from({ length: count }, () => ({
      type: 'image',
      mimeType: 'image/png',
      data: Buffer.alloc(bytes, 7).toString('base64'),
    })),
  })
  const definitions = () => [{ name: 'images', inputSchema: { type: 'object' } }]
  const service = await serveHttp(
    { name: 'ours', version: '1', root: '/', definitions, callTool },
    { port: 0 },
  )
  const headers = { authorization: `Bearer ${service.token}` }
  const sdk = new Client({ name: 'bare', version: '1' })
  await sdk.connect(
    new StreamableHTTPClientTransport(new URL(service.url), { requestInit: { headers } }),
  )
  const transport = { kind: 'http', url: service.url, headers }
  const server = await connectServer({ name: 'web', transport }, {}, {})
  const [bridge] = server.tools()
  const rows = await rowsFor(pace, { name: 'over HTTP', target, bridge, sdk, tool: 'images' })
  await sdk.close()
  await server.close()
  await service.close({ graceMs: 0 })
  return rows
}

/** Connects to a server of this process, both with or without telemetry. `access`: who may call it, and the client's token; absent: one token of the service. */
async function connectService({ telemetry, access } = {}) {
  const traced = telemetry && { telemetry }
  const service = await serveHttp(
    {
      name: 'ours',
      version: '1',
      root: '/',
      definitions: () => [{ name: 'say', inputSchema: { type: 'object' } }],
      callTool: async () => ({ isError: false, content: [{ type: 'text', text: 'well' }] }),
      ...traced,
    },
    { port: 0, ...(access && { authenticate: access.authenticate }) },
  )
  const headers = { authorization: `Bearer ${access?.token ?? service.token}` }
  const transport = { kind: 'http', url: service.url, headers }
  const server = await connectServer({ name: 'web', transport }, {}, { ...traced })
  const [tool] = server.tools()
  const call = async () =>
    check(await tool.execute({ id: 'c', name: tool.name, arguments: {} }, context))
  const close = async () => {
    await server.close()
    await service.close({ graceMs: 0 })
  }
  return { call, close }
}

/** Two spans and two durations for each call, batched by the SDK. */
async function measureTelemetry(pace) {
  const [traced, plain] = [
    await connectService({ telemetry: createDroppingTelemetry() }),
    await connectService(),
  ]
  const row = await compareTimes(pace, {
    name: 'over HTTP, a small result, with telemetry of client and server',
    clock: 'elapsed',
    ours: traced.call,
    against: 'the same without telemetry',
    yardstick: plain.call,
    target: { ratio: 1.3 },
  })
  await traced.close()
  await plain.close()
  return row
}

/** A token is checked with each request: of a table with a hundred clients, and of an issuer, whose keys are kept. */
async function measureTokens(pace) {
  const tokens = Array.from({ length: 100 }, () => randomBytes(32).toString('base64url'))
  const clients = tokens.map((each, index) => ({
    name: `client-${index}`,
    groups: [],
    tokens: [{ hash: hashToken(each) }],
  }))
  const issuer = await startIssuer()
  const resource = createOAuthResource({
    issuer: issuer.address,
    audience: 'https://bench.example',
  })
  const plain = await connectService()
  const ways = [
    {
      name: 'over HTTP, a small result, with a token of one of 100 clients',
      access: { authenticate: authenticateByTokens(() => clients), token: tokens.at(-1) },
      most: 1.5,
    },
    {
      name: 'over HTTP, a small result, with an access token of an issuer (ES256)',
      access: {
        authenticate: resource.authenticate,
        token: await issuer.issue({ aud: 'https://bench.example', sub: 'ann' }),
      },
      most: 3,
    },
  ]
  const rows = []
  for (const { name, access, most } of ways) {
    const { call, close } = await connectService({ access })
    rows.push(
      await compareTimes(pace, {
        name,
        clock: 'elapsed',
        ours: call,
        against: 'the same with one token of the service',
        yardstick: plain.call,
        target: { ratio: most },
      }),
    )
    await close()
  }
  await plain.close()
  issuer.close()
  return rows
}
