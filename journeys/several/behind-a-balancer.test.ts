import { createServer, request as send } from 'node:http'
import {
  Client as LaterClient,
  StreamableHTTPClientTransport as LaterTransport,
} from '@modelcontextprotocol/client'
import { connectServer } from '@toolblocks/mcp-bridge'
import { expect, onTestFinished, test } from 'vitest'
import { startToolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { listen } from '../stage/listen.ts'
import { SWEEP } from '../stage/waiting.ts'

const PROCESSES = 3
const TOKEN = '0123456789abcdefghijklmnopqrstuv'
const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` }
const CONFIGURATION = `[store]
url = "sqlite:calls.db"

[budget]
per_result = 500
${tool('sweep', ['node', 'sweep.mjs'])}${tool('count', ['seq', '1', '20000'])}`

/** Sends each request to the next of the addresses. */
async function balance(addresses: readonly URL[]): Promise<URL> {
  let requests = 0
  const server = createServer((request, response) => {
    const { hostname, port, host } = addresses[(requests += 1) % addresses.length] ?? {}
    const { url: path, method } = request
    const headers = { ...request.headers, host }
    const passed = send({ hostname, port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    request.pipe(passed)
  })
  return new URL('/mcp', await listen(server))
}

/** Connects a client of MCP 2026-07-28 with this name, which says yes to every question. */
async function connect(url: URL, name: string): Promise<LaterClient> {
  const client = new LaterClient(
    { name, version: '1' },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  )
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const { properties } = Object(Reflect.get(params, 'requestedSchema'))
    const content = Object.fromEntries(Object.keys(Object(properties)).map((key) => [key, true]))
    return { action: 'accept', content }
  })
  onTestFinished(async () => await client.close())
  await client.connect(new LaterTransport(url, { requestInit: { headers: AUTHORIZATION } }))
  return client
}

const call = async (client: LaterClient, name: string, callArguments = {}): Promise<string> =>
  JSON.stringify(await client.callTool({ name, arguments: callArguments }))

test('promise several clients: behind a balancer, processes with one store continue the calls of each other and read the results of each other, for one client', async () => {
  const folder = makeFolder({ 'sweep.mjs': SWEEP, 'toolblocks.toml': CONFIGURATION })
  const addresses = await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      const args = ['serve', '--http', '0', '--token-env', 'OUR_TOKEN']
      const running = startToolblocks(folder, args, { OUR_TOKEN: TOKEN })
      const [, address = ''] = await running.said(/at (http:\S+)/)
      return new URL(address)
    }),
  )
  const url = await balance(addresses)
  const ann = await connect(url, 'ann')
  for (let time = 0; time < PROCESSES; time += 1)
    expect(await call(ann, 'sweep')).toContain('swept: true')
  const cut = await call(ann, 'count')
  const [, id = ''] = /read_tool_result reads all of it: call \\"([^\\]+)/.exec(cut) ?? []
  const asked = { call: id, from: 1000, lines: 2 }
  for (let time = 0; time < PROCESSES; time += 1)
    expect(await call(ann, 'read_tool_result', asked)).toContain('1000')
  const other = await connect(url, 'bob')
  for (let time = 0; time < PROCESSES; time += 1)
    expect(await call(other, 'read_tool_result', asked)).toContain('has no result for the call')
})

test.for(['2025-11-25', '2026-07-28'] as const)(
  'promise several clients: a call of a client of MCP %s that runs when the service is ended by a signal gets an answer',
  async (version) => {
    const folder = makeFolder({ 'toolblocks.toml': tool('wait', ['sleep', '60']) })
    const running = startToolblocks(folder, ['serve', '--http', '0', '--token-env', 'OUR_TOKEN'], {
      OUR_TOKEN: TOKEN,
    })
    const [, address = ''] = await running.said(/at (http:\S+)/)
    const server = await connectServer(
      {
        name: 'ours',
        transport: { kind: 'http', url: address, headers: AUTHORIZATION },
        protocolVersion: version,
      },
      {},
    )
    onTestFinished(async () => await server.close())
    const { signal } = new AbortController()
    const params = { name: 'wait', arguments: {} }
    const called = server.request('tools/call', params, { signal })
    // The call has arrived when a later request was answered.
    await server.request('tools/list', {}, { signal })
    const ended = running.end('SIGTERM')
    expect(await called).toMatchObject({ kind: 'result', result: { isError: true } })
    expect(await ended).toBe(0)
  },
)
