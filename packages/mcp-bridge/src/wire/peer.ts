import { getErrorText } from '@toolblocks/protocol/internal'
import type { JsonObject, RunningOperation } from '@toolblocks/protocol'
import {
  duplicateId,
  type Id,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  isId,
  type RpcMessage,
  type MessageError,
  writeMessage,
} from './message.ts'
import { RequestEnded, toRequestEnded } from './request-ended.ts'
import { countStray, createStrayLines, type Stray } from './stray-lines.ts'
import { watchUnmatched } from './unmatched-answers.ts'
/** Carries messages to the other side and back: standard streams, HTTP, or one HTTP request. */
export interface Wire {
  /** Starts the wire and passes on messages from then on. Never throws: a wire that cannot start ends. */
  start(hearing: Hearing): void
  /** Rejects if the message cannot be sent. */
  send(message: JsonObject, options: SendOptions): Promise<void>
  /** Returns the begin of a line that has no end yet, if the wire has lines. */
  unfinishedLine?(): string
  /** Ends the transport of the messages. */
  close(options?: CloseOptions): Promise<void>
}

/** Listeners for the messages of a wire. */
export interface Hearing {
  /** `token`: the progress token of our request on whose stream the message came, if the wire knows it. */
  onMessage(message: RpcMessage, token?: string): void
  /** Receives a line that is no message. `isUnfinished`: it has no end, and nothing follows. */
  onStray(line: string, state?: { isUnfinished: true }): void
  /** Called if our request will have no answer. */
  onLoss(id: Id, loss: Loss): void
  /** Called if the other side cannot receive the answer to its request any more. */
  onUnheard?(id: Id): void
  onEnd(loss: Loss): void
}

/** Options of a wire for one message. */
interface SendOptions {
  /** Sent with the message, if the wire has headers. */
  headers?: Readonly<Record<string, string>>
  /** The request of the other side to which the message belongs. */
  relatedTo?: Id
  /** The progress token of our request to which that one belongs, if the wire knows it. */
  token?: string | undefined
}

/** How a connection is ended. */
interface CloseOptions {
  /** The other side gets no time to end, because it is not initialized. */
  isAbandoned?: true
}

/** Why the other side did not answer a request. */
export interface Loss {
  /** What happened. */
  kind:
    | 'not-started'
    | 'unreachable'
    | 'unauthorized'
    | 'timeout'
    | 'not-understood'
    | 'unsupported-version'
    | 'closed'
    | 'session-expired'
    | 'lost'
    | 'too-large'
  /** One line of trusted text, for a person or a model. */
  reason: string
  /** What to do, in one line of trusted text, where it is known. */
  fix?: string
  /** The text of the server or its program about it, to be quoted. */
  serverText?: string
  /** Whether the server may have executed the request. */
  maybeExecuted: boolean
  /** Whether another attempt may succeed. */
  transient: boolean
}

/** The end of a request. */
export type Reply =
  /** Unchanged: no field was dropped or checked. */
  | { kind: 'result'; result: unknown }
  /** An error from the other side. */
  | {
      kind: 'error'
      /** The code of JSON-RPC or MCP. */
      code: number
      message: string
      /** Further data of the error, unchanged. */
      data?: unknown
      /** The other side has begun it, whatever the code says: it sent a request meanwhile, whose error it may have passed on, or made a task of it. */
      hasBegun?: true
    }
  | { kind: 'loss'; loss: Loss }
  /** The caller cancelled it; the other side was informed. `stray`: what it printed meanwhile that is no message. */
  | { kind: 'aborted'; stray?: Stray }

/** A request from the other side. */
export interface PeerRequest {
  id: Id
  method: string
  params: JsonObject
  /** Aborts when the other side cancels the request or is gone. */
  signal: AbortSignal
  /** The progress token of our request to which it belongs, if the wire knows it. */
  token?: string
}

/** A JSON-RPC message and its direction. */
export interface WireMessage {
  /** From the view of this side. */
  readonly direction: 'sent' | 'received'
  readonly message: JsonObject
}

/** A request in one direction. */
export type TracedRequest = Pick<PeerRequest, 'id' | 'method' | 'params'>

/** How a request of the other side was answered; `cancelled`: it gets no answer. */
type TracedAnswer = { result: JsonObject } | { error: MessageError } | 'cancelled'

