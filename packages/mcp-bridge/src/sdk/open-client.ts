/* oxlint-disable unicorn/prefer-add-event-listener -- the SDKs know callbacks only */
import type { JsonObject } from '@toolblocks/protocol'
import type { Connection, Loss, Reply } from '../connection/connection.ts'
import type { Ending } from '../connection/ending.ts'
import type { Link, SdkTransport } from '../connection/link.ts'
import type { ServerInfo } from '../mcp-server.ts'
import { explainHello } from './explain-hello.ts'
import { createOwnRequests } from './own-requests.ts'
import { readFailure } from './read-failure.ts'
import { rawOf, type Seen, seeThrough } from './see-through.ts'

/** The longest time that Node's timers know; deadlines are the caller's. */
const NEVER_MS = 2 ** 31 - 1

/** What the clients of both SDKs have in common. */
interface SdkClient {
  onclose?: (() => void) | undefined
  connect(transport: SdkTransport, options: SendOptions): Promise<void>
  getServerVersion(): { name: string; version: string; title?: string | undefined } | undefined
  getServerCapabilities(): object | undefined
  getInstructions(): string | undefined
  close(): Promise<void>
}

/** How a request is sent: nothing but the signal ends it. */
interface SendOptions {
  signal: AbortSignal
  timeout: number
}

/** Sends a request through an SDK, and reads what comes of it. */
type SendThrough = (
  ending: AbortSignal,
  send: (options: SendOptions) => Promise<unknown>,
) => Promise<Reply>

/** A client that has said hello, as all but its requests of a connection. */
export type OpenedClient = Omit<Connection, 'request' | 'call' | 'era' | 'protocolVersion'> & {
  send: SendThrough
  /** Sends a request past the client. */
  sendPast: (method: string, params: JsonObject, ending: Ending) => Promise<Reply>
}

/** Has a client of either SDK say hello over a link, past its schemas. Rejects with a `McpServerError`. */
export async function openClient(
  server: string,
  { client, link, signal }: { client: SdkClient; link: Link; signal: AbortSignal },
  seen: Omit<Seen, 'onHelloLoss' | 'onAnswer'> & { onEnd?: () => void },
): Promise<OpenedClient> {
  const ended = Promise.withResolvers<Loss>()
  let loss: Loss | undefined
  let helloLoss: Loss | undefined
  const own = createOwnRequests()
  client.onclose = () => {
    loss ??= link.explainEnd()
    seen.onEnd?.()
    own.end(loss)
    ended.resolve(loss)
  }
  const transport = seeThrough(link, {
    ...seen,
    onAnswer: own.settle,
    onHelloLoss: (why) => {
      helloLoss = why
    },
  })
  try {
    await client.connect(transport, { signal, timeout: NEVER_MS })
  } catch (error) {
    const failure = explainHello(server, error, {
      link,
      signal,
      hasEnded: loss !== undefined,
      loss: helloLoss,
    })
    await link.abandon()
    throw failure
  }
  const info = client.getServerVersion()
  const instructions = client.getInstructions()
  return {
    capabilities: { ...client.getServerCapabilities() },
    ...(info && { info: readInfo(info) }),
    ...(instructions !== undefined && { instructions }),
    ended: ended.promise,
    send: async (ending, send) => {
      if (loss) return { kind: 'loss', loss: { ...loss, maybeExecuted: false } }
      if (ending.aborted) return { kind: 'aborted' }
      try {
        return { kind: 'result', result: rawOf(await send({ signal: ending, timeout: NEVER_MS })) }
      } catch (error) {
        return readFailure(error, { ended: loss, isAborted: ending.aborted })
      }
    },
    sendPast: (method, params, ending) => {
      if (loss)
        return Promise.resolve({ kind: 'loss', loss: { ...loss, maybeExecuted: false } } as const)
      if (ending.hasEnded) return Promise.resolve({ kind: 'aborted' } as const)
      return own.send(transport, { method, params }, ending)
    },
    close: async () => {
      loss ??= CLOSED
      await link.leave()
      await client.close()
    },
  }
}

const CLOSED: Loss = {
  kind: 'closed',
  reason: 'the connection was closed',
  maybeExecuted: true,
  transient: false,
}

function readInfo({
  name,
  version,
  title,
}: NonNullable<ReturnType<SdkClient['getServerVersion']>>): ServerInfo {
  return { name, version, ...(title !== undefined && { title }) }
}
