import { setTimeout as pause } from 'node:timers/promises'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { METHOD_NOT_FOUND, RpcError } from '../wire/message.ts'
import { openPeer } from '../wire/peer.ts'
import { argumentHeaders, STATELESS_VERSION } from '../wire/request-headers.ts'
import { META, TASKS } from '../wire/request-meta.ts'
import type { Connection } from './keep-connection.ts'
import {
  getCapabilities,
  CLIENT,
  type NewConnection,
  notUnderstood,
  readServer,
  initialize,
} from './initialize.ts'

/** Milliseconds between a stream's end and a new one; longer each time if they end soon. */
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 5 * 60 * 1000
/** Milliseconds after which a stream counts as lasting. */
const LASTING_MS = 60_000

/** The lists whose changes a server can announce: the name on a stream, the capability of the server, and the notification. */
const LISTS = {
  toolsListChanged: {
    capability: 'tools',
    changed: 'notifications/tools/list_changed',
    isOfTools: true,
  },
  promptsListChanged: {
    capability: 'prompts',
    changed: 'notifications/prompts/list_changed',
    isOfTools: false,
  },
  resourcesListChanged: {
    capability: 'resources',
    changed: 'notifications/resources/list_changed',
    isOfTools: false,
  },
} as const

/** Connects to a server of MCP 2026-07-28: every request carries the client's data. Rejects with a `McpServerError`. */
export async function openStateless(connection: NewConnection): Promise<Connection> {
  const { server, wire, asking, listener } = connection
  /** The lists of which the server has announced changes, as its streams name them. */
  const announced = new Set<string>()
  const peer = openPeer(wire, {
    ...listener,
    // In this version a server asks in results only.
    onRequest: async ({ method }) => {
      throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${method}`)
    },
    onNotification: (method, params) => {
      listener.onNotification(method, params)
      if (method !== 'notifications/subscriptions/acknowledged') return
      const { notifications } = params
      for (const [list, { changed }] of Object.entries(LISTS)) {
        if (!isJsonObject(notifications) || notifications[list] !== true) continue
        // Changes without an open stream were not announced.
        if (announced.has(list)) listener.onNotification(changed, {})
        announced.add(list)
      }
    },
  })
  const { extensions, ...declared } = getCapabilities(asking)
  const capabilities = {
    ...declared,
    extensions: { ...(isJsonObject(extensions) && extensions), [TASKS]: {} },
  }
  const envelope = {
    [`${META}/protocolVersion`]: STATELESS_VERSION,
    [`${META}/clientInfo`]: CLIENT,
    [`${META}/clientCapabilities`]: capabilities,
  }
  const inEnvelope = (params: JsonObject): JsonObject => {
    const { _meta: meta } = params
    const level = asking.hooks.logLevel?.()
    const asked = level === undefined ? {} : { [`${META}/logLevel`]: level }
    return { ...params, _meta: { ...asked, ...(isJsonObject(meta) && meta), ...envelope } }
  }
  const discover = { method: 'server/discover', params: inEnvelope({}) }
  const answer = await initialize(peer, discover, connection)
  const { supportedVersions, _meta: meta } = answer
  if (!Array.isArray(supportedVersions) || !supportedVersions.includes(STATELESS_VERSION))
    throw notUnderstood(server, `it speaks ${JSON.stringify(supportedVersions)}`)
  const described = readServer(answer, isJsonObject(meta) ? meta[`${META}/serverInfo`] : undefined)

  /** A server announces changes of its lists only on a stream that the client opened. If it refuses one, no other is opened. */
  async function listenForChanges(lists: readonly string[], ended: AbortSignal): Promise<void> {
    const notifications = Object.fromEntries(lists.map((list) => [list, true]))
    const params = inEnvelope({ notifications })
    let wait = FIRST_PAUSE_MS
    while (!ended.aborted) {
      const openedAt = performance.now()
      await peer.request('subscriptions/listen', params, { signal: ended })
      if (announced.size === 0) return
      wait =
        performance.now() - openedAt > LASTING_MS
          ? FIRST_PAUSE_MS
          : Math.min(wait * 2, MAX_PAUSE_MS)
      await pause(wait, undefined, { signal: ended, ref: false }).catch(() => undefined)
    }
  }

  const lists = Object.entries(LISTS).flatMap(([list, { capability, isOfTools }]) => {
    const offered = described.capabilities[capability]
    const isHeard = isOfTools || asking.hooks.onNotification !== undefined
    return isHeard && isJsonObject(offered) && offered['listChanged'] === true ? [list] : []
  })
  if (lists.length > 0) {
    const over = new AbortController()
    void peer.ended.then(() => over.abort())
    void listenForChanges(lists, over.signal)
  }
  return {
    protocolVersion: STATELESS_VERSION,
    ...described,
    request: (method, params, signal) => peer.request(method, inEnvelope(params), { signal }),
    notify: (method, params) => peer.notify(method, inEnvelope(params)),
    call: (params, { inputSchema }, { deadline: { signal } }) => {
      const { arguments: values } = params
      const headers = argumentHeaders(inputSchema, isJsonObject(values) ? values : {})
      return peer.request('tools/call', inEnvelope(params), { signal, headers })
    },
    ended: peer.ended,
    close: peer.close,
  }
}