/** Reports the requests of one peer. */
export interface PeerTraces {
  /** Called before a request is sent, with these parameters. `undefined`: it is not reported. */
  ask(request: TracedRequest): { params: JsonObject; end(reply: Reply): void } | undefined
  /** Called when a request was received. `undefined`: it is not reported. */
  answer(
    request: TracedRequest,
  ): { run: RunningOperation['run']; end(answered: TracedAnswer): void } | undefined
  /** Called when the connection has ended. */
  close(loss: Loss): void
}

/** Listeners for the messages of the other side. */
export interface PeerListener {
  /** Rejects to send an error: with an `RpcError`, or another error whose `code` is an integer. */
  onRequest(request: PeerRequest): Promise<JsonObject>
  onNotification(method: string, params: JsonObject): void
  onMessage?: ((message: WireMessage) => void) | undefined
  /** Reports the requests in both directions. */
  traces?: PeerTraces | undefined
}

/** One side of a connection: requests and notifications of any method, in both directions. */
export interface Peer {
  /** Never rejects, and has no timeout of its own. */
  request(
    method: string,
    params: JsonObject,
    options: SendOptions & { signal: AbortSignal },
  ): Promise<Reply>
  /** Rejects if it cannot be sent. */
  notify(method: string, params: JsonObject, options?: SendOptions): Promise<void>
  /** Settles with the reason when the connection has ended. */
  readonly ended: Promise<Loss>
  close(): Promise<void>
}

/** A request that waits for its answer. */
interface WaitingRequest {
  close(reply: Reply): void
  /** The number of stray lines before it. */
  since: number
  /** The number of requests from the other side before it. */
  asked: number
}

/** Speaks JSON-RPC over a wire: returns answers unchanged, has requests answered, and cancels in both directions. */
export function openPeer(wire: Wire, listener: PeerListener): Peer {
  const waiting = new Map<Id, WaitingRequest>()
  const strays = createStrayLines()
  const unmatched = watchUnmatched(waiting, {
    strays,
    end: (id, why) => waiting.get(id)?.close({ kind: 'loss', loss: { ...MISMATCH, ...why } }),
  })
  const answering = new Map<Id, AbortController>()
  const { promise: ended, resolve } = Promise.withResolvers<Loss>()
  let loss: Loss | undefined
  let lastId = 0
  /** The number of requests from the other side. */
  let askedSoFar = 0

  function request(
    method: string,
    params: JsonObject,
    options: SendOptions & { signal: AbortSignal },
  ): Promise<Reply> {
    const { signal } = options
    if (loss) return Promise.resolve({ kind: 'loss', loss: { ...loss, maybeExecuted: false } })
    if (signal.aborted) return Promise.resolve({ kind: 'aborted' })
    lastId += 1
    const id = lastId
    const since = strays.count
    const trace = listener.traces?.ask({ id, method, params })
    return new Promise<Reply>((settle) => {
      const close = (reply: Reply): void => {
        waiting.delete(id)
        unmatched.onClose()
        signal.removeEventListener('abort', abort)
        trace?.end(reply)
        settle(reply)
      }
      const abort = (): void => {
        const stray = strays.after(since, wire.unfinishedLine?.())
        close({ kind: 'aborted', ...(stray && { stray }) })
        const cancelled = { requestId: id, reason: String(signal.reason) }
        // If it cannot be sent, the other side is gone.
        notify('notifications/cancelled', cancelled, options).catch(() => undefined)
      }
      waiting.set(id, { close, since, asked: askedSoFar })
      signal.addEventListener('abort', abort)
      const sent = trace?.params ?? params
      send({ jsonrpc: '2.0', id, method, params: sent }, options).catch((error: unknown) => {
        close({ kind: 'loss', loss: loss ?? notSent(error) })
      })
    })
  }

  async function notify(
    method: string,
    params: JsonObject,
    options: SendOptions = {},
  ): Promise<void> {
    unmatched.onNotify(lastId)
    await send({ jsonrpc: '2.0', method, params }, options)
  }

  function send(message: JsonObject, options: SendOptions): Promise<void> {
    listener.onMessage?.({ direction: 'sent', message })
    return wire.send(message, options)
  }

  function reportReceived(message: RpcMessage, token?: string): void {
    unmatched.onMessage()
    listener.onMessage?.({ direction: 'received', message: writeMessage(message) })
    switch (message.kind) {
      case 'response':
        readResponse(message, { kind: 'result', result: message.result })
        break
      case 'error': {
        const { code, message: text, data } = message.error
        readResponse(message, {
          kind: 'error',
          code,
          message: withoutPrefix(text),
          ...(data !== undefined && { data }),
          ...(waiting.get(message.id)?.asked !== askedSoFar && { hasBegun: true }),
        })
        break
      }
      case 'request':
        if (message.method !== 'ping') askedSoFar += 1
        void answer(message, token)
        break
      case 'notification': {
        const { method, params } = message
        const { requestId } = params
        if (method === 'notifications/cancelled' && isId(requestId))
          answering.get(requestId)?.abort(toRequestEnded(params['reason']))
        try {
          listener.onNotification(method, params)
        } catch {
          // The other side has not received it, and later messages are still read.
        }
      }
    }
  }

  /** Ends the request of a response. */
  function readResponse(
    message: Extract<RpcMessage, { kind: 'response' | 'error' }>,
    reply: Reply,
  ): void {
    const known = waiting.get(message.id)
    if (known) {
      known.close(reply)
      unmatched.onAnswer(message.id)
    } else unmatched.onUnknown(message, lastId)
  }

  async function answer(
    { id, method, params }: Extract<RpcMessage, { kind: 'request' }>,
    token: string | undefined,
  ): Promise<void> {
    const controller = new AbortController()
    const { signal } = controller
    let outcome: { result: JsonObject } | { error: MessageError }
    if (answering.has(id)) outcome = { error: { code: INVALID_REQUEST, message: duplicateId(id) } }
    else {
      answering.set(id, controller)
      // A request that the next message cancels is not started.
      await Promise.resolve()
      if (signal.aborted) return void answering.delete(id)
      const asked = { id, method, params, signal, ...(token !== undefined && { token }) }
      const trace = listener.traces?.answer(asked)
      const answered = trace
        ? trace.run(() => listener.onRequest(asked))
        : listener.onRequest(asked)
      outcome = await answered.then(
        (result) => ({ result }),
        (error: unknown) => ({ error: getMessageError(error) }),
      )
      trace?.end(signal.aborted ? 'cancelled' : outcome)
      answering.delete(id)
    }
    // A cancelled request gets no answer.
    if (!signal.aborted)
      send({ jsonrpc: '2.0', id, ...outcome }, { relatedTo: id, token }).catch(() => undefined)
  }

  function end(why: Loss): void {
    if (loss) return
    loss = why
    for (const { close, since } of waiting.values())
      close({ kind: 'loss', loss: withStray(loss, strays.after(since)) })
    for (const controller of answering.values()) controller.abort(new RequestEnded('lost'))
    listener.traces?.close(loss)
    resolve(loss)
  }

  wire.start({
    onMessage: reportReceived,
    onStray: unmatched.onStray,
    onLoss: (id, why) => waiting.get(id)?.close({ kind: 'loss', loss: why }),
    onUnheard: (id) => answering.get(id)?.abort(new RequestEnded('lost')),
    onEnd: end,
  })
  return {
    request,
    notify,
    ended,
    close: async () => {
      end(CLOSED)
      await wire.close()
    },
  }
}

