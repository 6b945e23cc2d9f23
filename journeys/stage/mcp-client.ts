import {
  Client as StatelessClient,
  StreamableHTTPClientTransport as StatelessTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { expect, inject, onTestFinished, vi } from 'vitest'
import { startToolblocks } from './command.ts'

/** The answer of a client's person to a form. */
export type AnswerForm = (request: { message: string; requestedSchema?: unknown }) => ElicitResult

/** Connects the client of the MCP project to `toolblocks serve`. With `answer` it can show forms to its person. It is closed when the test ends. */
export async function connectClient(
  folder: string,
  args: readonly string[] = ['serve'],
  answer?: AnswerForm,
  environment: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const capabilities = answer ? { elicitation: {} } : {}
  const client = new Client({ name: 'journey', version: '1.0.0' }, { capabilities })
  if (answer)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) =>
      answer('requestedSchema' in params ? params : { message: params.message }),
    )
  const entry = {
    command: process.execPath,
    args: [inject('command'), ...args, ...waitLong(args)],
  }
  return await start(client, entry, { folder, environment })
}

/** Connects it to the command in an entry of an MCP host, started in the host's folder. `name`: what the client calls itself. */
export async function connectEntry(
  { env = {}, ...entry }: { command: string; args: string[]; env?: Record<string, string> },
  folder: string,
  name = 'journey',
): Promise<Client> {
  const client = new Client({ name, version: '1.0.0' }, { capabilities: {} })
  const args = [...entry.args, ...waitLong(entry.args)]
  return await start(client, { ...entry, args }, { folder, environment: env })
}

/** Kills the server of a client over standard streams, as a machine that loses power would. */
export async function killServer(client: Client): Promise<void> {
  const { transport } = client
  if (!(transport instanceof StdioClientTransport) || transport.pid === null)
    throw new TypeError('the client has started no server')
  const { pid } = transport
  process.kill(pid, 'SIGKILL')
  // Its parent has noticed its end.
  await vi.waitFor(() => expect(transport.pid).toBeNull(), { timeout: 50_000 })
}

/** A busy machine starts servers late, and a test reads the list of tools once. */
function waitLong(args: readonly string[]): readonly string[] {
  return args.includes('serve') && !args.includes('--start-wait') ? ['--start-wait', '30'] : []
}

/** A `toolblocks serve --http`, and what a client sends to reach it. */
export interface Served {
  url: URL
  headers: { authorization: string }
}

/** Starts `toolblocks serve` over HTTP on a free port. It is ended with the test. */
export async function serveOverHttp(folder: string, args: readonly string[]): Promise<Served> {
  return (await startOverHttp(folder, args)).served
}

/** Does the same, and returns the running command too. */
export async function startOverHttp(
  folder: string,
  args: readonly string[],
): Promise<{ served: Served; running: ReturnType<typeof startToolblocks> }> {
  const running = startToolblocks(folder, [
    'serve',
    '--http',
    '0',
    ...args,
    ...waitLong(['serve', ...args]),
  ])
  const [, url = ''] = await running.said(/at (http:\S+)/)
  const [, token = ''] = await running.said(/Bearer (\S+)/)
  const served = { url: new URL(url), headers: { authorization: `Bearer ${token}` } }
  return { served, running }
}

/** Connects the client of the MCP project with a session. It is closed when the test ends. */
export async function connectOverHttp({ url, headers }: Served): Promise<Client> {
  const client = new Client({ name: 'journey', version: '1.0.0' }, { capabilities: {} })
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  onTestFinished(async () => await client.close())
  return client
}

/** Connects the client of the MCP project that speaks MCP 2026-07-28, which has no sessions. It is closed when the test ends. */
export async function connectStateless({ url, headers }: Served): Promise<StatelessClient> {
  const client = new StatelessClient(
    { name: 'journey', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  await client.connect(new StatelessTransport(url, { requestInit: { headers } }))
  onTestFinished(async () => await client.close())
  return client
}

async function start(
  client: Client,
  entry: { command: string; args: string[] },
  { folder, environment }: { folder: string; environment: Readonly<Record<string, string>> },
): Promise<Client> {
  const transport = new StdioClientTransport({
    ...entry,
    cwd: folder,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing in it is undefined
    env: { ...process.env, ...environment } as Record<string, string>,
    stderr: 'ignore',
  })
  await client.connect(transport)
  onTestFinished(async () => await client.close())
  return client
}
