import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, request as sendRequest } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  Client as LaterClient,
  StreamableHTTPClientTransport as LaterTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { serveHttp } from '@toolblocks/mcp-bridge/server'
import { createSuccessResult } from '@toolblocks/protocol'
import { findFreePorts, getPort } from './free-ports.ts'

/** What became of the calls of clients of a service whose replicas are ended again and again. */
export interface AttackedReplicas {
  /** Calls with the result of their own execution. */
  answered: number
  /** Calls whose answer says that they may have been executed. */
  uncertain: number
  /** Calls whose answer says that they were not executed. */
  unexecuted: number
  /** Those of them that were executed. */
  lies: number
  /** Calls that were answered with another error, by its text. */
  refused: Record<string, number>
  /** Calls whose connection ended without an answer. */
  cut: number
  /** Calls that were executed more than once. */
  twice: number
  /** Calls that were answered with a result, and not executed. */
  invented: number
  /** Calls that were answered with the text of another one. */
  foreign: number
  /** Sessions that a replica did not know. */
  lostSessions: number
  killed: number
  stopped: number
  /** Replicas that were asked to end, and ended with another exit code than 0: the code, and what they wrote. */
  badExits: readonly string[]
  /** The most megabytes of memory of a replica. */
  megabytes: number
}

/** How long, how many, and how often. */
export interface Attack {
  replicas: number
  clients: number
  seconds: number
  /** Seconds between two ends of a replica. */
  everySeconds: number
  /** Returns numbers from 0 to 1. */
  random: () => number
}

const TOKEN = 'the-token-of-all-clients'
const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` }
/** Milliseconds of a call at the server. */
const LONGEST_CALL_MS = 300
/** Calls of all clients together in a second. */
const CALLS_A_SECOND = 30
/** Milliseconds after which a client does not wait any longer. */
const TIMEOUT_MS = 60_000

/**
 * Has clients of both versions of MCP call a tool through a proxy without affinity, while replicas are killed or asked to end in turn, and connections are cut. `command`: the file
 * of the command; `storeUrl`: an empty database.
 */
export async function attackReplicas(
  command: string,
  storeUrl: string,
  { replicas, clients, seconds, everySeconds, random }: Attack,
): Promise<AttackedReplicas> {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-replicas-'))
  const executed = new Map<string, number>()
  const behind = await serveHttp(
    {
      name: 'behind',
      version: '1',
      root: '/',
      definitions: () => [
        { name: 'mark', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } },
      ],
      callTool: async (call) => {
        const text = String(call.arguments['text'])
        executed.set(text, (executed.get(text) ?? 0) + 1)
        await pause(random() * LONGEST_CALL_MS)
        return createSuccessResult([{ type: 'text', text: `marked ${text}` }])
      },
    },
    { port: 0, token: TOKEN, maxSessions: 100_000, maxRunning: 1000 },
  )
  writeFileSync(
    join(folder, 'toolblocks.toml'),
    `[store]
url = ${JSON.stringify(storeUrl)}

[mcp.servers.behind]
url = ${JSON.stringify(behind.url)}
headers = { Authorization = "Bearer ${TOKEN}" }
run = "unattended"
`,
  )
  const ports = await findFreePorts(replicas)
  const running: (Replica | undefined)[] = await Promise.all(
    ports.map(async (port) => await startReplica(command, folder, port)),
  )
  const proxy = await startProxy(ports)
  const counts = {
    answered: 0,
    uncertain: 0,
    unexecuted: 0,
    refused: {} as Record<string, number>,
    cut: 0,
    foreign: 0,
    lostSessions: 0,
    killed: 0,
    stopped: 0,
    badExits: [] as string[],
    megabytes: 0,
  }
  const answered = new Set<string>()
  const unexecuted = new Set<string>()
  const until = Date.now() + seconds * 1000

  async function callAgain(name: string, client: AnyClient): Promise<void> {
    for (let number = 1; Date.now() < until; number += 1) {
      await pause((random() * 2000 * clients) / CALLS_A_SECOND)
      const text = `${name}-${number}`
      try {
        const result = await client.call(text)
        const output = JSON.stringify(result)
        if (output.includes(`marked ${text}"`)) {
          counts.answered += 1
          answered.add(text)
        } else if (output.includes('marked ')) counts.foreign += 1
        else if (/may have been executed/.test(output)) counts.uncertain += 1
        else count(counts.refused, output)
      } catch (error) {
        const output = error instanceof Error ? error.message : String(error)
        if (/may have been executed/i.test(output)) counts.uncertain += 1
        else if (/It was not executed/.test(output)) {
          counts.unexecuted += 1
          unexecuted.add(text)
        } else if (/session not found|404/i.test(output)) counts.lostSessions += 1
        else if (/fetch failed|terminated|ECONNRESET|socket|502/i.test(output)) counts.cut += 1
        else count(counts.refused, output)
      }
    }
  }

  async function attack(): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      await pause(Math.min(everySeconds * 1000, Math.max(0, until - Date.now())))
      if (Date.now() >= until) return
      const index = turn % ports.length
      const port = ports[index] ?? 0
      const replica = running[index]
      counts.megabytes = Math.max(counts.megabytes, ...running.map(readMegabytes))
      if (turn % 2 === 0) {
        counts.killed += 1
        replica?.child.kill('SIGKILL')
        await replica?.ended
      } else {
        counts.stopped += 1
        replica?.child.kill('SIGTERM')
        const code = await replica?.ended
        if (code !== 0) counts.badExits.push(`${code}: ${replica?.read()}`)
      }
      proxy.cut(random)
      running[index] = await startReplica(command, folder, port)
    }
  }

  const connected: AnyClient[] = []
  try {
    for (let number = 0; number < clients; number += 1)
      connected.push(
        number % 2 === 0
          ? await connectSession(`c${number}`, proxy.url)
          : await connectLater(`c${number}`, proxy.url),
      )
    await Promise.all([
      attack(),
      ...connected.map(async (client, number) => await callAgain(`c${number}`, client)),
    ])
  } finally {
    await Promise.all(connected.map(async (client) => await client.close().catch(() => undefined)))
    proxy.close()
    for (const replica of running) replica?.child.kill('SIGTERM')
    await Promise.all(running.map(async (replica) => await replica?.ended))
    await behind.close({ graceMs: 0 })
    rmSync(folder, { recursive: true, force: true })
  }
  const all = [...executed.values()]
  return {
    ...counts,
    lies: [...unexecuted].filter((text) => executed.has(text)).length,
    twice: all.filter((times) => times > 1).length,
    invented: [...answered].filter((text) => !executed.has(text)).length,
  }
}

