import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as sendRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import type { RunningHttpService } from '../serve-http.ts'
import type { ToolService } from '../server/tool-service.ts'
import { bearer, type Execute, serve, text } from './served.support.ts'
import { createSharedDocuments } from './shared-documents.support.ts'

/** A proxy that sends each request to the next of its targets, as a load balancer does. */
export interface Balancer {
  url: string
  /** Where requests go, in turn. */
  targets: string[]
  /** Cuts the connections that are open now. */
  cut(): void
  /** Accepts no connection any more, and cuts the open ones. */
  close(): void
}

/** Starts a proxy until the test ends. A target that refuses the connection is passed over. */
export async function startBalancer(...targets: string[]): Promise<Balancer> {
  let turn = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.once('end', () => pass(balancer.targets.length))

    function pass(left: number): void {
      const target = balancer.targets[turn % balancer.targets.length]
      turn += 1
      if (target === undefined || left === 0) return void response.writeHead(502).end()
      const { host } = new URL(target)
      const url = new URL(request.url ?? '/', target)
      const { method } = request
      const sent = sendRequest(url, { method, agent: false, headers: { ...request.headers, host } })
      sent.once('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        response.flushHeaders()
        answer.pipe(response)
        answer.once('error', () => response.destroy())
      })
      sent.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') pass(left - 1)
        else response.destroy()
      })
      response.once('close', () => sent.destroy())
      sent.end(Buffer.concat(chunks))
    }
  })
  const origin = await listen(server)
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  const balancer: Balancer = {
    url: `${origin}/mcp`,
    targets: targets.map((target) => new URL(target).origin),
    cut: () => server.closeAllConnections(),
    close,
  }
  return balancer
}

export const key = randomBytes(32)
export const token = 'the token of all replicas'

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'initialize',
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'x', version: '1' },
  },
}
export const callOf = (
  id: number,
  name = 'tool',
): { id: number; params: { name: string; arguments: object } } & Record<string, unknown> => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {} },
})

export interface Replicas {
  first: RunningHttpService
  second: RunningHttpService
  /** Takes the first one from the network and from the store. */
  isolate(): void
  /** Takes the first one from the store only: connections to it stay open, as with a process that is stopped. */
  stop(): void
}

/** Serves a tool twice. `execute` gets the name of the replica. */
export async function serveTwice(
  execute: (name: string) => Execute,
  service: (name: string) => Partial<ToolService> = () => ({}),
): Promise<Replicas> {
  const shared = createSharedDocuments()
  const options = { token, stateKey: key }
  const own = shared.open()
  const gate = await startBalancer()
  const first = await serve(execute('first'), service('first'), {
    ...options,
    replicas: { documents: own, key, deadAfterMs: 600, address: gate.url },
  })
  gate.targets.push(new URL(first.url).origin)
  const second = await serve(execute('second'), service('second'), {
    ...options,
    replicas: { documents: shared.open(), key, deadAfterMs: 600 },
  })
  return {
    first,
    second,
    stop: () => own.fail(),
    isolate: () => {
      own.fail()
      gate.close()
    },
  }
}

export async function send(
  served: Pick<RunningHttpService, 'url' | 'token'>,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return await fetch(served.url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      accept: body === undefined ? 'text/event-stream' : 'application/json, text/event-stream',
      ...bearer(served),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

export async function begin(
  served: Pick<RunningHttpService, 'url' | 'token'>,
): Promise<Record<string, string>> {
  const initialized = await send(served, INITIALIZE)
  expect(initialized.status).toBe(200)
  await initialized.text()
  const id = initialized.headers.get('mcp-session-id') ?? ''
  return { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' }
}

/** Reads events until one has this text, and returns what was read. */
export async function readUntil(response: Response, wanted: string): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let read = ''
  while (!read.includes(wanted)) {
    const next = await reader?.read()
    if (!next || next.done) break
    read += next.value
  }
  return read
}

export const named =
  (name: string): Execute =>
  async () =>
    text(`from ${name}`)

/** Listens until the test ends, and returns the origin. */
export async function listen(server: Server): Promise<string> {
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens at a port
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}
