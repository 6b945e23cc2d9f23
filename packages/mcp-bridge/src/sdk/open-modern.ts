import { Client } from '@modelcontextprotocol/client'
import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import type { Connection } from '../connection/connection.ts'
import { signalOf } from '../connection/ending.ts'
import type { Link } from '../connection/link.ts'
import type { Hello } from './hello.ts'
import { listenForChanges } from './listen-for-changes.ts'
import { openClient } from './open-client.ts'

/** The only revision of the modern era so far. */
const MODERN_VERSION = '2026-07-28'

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
  // The SDK's own handler takes tokens of its own only.
  client.removeNotificationHandler('notifications/progress')
  client.fallbackNotificationHandler = async ({ method, params }) =>
    listener.onNotification(method, isJsonObject(params) ? params : {})
  const over = new AbortController()
  const { send, ...opened } = await openClient(
    server,
    { client, link, signal },
    {
      onMessage: listener.onMessage,
      // In this era a server asks in results only.
      onRequest: () => undefined,
      onCancelled: () => undefined,
      onVersion: () => undefined,
      onEnd: () => over.abort(),
    },
  )
  if (client.getServerCapabilities()?.tools?.listChanged === true)
    void listenForChanges(
      client,
      () => listener.onNotification('notifications/tools/list_changed', {}),
      over.signal,
    )
  return {
    ...opened,
    era: 'modern',
    protocolVersion: MODERN_VERSION,
    request: async (method, params, ending) =>
      await send(
        ending,
        async (options) =>
          await client.request({ method, params: { ...params } }, ANYTHING, options),
      ),
    call: async ({ name, ...params }, { inputSchema }, ending) => {
      const toolDefinition = {
        name: String(name),
        inputSchema: { type: 'object' as const, ...asObject(inputSchema) },
      }
      return await send(
        signalOf(ending),
        async (options) =>
          await client.callTool({ ...params, name: String(name) }, { ...options, toolDefinition }),
      )
    },
  }
}

function asObject(schema: unknown): JsonObject {
  return isJsonObject(schema) ? schema : {}
}
