import { setTimeout as pause } from 'node:timers/promises'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import type { FeatureRequest, ServedClient } from '../server/served-features.ts'
import {
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  NOT_ANSWERED,
  RpcError,
  SUBSCRIBE,
  UNSUBSCRIBE,
  UPDATED,
} from '../wire/message.ts'
import type { Reply } from '../wire/peer.ts'
import { STATELESS_VERSION } from '../wire/request-headers.ts'
import { type EqualUris, fromServerUri } from './equal-uris.ts'
import { type FeatureSource, passRequest } from './pass-request.ts'

/** The resources to which clients have subscribed. A server has one subscription for a resource, also if several clients have subscribed to it. */
export interface ResourceSubscriptions {
  /**
   * Subscribes a client at every server that offers it: servers accept resources that they do not have. Rejects with an `RpcError` if no server
   * accepts the subscription.
   */
  subscribe(
    servers: readonly FeatureSource[],
    request: FeatureRequest,
    client: ServedClient,
  ): Promise<JsonObject>
  /** Ends the subscription of a client, and that of the servers if no other client has it. */
  unsubscribe(request: FeatureRequest, client: ServedClient): Promise<JsonObject>
  /** Receives `notifications/subscriptions/acknowledged` of a server, by its name. */
  onAcknowledged(server: string, params: JsonObject): void
  /** Renews the subscriptions of a server, by its name, whose connection was lost. */
  onLost(server: string): void
  /** Whether there is a subscription. */
  areHeld(): boolean
}

/** What a client subscribes to. */
interface AskedResource {
  /** The URI that the client knows. */
  known: unknown
  /** With the URI that the server knows. */
  request: FeatureRequest
}

/** A subscription at one server. */
interface OpenSubscription {
  /** Settles when the server has answered, or does not answer. */
  end(): Promise<void>
}

/** The subscriptions for one resource. */
interface HeldSubscriptions {
  clients: Set<string>
  /** Aborts if all clients are gone before a server has answered. */
  opening: AbortController
  opened: Promise<readonly OpenSubscription[]>
}

/** Milliseconds in which a server acknowledges a stream (2026-07-28), or the end of a subscription (earlier versions). */
const MAX_ACKNOWLEDGE_MS = 10_000
/** Milliseconds until a subscription that was lost is made again: at first, and at most. */
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 30_000

