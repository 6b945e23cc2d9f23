import type { JsonObject } from '@toolblocks/protocol'
import { isJsonObject, parseJson } from '@toolblocks/protocol/json'
import { maskText } from './known-secrets.ts'
import { type Id, isId, isTooDense, readMessages, TOO_DENSE } from './message.ts'
import type { Hearing, Wire } from './peer.ts'

/**
 * A transport with the members of MCP's official SDKs for TypeScript, of version 1 or 2: one of theirs (in memory, WebSocket, …), or your own. It belongs to
 * one connection. A listener that it already has is called before those of the connection.
 */
export interface MessageTransport {
  /** Connects, and reads messages from then on. Called once, after the listeners are set. */
  start(): Promise<void>
  /** Sends a message. Rejects if it cannot be sent; then the request of the message is lost. */
  send(message: unknown, options?: TransportSendOptions): Promise<void>
  /** Ends the connection. */
  close(): Promise<void>
  /** Called by the transport when the connection has ended, for whatever reason. */
  onclose?: (() => void) | undefined
  /** Called by the transport for every error. The last one is quoted in the reason of a lost connection. */
  onerror?: ((error: Error) => void) | undefined
  /** Called by the transport with each message of the other side, as a value of JSON. */
  onmessage?: ((message: never, extra?: never) => void) | undefined
  /** Called with the version that a server has chosen in its answer to `initialize`. */
  setProtocolVersion?: ((version: string) => void) | undefined
}

/** What a transport may learn with a message. */
export interface TransportSendOptions {
  /** The request of the other side to which the message belongs. */
  relatedRequestId?: Id | undefined
  /** Headers of HTTP for this message. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Aborts when this side has cancelled the request. */
  requestSignal?: AbortSignal | undefined
  /** Called if the stream of the request has ended; without an answer before, there will be none. */
  onRequestStreamEnd?: (() => void) | undefined
}

/**
 * Creates a wire over a transport of somebody else. Its messages are read as if they had come as text, so both sides share no objects. `prepare` changes a
 * message before it is read.
 */
export function wireOverTransport(
  transport: MessageTransport,
  prepare: (message: unknown) => unknown = (message) => message,
): Wire {
  let hearing: Hearing | undefined
  let starting: Promise<void> | undefined
  let isEnded = false
  let lastError = ''
  /** The requests that have no answer yet. */
  const waiting = new Map<Id, AbortController>()
  let initializing: Id | undefined

  function end(reason: string): void {
    if (isEnded) return
    isEnded = true
    hearing?.onEnd({
      kind: 'lost',
      reason,
      ...(lastError !== '' && { serverText: lastError }),
      maybeExecuted: true,
      transient: true,
    })
  }

  function readMessage(given: unknown): void {
    if (isEnded) return
    const text = writeJson(given)
    if (text === undefined) return hearing?.onStray('a message that is not JSON')
    if (isTooDense(text)) {
      end(`it sent a message that ${TOO_DENSE}`)
      void transport.close().catch(() => undefined)
      return
    }
    const messages = readMessages(prepare(parseJson(text)))
    if (messages.length === 0) hearing?.onStray(maskText(text))
    for (const message of messages) {
      if (message.kind === 'response' || message.kind === 'error') waiting.delete(message.id)
      if (message.kind === 'response' && message.id === initializing) setVersion(message.result)
      hearing?.onMessage(message)
    }
  }

  function setVersion(result: unknown): void {
    const version = isJsonObject(result) ? result['protocolVersion'] : undefined
    if (typeof version === 'string') transport.setProtocolVersion?.(version)
  }

  function listen(): void {
    const { onmessage, onclose, onerror } = transport
    /* oxlint-disable unicorn/prefer-add-event-listener -- the SDK knows callbacks only */
    transport.onmessage = (message: never, extra?: never) => {
      onmessage?.(message, extra)
      readMessage(message)
    }
    transport.onclose = () => {
      onclose?.()
      end('its transport was closed')
    }
    transport.onerror = (error) => {
      onerror?.(error)
      lastError = maskText(error.message)
    }
    /* oxlint-enable unicorn/prefer-add-event-listener */
  }

  async function start(): Promise<void> {
    try {
      await transport.start()
    } catch (error) {
      lastError = maskText(error instanceof Error ? error.message : String(error))
      end('its transport could not be started')
    }
  }

  /** Returns what the transport gets with a request, so that each side can end it alone. */
  function prepareRequest(id: Id): TransportSendOptions {
    const controller = new AbortController()
    waiting.set(id, controller)
    const onRequestStreamEnd = (): void => {
      if (!waiting.delete(id)) return
      const reason = 'the stream of the request ended without an answer'
      hearing?.onLoss(id, { kind: 'lost', reason, maybeExecuted: true, transient: true })
    }
    return { requestSignal: controller.signal, onRequestStreamEnd }
  }

  function cancel({ params }: JsonObject): void {
    const id = isJsonObject(params) ? params['requestId'] : undefined
    if (!isId(id)) return
    waiting.get(id)?.abort()
    waiting.delete(id)
  }

  return {
    start: (given) => {
      hearing = given
      listen()
      starting = start()
    },
    send: async (message, { headers, relatedTo }) => {
      await starting
      if (isEnded) throw new Error('not connected: its transport was closed')
      const { id, method } = message
      const isRequest = method !== undefined && isId(id)
      if (method === 'initialize' && isId(id)) initializing = id
      await transport.send(message, {
        ...(isRequest && prepareRequest(id)),
        ...(relatedTo !== undefined && { relatedRequestId: relatedTo }),
        ...(headers && { headers }),
      })
      if (method === 'notifications/cancelled') cancel(message)
    },
    close: async () => {
      end('the connection was closed')
      await starting
      await transport.close().catch(() => undefined)
    },
  }
}

/** Returns a value as JSON; `undefined` if it cannot be written. */
function writeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
