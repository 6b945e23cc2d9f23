import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { parseJson, getErrorText } from '@toolblocks/protocol/internal'
import { maskText } from './known-secrets.ts'
import { type Id, INVALID_REQUEST, isId, isTooDense, readMessages, TOO_DENSE } from './message.ts'
import type { Hearing, Loss, Wire } from './peer.ts'

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
interface TransportSendOptions {
  /** The request of the other side to which the message belongs. */
  relatedRequestId?: Id | undefined
  /** Headers of HTTP for this message. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Aborts when this side has cancelled the request. */
  requestSignal?: AbortSignal | undefined
  /** Called if the stream of the request has ended; without an answer before, there will be none. */
  onRequestStreamEnd?: (() => void) | undefined
}

/** Milliseconds in which a transport has to close. */
const CLOSE_MS = 2000

/** The transports that carry a connection, or have carried one. */
const used = new WeakSet<MessageTransport>()

/** Whether a transport carries a connection or has carried one: then its messages would reach both. */
export function isUsed(transport: MessageTransport): boolean {
  return used.has(transport)
}

/**
 * Creates a wire over a transport of somebody else, which must not be used yet. Its messages are read as if they had come as text, so both sides share no objects. `prepare` changes a
 * message before it is read.
 */
export function wireOverTransport(
  transport: MessageTransport,
  prepare: (message: unknown) => unknown = (message) => message,
): Wire {
  used.add(transport)
  let hearing: Hearing | undefined
  let starting: Promise<void> | undefined
  let isEnded = false
  let lastError = ''
  /** The requests that have no answer yet. */
  const waiting = new Map<Id, AbortController>()
  let initializing: Id | undefined

  function noteError(error: unknown): void {
    lastError = maskText(getErrorText(error))
  }

  /** Calls a function of the transport or its owner. Its error must not end the reading of messages. */
  function notify(call: () => void): void {
    try {
      call()
    } catch (error) {
      noteError(error)
    }
  }

  function end(reason: string, kind: Loss['kind'] = 'lost'): void {
    if (isEnded) return
    isEnded = true
    hearing?.onEnd({
      kind,
      reason,
      ...(lastError !== '' && { serverText: lastError }),
      maybeExecuted: true,
      transient: true,
    })
  }

  function readMessage(rawMessage: unknown): void {
    if (isEnded) return
    const text = writeJson(rawMessage)
    if (text === undefined) return refuseMessage(rawMessage)
    if (isTooDense(text)) {
      end(`it sent a message that ${TOO_DENSE}`)
      void close()
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

  /** Ends the request of an answer that cannot be written as JSON, and refuses such a request. */
  function refuseMessage(rawMessage: unknown): void {
    const id = readField(rawMessage, 'id')
    if (!isId(id)) return hearing?.onStray('a message that is not JSON')
    const reason = 'it has more levels than JSON can be written with, or values that are not JSON'
    if (typeof readField(rawMessage, 'method') === 'string') {
      const error = { code: INVALID_REQUEST, message: `The request was not read: ${reason}.` }
      void attempt(() => transport.send({ jsonrpc: '2.0', id, error }, { relatedRequestId: id }))
    } else if (waiting.delete(id)) {
      const loss = { kind: 'not-understood', maybeExecuted: true, transient: false } as const
      hearing?.onLoss(id, { ...loss, reason: `its answer could not be read: ${reason}` })
    }
  }

  function setVersion(result: unknown): void {
    const version = isJsonObject(result) ? result['protocolVersion'] : undefined
    if (typeof version === 'string') notify(() => transport.setProtocolVersion?.(version))
  }

  function listen(): void {
    const { onmessage, onclose, onerror } = transport
    /* oxlint-disable unicorn/prefer-add-event-listener -- the SDK knows callbacks only */
    transport.onmessage = (message: never, extra?: never) => {
      notify(() => onmessage?.(message, extra))
      readMessage(message)
    }
    transport.onclose = () => {
      notify(() => onclose?.())
      end('its transport was closed')
    }
    transport.onerror = (error) => {
      notify(() => onerror?.(error))
      noteError(error)
    }
    /* oxlint-enable unicorn/prefer-add-event-listener */
  }

  async function start(): Promise<void> {
    try {
      await transport.start()
    } catch (error) {
      noteError(error)
      end('its transport could not be started', 'unreachable')
    }
  }

  /** Closes the transport. A transport that does not settle, or throws, cannot keep the caller. */
  async function close(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, CLOSE_MS)
    await Promise.race([attempt(() => transport.close()), late])
    clearTimeout(timer)
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
    start: (listener) => {
      hearing = listener
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
      await close()
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

/** Returns an own field of an object that may be no JSON. */
function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}

/** Calls a function that may throw, reject or return nothing. */
async function attempt(call: () => Promise<void> | undefined): Promise<void> {
  try {
    await call()
  } catch {
    // The other side is gone, or the transport has ended before.
  }
}
