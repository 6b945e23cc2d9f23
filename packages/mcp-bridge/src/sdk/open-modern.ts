/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK knows callbacks only */
import { Client, type Transport } from '@modelcontextprotocol/client'
import { isJsonObject } from '@toolblocks/protocol'
import type { Connection, Loss } from '../connection/connection.ts'
import type { Link } from '../connection/link.ts'
import { explainHello } from './explain-hello.ts'
import type { Hello } from './hello.ts'
import { readFailure } from './read-failure.ts'
import { rawOf, seeThrough } from './see-through.ts'

/** The only revision of the modern era so far. */
const MODERN_VERSION = '2026-07-28'
/** The longest time that Node's timers know; deadlines are the caller's. */
const NEVER_MS = 2 ** 31 - 1

/** Takes any result: what the SDK sees of one is ours. */
const ANYTHING = {
  '~standard': { version: 1, vendor: 'toolblocks', validate: (value: unknown) => ({ value }) },
} as const

/** Says hello to a server of the modern era through the SDK's second client, an optional peer. Rejects with a `McpServerError`. */
export async function openModern(
  server: string,
  link: Link,
  { face, listener, signal, helloMs }: Hello & { helloMs: number },
): Promise<Connection> {
  const { capabilities, ...clientInfo } = face
  const client = new Client(clientInfo, {
    capabilities,
    versionNegotiation: { mode: { pin: MODERN_VERSION }, probe: { timeoutMs: helloMs } },
  })
  const ended = Promise.withResolvers<Loss>()
  let loss: Loss | undefined
  client.onclose = () => {
    loss ??= link.explainEnd()
    ended.resolve(loss)
  }
  client.fallbackNotificationHandler = async ({ method, params }) =>
    listener.onNotification(method, isJsonObject(params) ? params : {})
  const transport = seeThrough(link, {
    onMessage: listener.onMessage,
    onCancelled: () => undefined,
    onVersion: () => undefined,
  })
  try {
    // The two SDKs name the same members of a transport with types of their own.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
    await client.connect(transport as unknown as Transport, { signal, timeout: NEVER_MS })
  } catch (error) {
    const failure = explainHello(server, error, {
      link,
      isAborted: signal.aborted,
      hasEnded: loss !== undefined,
    })
    await link.transport.close()
    throw failure
  }
  const info = client.getServerVersion()
  const instructions = client.getInstructions()
  return {
    era: 'modern',
    protocolVersion: MODERN_VERSION,
    capabilities: { ...client.getServerCapabilities() },
    ...(info && {
      info: {
        name: info.name,
        version: info.version,
        ...(info.title !== undefined && { title: info.title }),
      },
    }),
    ...(instructions !== undefined && { instructions }),
    request: async (method, params, ending) => {
      if (loss) return { kind: 'loss', loss: { ...loss, maybeExecuted: false } }
      if (ending.aborted) return { kind: 'aborted' }
      try {
        const answer = await client.request({ method, params: { ...params } }, ANYTHING, {
          signal: ending,
          timeout: NEVER_MS,
        })
        return { kind: 'result', result: rawOf(answer) }
      } catch (error) {
        return readFailure(error, { ended: loss, isAborted: ending.aborted })
      }
    },
    ended: ended.promise,
    close: async () => {
      loss ??= {
        kind: 'closed',
        reason: 'the connection was closed',
        maybeExecuted: true,
        transient: false,
      }
      await client.close()
    },
  }
}
