import { setTimeout as pause } from 'node:timers/promises'
import { type JsonObject } from '@toolblocks/protocol'
import { isJsonObject } from '@toolblocks/protocol/json'
import { METHOD_NOT_FOUND, RpcError } from '../wire/message.ts'
import { openPeer } from '../wire/peer.ts'
import { argumentHeaders, STATELESS_VERSION } from '../wire/request-headers.ts'
import type { Connection } from './keep-connection.ts'
import {
  getCapabilities,
  CLIENT,
  type NewConnection,
  notUnderstood,
  readServer,
  initialize,
} from './initialize.ts'

const META = 'io.modelcontextprotocol'

/** Milliseconds between a stream's end and a new one; longer each time if they end soon. */
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 5 * 60 * 1000
/** Milliseconds after which a stream counts as lasting. */
const LASTING_MS = 60_000

/** Connects to a server of MCP 2026-07-28: every request carries the client's data. Rejects with a `McpServerError`. */
export async function openStateless(connection: NewConnection): Promise<Connection> {
  const { server, wire, asking, listener } = connection
  let acknowledged = 0
  const peer = openPeer(wire, {
    ...listener,
    // In this version a server asks in results only.
    onRequest: async ({ method }) => {
      throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${method}`)
    },
    onNotification: (method, params) => {
      listener.onNotification(method, params)
      if (method !== 'notifications/subscriptions/acknowledged') return
      acknowledged += 1
      // Changes without an open stream were not announced.
      if (acknowledged > 1) listener.onNotification('notifications/tools/list_changed', {})
    },
  })
  const capabilities = { ...getCapabilities(asking), extensions: { [`${META}/tasks`]: {} } }
  const envelope = {
    [`${META}/protocolVersion`]: STATELESS_VERSION,
    [`${META}/clientInfo`]: CLIENT,
    [`${META}/clientCapabilities`]: capabilities,
  }
  const inEnvelope = (params: JsonObject): JsonObject => {
    const { _meta: meta } = params
    return { ...params, _meta: { ...(isJsonObject(meta) && meta), ...envelope } }
  }
  const discover = { method: 'server/discover', params: inEnvelope({}) }
  const answer = await initialize(peer, discover, connection)
  const { supportedVersions, _meta: meta } = answer
  if (!Array.isArray(supportedVersions) || !supportedVersions.includes(STATELESS_VERSION))
    throw notUnderstood(server, `it speaks ${JSON.stringify(supportedVersions)}`)
  const said = readServer(answer, isJsonObject(meta) ? meta[`${META}/serverInfo`] : undefined)

  /** A server announces changes of its tools only on a stream that the client opened. If it refuses one, no other is opened. */
  async function listenForChanges(ended: AbortSignal): Promise<void> {
    const params = inEnvelope({ notifications: { toolsListChanged: true } })
    let wait = FIRST_PAUSE_MS
    while (!ended.aborted) {
      const openedAt = performance.now()
      await peer.request('subscriptions/listen', params, { signal: ended })
      if (acknowledged === 0) return
      wait =
        performance.now() - openedAt > LASTING_MS
          ? FIRST_PAUSE_MS
          : Math.min(wait * 2, MAX_PAUSE_MS)
      await pause(wait, undefined, { signal: ended, ref: false }).catch(() => undefined)
    }
  }

  const { tools } = said.capabilities
  if (isJsonObject(tools) && tools['listChanged'] === true) {
    const over = new AbortController()
    void peer.ended.then(() => over.abort())
    void listenForChanges(over.signal)
  }
  return {
    protocolVersion: STATELESS_VERSION,
    ...said,
    request: (method, params, signal) => peer.request(method, inEnvelope(params), { signal }),
    call: (params, { inputSchema }, { deadline: { signal } }) => {
      const { arguments: given } = params
      const headers = argumentHeaders(inputSchema, isJsonObject(given) ? given : {})
      return peer.request('tools/call', inEnvelope(params), { signal, headers })
    },
    ended: peer.ended,
    close: peer.close,
  }
}
