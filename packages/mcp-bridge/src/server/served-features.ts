import type { JsonObject } from '@toolblocks/protocol'
import type { ClientIdentity } from '../identity/client-identity.ts'
import { INTERNAL_ERROR, RpcError, SUBSCRIBE, UNSUBSCRIBE, UPDATED } from '../wire/message.ts'
import type { Reply } from '../wire/peer.ts'

/** The client of one request, or of a session. */
export interface ServedClient {
  /** The same for all requests of a session; another one for each request of MCP 2026-07-28, which has no sessions. */
  readonly id: string
  /** The version of MCP that the client speaks, such as `2025-11-25`. */
  readonly protocolVersion: string
  /** What the client declares, as MCP writes it. */
  readonly capabilities: JsonObject
  /** What the client says of itself, such as its name and version: unverified. */
  readonly info?: JsonObject
  /** Who the client is, as far as it is proved: the digest of its credentials. Empty over standard streams, which have one client. */
  readonly identity: string
  /** Who the client is, if `authenticate` of `serveHttp` has checked it. */
  readonly identified?: ClientIdentity
  /** Its IP address, as far as trusted proxies name it. Absent: unknown, or over standard streams. */
  readonly address?: string
  /** Sends a request to the client, such as `sampling/createMessage`. Never rejects. */
  request(method: string, params: JsonObject, signal: AbortSignal): Promise<Reply>
  /** Sends a notification. It is lost if the client cannot be reached. */
  notify(method: string, params: JsonObject): void
  /**
   * Marks that a call begins, before anything is sent or started for it, so that no other replica executes it. Rejects with an `RpcError` if one does. Absent: no other one can.
   */
  beginCall?(): Promise<void>
  /** Whether a request or a stream of its session is open. Absent: it is connected, or has no session. */
  isConnected?(): boolean
  /** Says that a call will take long: the client follows it as a task from now on, or already does. Absent: the client waits for the result. */
  continueAsTask?(): void
}

/**
 * Identifies a client without a session, for what belongs to it: by who it is, and then by its name, which is no proof. Clients that use the same
 * credentials under the same name count as one.
 */
export function identifyClient({
  identity,
  info,
}: Pick<ServedClient, 'identity' | 'info'>): string {
  return JSON.stringify([identity, info?.['name']])
}

/** A request of a client, of a method that does not concern tools. */
export interface FeatureRequest {
  /** Such as `prompts/get`. */
  method: string
  /** Unchanged. */
  params: JsonObject
  /** Aborts when the client cancels the request or is gone. */
  signal: AbortSignal
}

/**
 * What a service offers besides tools: prompts, resources, completions, log messages, and everything that later versions of MCP add. Requests,
 * results and notifications are MCP's own, unchanged.
 */
export interface ServedFeatures {
  /** Returns the capabilities of the server besides `tools`, as MCP writes them. */
  capabilities(): JsonObject
  /** Answers a request. Rejects with an error whose `code` is one of JSON-RPC to send it to the client. */
  answer(request: FeatureRequest, client: ServedClient): Promise<JsonObject>
  /** Receives a notification of a client, such as `notifications/roots/list_changed`. */
  onClientNotification?(method: string, params: JsonObject): void
  /** Calls the listener with each notification of the server, for a client, until the returned function is called. */
  watch(listener: (method: string, params: JsonObject) => void, client: ServedClient): () => void
}

/** The maximum number of resources that one session, or one stream, has subscribed to. */
export const MAX_SUBSCRIPTIONS = 1000

/** The resources that one client has subscribed to. */
export interface Subscriptions {
  /** Throws an `RpcError` if a request would exceed the maximum. */
  check(request: Pick<FeatureRequest, 'method'>): void
  /** Remembers what a request that was answered subscribes to or unsubscribes from. */
  note(request: Pick<FeatureRequest, 'method' | 'params'>): void
  /** Whether a notification of the server is for this client. */
  concerns(method: string, params: JsonObject): boolean
  /** Returns the subscribed URIs. */
  list(): readonly string[]
  /** Returns the subscribed URIs, and forgets them. */
  clear(): readonly string[]
}

/** Tracks the subscriptions of one client. */
export function trackSubscriptions(): Subscriptions {
  const uris = new Set<string>()
  return {
    check: ({ method }) => {
      if (method === SUBSCRIBE && uris.size >= MAX_SUBSCRIPTIONS)
        throw new RpcError(
          INTERNAL_ERROR,
          `The maximum of ${MAX_SUBSCRIPTIONS} subscriptions is reached.`,
        )
    },
    note: ({ method, params: { uri } }) => {
      if (typeof uri !== 'string') return
      if (method === SUBSCRIBE) uris.add(uri)
      if (method === UNSUBSCRIBE) uris.delete(uri)
    },
    concerns: (method, { uri }) => method !== UPDATED || (typeof uri === 'string' && uris.has(uri)),
    list: () => [...uris],
    clear: () => {
      const all = [...uris]
      uris.clear()
      return all
    },
  }
}

/** Ends subscriptions of a client that is gone. Failures have no effect: the server may be gone, too. */
export function unsubscribe(
  features: ServedFeatures,
  uris: readonly string[],
  client: ServedClient,
): void {
  const { signal } = new AbortController()
  for (const uri of uris)
    features.answer({ method: UNSUBSCRIBE, params: { uri }, signal }, client).catch(() => undefined)
}
