/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK knows callbacks only */
import { Client } from '@modelcontextprotocol/client'
import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import type { Connection, Loss, Reply } from '../connection/connection.ts'
import type { Link } from '../connection/link.ts'
import { explainHello } from './explain-hello.ts'
import type { Hello } from './hello.ts'
import { listenForChanges } from './listen-for-changes.ts'
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
  // The SDK's own handler takes tokens of its own only.
  client.removeNotificationHandler('notifications/progress')
  client.fallbackNotificationHandler = async ({ method, params }) =>
    listener.onNotification(method, isJsonObject(params) ? params : {})
  let helloLoss: Loss | undefined
  const transport = seeThrough(link, {
    onMessage: listener.onMessage,
    onRequest: () => undefined,
    onCancelled: () => undefined,
    onVersion: () => undefined,
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
  const over = new AbortController()
  void ended.promise.then(() => over.abort())
  if (client.getServerCapabilities()?.tools?.listChanged === true)
    void listenForChanges(
      client,
      () => listener.onNotification('notifications/tools/list_changed', {}),
      over.signal,
    )
  const info = client.getServerVersion()
  const instructions = client.getInstructions()

  async function reply(
    ending: AbortSignal,
    send: (options: { signal: AbortSignal; timeout: number }) => Promise<unknown>,
  ): Promise<Reply> {
    if (loss) return { kind: 'loss', loss: { ...loss, maybeExecuted: false } }
    if (ending.aborted) return { kind: 'aborted' }
    try {
      return { kind: 'result', result: rawOf(await send({ signal: ending, timeout: NEVER_MS })) }
    } catch (error) {
      return readFailure(error, { ended: loss, isAborted: ending.aborted })
    }
  }

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
    request: async (method, params, ending) =>
      await reply(
        ending,
        async (options) =>
          await client.request({ method, params: { ...params } }, ANYTHING, options),
      ),
    call: async ({ name, ...params }, { inputSchema }, ending) => {
      const toolDefinition = {
        name: String(name),
        inputSchema: { type: 'object' as const, ...asObject(inputSchema) },
      }
      return await reply(
        ending,
        async (options) =>
          await client.callTool({ ...params, name: String(name) }, { ...options, toolDefinition }),
      )
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

function asObject(schema: unknown): JsonObject {
  return isJsonObject(schema) ? schema : {}
}
