import type { ServerResponse } from 'node:http'
import { type Id, type RpcMessage, SERVER_ERROR } from '../wire/message.ts'
import type { Hearing, Wire } from '../wire/peer.ts'
import { type EventStream, openEventStream } from './event-stream.ts'
import type { KeptStreams } from './kept-streams.ts'

/** The HTTP requests of one client, as one wire. */
export interface SessionWire extends Wire {
  /** Passes messages on, and answers on the response of their HTTP request. */
  take(messages: readonly RpcMessage[], exchange: WireExchange): void
  /** Sends messages that belong to no request of the client on this response, or continues a stream that was cut. */
  sayUnasked(response: ServerResponse, lastEventId?: string): Promise<void>
  saysUnasked(): boolean
  /** Whether a request with this id has no answer yet. */
  isOpen(id: Id): boolean
  /** Whether no request and no stream is open. */
  isIdle(): boolean
  /** Settles when no request is open. */
  settled(): Promise<void>
}

/** The response to messages. `isPrimed`: whether its client understands an event without a message. */
interface WireExchange {
  response: ServerResponse
  isPrimed: boolean
}

/** The requests of one HTTP request, and the stream of their answers. */
interface Answering {
  stream: EventStream
  unanswered: Set<Id>
}

const ENDED = {
  code: SERVER_ERROR,
  message: 'The session was ended before the request was answered. It may have been executed.',
}

/** `kept`: keeps the streams, so that a client can continue them after its connection was cut. */
export function wireOverSession(sessionId: string, kept?: KeptStreams): SessionWire {
  const headers = { 'mcp-session-id': sessionId }
  const open = new Map<Id, Answering>()
  const settling = new Set<() => void>()
  let unasked: EventStream | undefined
  let hearing: Hearing | undefined

  function openStream(
    { response, isPrimed: primed }: WireExchange,
    ids: readonly Id[],
    onGone: () => void,
  ): EventStream {
    if (kept) return kept.open(response, { ids, isPrimed: primed, onGone })
    // The answer cannot be sent in another way: without kept events, a client cannot resume a stream.
    response.once('close', onGone)
    return openEventStream(response, headers)
  }

  function close(id: Id): void {
    open.delete(id)
    if (open.size === 0) for (const settle of settling) settle()
  }

  return {
    start: (listener) => {
      hearing = listener
    },
    // A message that belongs to no request is lost if no stream is open for it.
    send: async (message, { relatedTo: id }) => {
      if (id === undefined) return await unasked?.send(message)
      const answering = open.get(id)
      if (!answering) throw new Error('the HTTP request is over')
      const { stream, unanswered } = answering
      const isAnswer = message['method'] === undefined
      if (isAnswer) unanswered.delete(id)
      const sent = stream.send(message)
      if (isAnswer) close(id)
      await sent
      if (unanswered.size === 0) stream.end()
    },
    close: async () => {
      // A client that waits learns that it waits in vain.
      for (const [id, { stream }] of open)
        await stream.send({ jsonrpc: '2.0', id, error: ENDED }).catch(() => undefined)
      for (const { stream } of open.values()) stream.end()
      if (kept) kept.close()
      else unasked?.end()
    },
    take: (messages, exchange) => {
      const ids = getIds(messages)
      const unanswered = new Set(ids)
      if (unanswered.size === 0) exchange.response.writeHead(202).end()
      else {
        const stream = openStream(exchange, ids, () => {
          for (const id of unanswered) {
            close(id)
            hearing?.onUnheard?.(id)
          }
        })
        for (const id of unanswered) open.set(id, { stream, unanswered })
      }
      for (const message of messages) hearing?.onMessage(message)
    },
    sayUnasked: async (response, lastEventId) => {
      if (lastEventId !== undefined && kept) {
        const resumed = await kept.resume(lastEventId, response)
        if (resumed === 'resumed' || response.destroyed) return
      }
      const stream = openStream({ response, isPrimed: kept !== undefined }, [], () => {
        if (unasked === stream) unasked = undefined
      })
      unasked = stream
    },
    saysUnasked: () => unasked !== undefined,
    isOpen: (id) => open.has(id),
    isIdle: () => open.size === 0 && unasked === undefined,
    settled: async () => {
      if (open.size === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      settling.add(resolve)
      await promise
      settling.delete(resolve)
    },
  }
}

/** The ids of the requests among messages. */
export function getIds(messages: readonly RpcMessage[]): readonly Id[] {
  return messages.flatMap((message) => (message.kind === 'request' ? [message.id] : []))
}
