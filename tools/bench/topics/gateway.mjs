import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildCommand } from '../../../apps/reference-host/bundle/build-command.ts'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { compareTimes } from '../measure.mjs'

export const title = 'Calls through the gateway'
export const intro =
  'A call of an MCP server through `toolblocks serve --server`, with checked arguments, a pinned definition and a record in SQLite, beside two proxies of the official SDK: one of its client and ' +
  'server, which reads and checks each message, and one of its transports, which only passes messages on. Client, proxy and server are three processes (elapsed time).'

const SERVER = fileURLToPath(
  new URL('../../../packages/mcp-bridge/src/testing/odd-server.support.ts', import.meta.url),
)
const PROXIES = [
  { against: 'transports of the SDK', file: '../proxies/bare-proxy.mjs', beside: '' },
  {
    against: 'client and server of the SDK',
    file: '../proxies/sdk-proxy.mjs',
    beside: ', beside a proxy that reads messages',
  },
]
/** Calls of each process before it is measured, so that none is faster because it has run for longer. */
const EARLY_CALLS = 3000
const SIZES = [
  { what: 'a small result', values: { count: 1, bytes: 1 } },
  { what: '800 KB of images', values: { count: 10, bytes: 60_000 } },
]

const CAUSE =
  'a call of less than a millisecond consists of four messages between processes. The gateway adds 0.1 to 0.25 ms: it reads and checks both messages, checks the arguments and the result, and with a record encodes, chains and writes the events.'

async function connect(args, env = {}) {
  const client = new Client({ name: 'bench', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: { ...process.env, ...env },
    stderr: 'ignore',
  })
  await client.connect(transport)
  return client
}

export async function measure(pace) {
  const long = { ...pace, rounds: pace.rounds * 2, warmupMs: pace.warmupMs * 4 }
  const data = mkdtempSync(join(tmpdir(), 'toolblocks-gateway-'))
  const file = await buildCommand('bench-gateway')
  const served = `"${process.execPath}" "${SERVER}"`
  const own = { XDG_DATA_HOME: data, XDG_CONFIG_HOME: data, XDG_CACHE_HOME: data }
  const recorded = await connect([file, 'serve', '--server', served], own)
  const passed = await connect([file, 'serve', '--server', served, '--no-record'], own)
  const proxies = await Promise.all(
    PROXIES.map(async ({ file: proxy, ...about }) => ({
      ...about,
      client: await connect([
        fileURLToPath(new URL(proxy, import.meta.url)),
        process.execPath,
        SERVER,
      ]),
    })),
  )
  const call = (client, values) => async () => {
    const { isError } = await client.callTool({ name: 'images', arguments: values })
    if (isError) throw new Error('the call failed')
  }
  for (const client of [recorded, passed, ...proxies.map((proxy) => proxy.client)])
    for (let count = 0; count < EARLY_CALLS; count++) await call(client, SIZES[0].values)()
  const rows = []
  for (const { name, client } of [
    { name: 'with a record', client: recorded },
    { name: 'without a record', client: passed },
  ])
    for (const { what, values } of SIZES)
      for (const { against, beside, client: proxy } of proxies)
        rows.push(
          await compareTimes(long, {
            name: `${what}, ${name}${beside}`,
            clock: 'elapsed',
            ours: call(client, values),
            against,
            yardstick: call(proxy, values),
            target: { ratio: 1.3 },
            cause: CAUSE,
          }),
        )
  const proxied = proxies.map((proxy) => proxy.client)
  await Promise.all([recorded, passed, ...proxied].map(async (client) => await client.close()))
  rmSync(data, { recursive: true, force: true })
  return rows
}