/** Tracks subscriptions. `announce` tells all clients of a change that a server may have announced while its stream was closed. */
export function trackResourceSubscriptions(
  announce: (method: string, params: JsonObject) => void,
  equal: EqualUris,
): ResourceSubscriptions {
  const held = new Map<string, HeldSubscriptions>()
  /** The resources whose subscriptions are being ended. */
  const closing = new Map<string, Promise<void>>()
  /** What to do when a server acknowledges a stream, by its name and the resource. */
  const acknowledged = new Map<string, () => void>()
  /** What to do when the connection of a server was lost. */
  const renewals = new Map<() => void, string>()

  async function openAll(
    servers: readonly FeatureSource[],
    request: FeatureRequest,
    client: ServedClient,
  ): Promise<readonly OpenSubscription[]> {
    const { uri } = request.params
    const own = fromServerUri(uri)
    const named = servers.filter(({ name }) => name === own?.server)
    const having =
      named.length > 0 ? named : servers.filter(({ name }) => !equal.isRenamed(name, String(uri)))
    const offering = having.filter(({ capabilities: { resources } }) => canSubscribe(resources))
    const asked: AskedResource = {
      known: uri,
      request:
        own && named.length > 0
          ? { ...request, params: { ...request.params, uri: own.uri } }
          : request,
    }
    if (offering.length === 0) throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
    const answers = await Promise.allSettled(
      offering.map(async (server) =>
        server.protocolVersion === STATELESS_VERSION
          ? await openStream(server, asked)
          : await openAtServer(server, asked, client),
      ),
    )
    const opened = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const [refused] = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    if (opened.length === 0) throw refused
    return opened
  }

  /** A server of MCP 2026-07-28 announces changes on a stream. */
  async function openStream(
    server: FeatureSource,
    {
      known,
      request: {
        params: { uri },
        signal,
      },
    }: AskedResource,
  ): Promise<OpenSubscription> {
    const over = new AbortController()
    const listen = async (): ReturnType<FeatureSource['request']> =>
      await server.request(
        'subscriptions/listen',
        { notifications: { resourceSubscriptions: [uri] } },
        { signal: over.signal },
      )
    const key = getKey(server.name, uri)
    const { promise: isOpen, resolve: open } = Promise.withResolvers<void>()
    acknowledged.set(key, open)
    const first = listen()
    const late = AbortSignal.any([signal, AbortSignal.timeout(MAX_ACKNOWLEDGE_MS)])
    const end = (): void => {
      acknowledged.delete(key)
      over.abort()
    }
    if (late.aborted) end()
    late.addEventListener('abort', end, { once: true })
    const refusal = await Promise.race([isOpen, first])
    late.removeEventListener('abort', end)
    if (refusal) {
      end()
      throw refusal.kind === 'error'
        ? new RpcError(refusal.code, refusal.message, refusal.data)
        : late.aborted
          ? new RpcError(NOT_ANSWERED, 'The server has not acknowledged the subscription.')
          : new RpcError(INVALID_PARAMS, 'The server does not announce changes of this resource.')
    }
    acknowledged.set(key, () => announce(UPDATED, { uri: known }))
    // A stream is opened again whenever it has ended.
    void first.then(async () => await repeat(async () => void (await listen()), over.signal))
    return { end: async () => end() }
  }

  /** A server of an earlier version forgets a subscription when its connection ends. */
  async function openAtServer(
    server: FeatureSource,
    { known, request }: AskedResource,
    client: ServedClient,
  ): Promise<OpenSubscription> {
    const { uri } = request.params
    const over = new AbortController()
    const ask = async (method: string): Promise<Reply> =>
      await server.request(method, { uri }, { signal: over.signal })
    let isRenewing = false
    const renew = async (): Promise<void> => {
      if (isRenewing) return
      isRenewing = true
      const reply = await repeat(async () => {
        const answer = await ask(SUBSCRIBE)
        return answer.kind === 'loss' ? undefined : answer
      }, over.signal)
      isRenewing = false
      // A change in between would be unknown.
      if (reply?.kind === 'result') announce(UPDATED, { uri: known })
    }
    await passRequest(server, request, client)
    const onLost = (): void => void renew()
    renewals.set(onLost, server.name)
    return {
      end: async () => {
        renewals.delete(onLost)
        const late = setTimeout(() => over.abort(), MAX_ACKNOWLEDGE_MS).unref()
        // A server whose connection was lost has forgotten the subscription.
        if (!isRenewing) await ask(UNSUBSCRIBE)
        clearTimeout(late)
        over.abort()
      },
    }
  }

  function hold(uri: string, open: (signal: AbortSignal) => HeldSubscriptions['opened']) {
    const opening = new AbortController()
    // A server would take the end of the earlier subscription for the end of this one.
    const opened = Promise.resolve(closing.get(uri)).then(async () => await open(opening.signal))
    const entry: HeldSubscriptions = { clients: new Set(), opening, opened }
    held.set(uri, entry)
    opened.catch(() => {
      if (held.get(uri) === entry) held.delete(uri)
    })
    return entry
  }

  /** Removes a client from the subscriptions for a resource, and ends them if it was the last one. */
  async function leave(uri: string, entry: HeldSubscriptions, client: string): Promise<void> {
    if (!entry.clients.delete(client) || entry.clients.size > 0) return
    if (held.get(uri) === entry) held.delete(uri)
    const ended = entry.opened.then(
      async (all) => void (await Promise.all(all.map(async ({ end }) => await end()))),
      () => undefined,
    )
    closing.set(uri, ended)
    await ended
    if (closing.get(uri) === ended) closing.delete(uri)
  }

  return {
    subscribe: async (servers, request, client) => {
      const { uri } = request.params
      if (typeof uri !== 'string') throw new RpcError(INVALID_PARAMS, 'Expected a "uri".')
      const entry =
        held.get(uri) ??
        hold(uri, async (signal) => await openAll(servers, { ...request, signal }, client))
      entry.clients.add(client.id)
      const { signal } = request
      // The others still wait for it.
      const onGone = (): void => {
        if (entry.clients.size === 1) entry.opening.abort()
        void leave(uri, entry, client.id)
      }
      if (signal.aborted) onGone()
      signal.addEventListener('abort', onGone, { once: true })
      await entry.opened.finally(() => signal.removeEventListener('abort', onGone))
      return {}
    },
    unsubscribe: async ({ params: { uri } }, client) => {
      const entry = typeof uri === 'string' ? held.get(uri) : undefined
      if (entry) await leave(String(uri), entry, client.id)
      return {}
    },
    onAcknowledged: (server, { notifications }) => {
      const uris = isJsonObject(notifications) ? notifications['resourceSubscriptions'] : undefined
      for (const uri of Array.isArray(uris) ? uris : []) acknowledged.get(getKey(server, uri))?.()
    },
    onLost: (server) => {
      for (const [renew, name] of renewals) if (name === server) renew()
    },
    areHeld: () => held.size > 0,
  }
}

/** Does the work again, with growing pauses, until it returns something or the signal aborts. */
async function repeat<Value>(
  work: () => Promise<Value | undefined>,
  ended: AbortSignal,
): Promise<Value | undefined> {
  let wait = FIRST_PAUSE_MS
  while (!ended.aborted) {
    await pause(wait, undefined, { signal: ended, ref: false }).catch(() => undefined)
    const start = performance.now()
    const value = ended.aborted ? undefined : await work()
    if (value !== undefined) return value
    // A stream that was open for some time has worked.
    const hasWorked = performance.now() - start > MAX_PAUSE_MS
    wait = hasWorked ? FIRST_PAUSE_MS : Math.min(wait * 2, MAX_PAUSE_MS)
  }
  return undefined
}

function canSubscribe(resources: unknown): boolean {
  return isJsonObject(resources) && resources['subscribe'] === true
}

function getKey(server: string, uri: unknown): string {
  return JSON.stringify([server, uri])
}