const CLOSED: Loss = {
  kind: 'closed',
  reason: 'the connection was closed',
  maybeExecuted: true,
  transient: false,
}

const MISMATCH = { kind: 'not-understood', maybeExecuted: true, transient: false } as const

/** Adds to the end of a connection what its server printed that is no message. */
function withStray(loss: Loss, stray: Stray | undefined): Loss {
  if (!stray || loss.kind !== 'lost') return loss
  const { reason, serverText } = loss
  return {
    ...loss,
    reason: `${reason}; ${countStray(stray)}`,
    serverText: serverText === undefined ? stray.text : `${stray.text}\n${serverText}`,
  }
}

/** The error may quote text of the other side. */
function notSent(error: unknown): Loss {
  const serverText = getErrorText(error)
  const reason = 'it could not be sent'
  return { kind: 'lost', reason, serverText, maybeExecuted: false, transient: true }
}

/** Returns a thrown value as the error of a response. */
export function getMessageError(error: unknown): MessageError {
  if (!(error instanceof Error)) return { code: INTERNAL_ERROR, message: String(error) }
  const code = 'code' in error ? error.code : undefined
  const data = 'data' in error ? error.data : undefined
  return {
    code: Number.isSafeInteger(code) ? Number(code) : INTERNAL_ERROR,
    message: error.message,
    ...(data !== undefined && { data }),
  }
}

/** Servers made with the SDK add the prefix even if the message has it already. */
function withoutPrefix(message: string): string {
  return message.replace(/^(?:MCP error -?\d+: )+/, '')
}