function count(by: Record<string, number>, text: string): void {
  const key = text.replaceAll(/c\d+-\d+/g, 'MARK').slice(0, 200)
  by[key] = (by[key] ?? 0) + 1
}

/** A client of any version. */
interface AnyClient {
  call(text: string): Promise<unknown>
  close(): Promise<void>
}

async function connectSession(name: string, url: URL): Promise<AnyClient> {
  const client = new Client({ name, version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: AUTHORIZATION } }),
  )
  return {
    call: async (text) =>
      await client.callTool({ name: 'behind__mark', arguments: { text } }, undefined, {
        timeout: TIMEOUT_MS,
      }),
    close: async () => await client.close(),
  }
}

async function connectLater(name: string, url: URL): Promise<AnyClient> {
  const client = new LaterClient(
    { name, version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  await client.connect(new LaterTransport(url, { requestInit: { headers: AUTHORIZATION } }))
  return {
    call: async (text) =>
      await client.callTool({ name: 'behind__mark', arguments: { text } }, { timeout: TIMEOUT_MS }),
    close: async () => await client.close(),
  }
}

interface Replica {
  child: ChildProcess
  /** The exit code. */
  ended: Promise<number | null>
  /** Returns what it has written last. */
  read(): string
}

async function startReplica(command: string, folder: string, port: number): Promise<Replica> {
  const args = ['serve', '--http', String(port), '--token-env', 'OUR_TOKEN', '--no-park']
  const child = spawn(
    process.execPath,
    [command, ...args, '--replica-address', `http://127.0.0.1:${port}`, '--drain', '10'],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        OUR_TOKEN: TOKEN,
        TOOLBLOCKS_TRUST: '1',
        XDG_CONFIG_HOME: join(folder, 'config'),
        XDG_DATA_HOME: join(folder, 'data'),
        XDG_CACHE_HOME: join(folder, 'cache'),
      },
    },
  )
  const ended = new Promise<number | null>((done) => child.once('close', done))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let output = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-5000)
    if (output.includes('Serving ')) resolve()
  })
  void ended.then((code) => reject(new Error(`a replica ended with ${code}: ${output}`)))
  await promise
  return { child, ended, read: () => output }
}

function readMegabytes(replica: Replica | undefined): number {
  if (replica?.child.pid === undefined) return 0
  try {
    const [, kilobytes = '0'] =
      /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${replica.child.pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kilobytes) / 1024)
  } catch {
    return 0
  }
}

/** A proxy without affinity. */
interface Proxy {
  url: URL
  /** Cuts some of the connections of clients. */
  cut(random: () => number): void
  close(): void
}

/** Sends each request to the next port. A port that refuses the connection is passed over. */
export async function startProxy(ports: readonly number[]): Promise<Proxy> {
  let turn = 0
  const sockets = new Set<Socket>()
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    turn += 1
    const first = turn
    request.once('end', () => send(ports.length))

    function send(left: number): void {
      const port = ports[(first + left) % ports.length]
      if (left === 0) return void response.writeHead(502).end()
      const { url: path, method, headers } = request
      const host = `127.0.0.1:${port}`
      const passed = sendRequest({
        hostname: '127.0.0.1',
        port,
        path,
        method,
        agent: false,
        headers: { ...headers, host },
      })
      passed.once('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        response.flushHeaders()
        answer.pipe(response)
        answer.once('error', () => response.destroy())
      })
      passed.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') send(left - 1)
        else response.destroy()
      })
      response.once('close', () => passed.destroy())
      passed.end(Buffer.concat(chunks))
    }
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: new URL('/mcp', `http://127.0.0.1:${getPort(server.address())}`),
    cut: (random) => {
      for (const socket of sockets) if (random() < 0.1) socket.destroy()
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
