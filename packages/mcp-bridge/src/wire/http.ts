import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { parseJson, MAX_MESSAGE_BYTES } from '@toolblocks/protocol/internal'
import { createParser } from 'eventsource-parser'
import { deliverAnswer } from './deliver-answer.ts'
import { DROPPED, explainBreak, explainFetch, explainStatus, ODD } from './explain-loss.ts'
import { fetchAnswer } from './fetch-answer.ts'
import type { HttpFetch } from './http-fetch.ts'
import { maskBody, maskMessage, maskText } from './known-secrets.ts'
import { createLineReader } from './line-reader.ts'
import {
  type Id,
  isId,
  isTooDense,
  type RpcMessage,
  type MessageError,
  readMessages,
  TOO_DENSE,
} from './message.ts'
import { createHeaders } from './not-sent.ts'
import type { Hearing, Loss, Wire } from './peer.ts'
import { readBody, readText } from './read-body.ts'
import { nextWithinOrigin } from './redirects.ts'
import { quoteLine } from './stray-lines.ts'

/** A Streamable HTTP endpoint. */
export interface Endpoint {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sends the requests. Default: `fetchAnswer`. */
  readonly fetch?: HttpFetch | undefined
}

/** How a protocol version uses HTTP. */
export interface HttpProtocol {
  /** Returns headers for the HTTP request that carries a message, or none. */
  getHeaders(message: JsonObject): Readonly<Record<string, string>>
  /** A request is cancelled by ending its stream, not by a message. */
  readonly endsToCancel?: true
  /** Receives the response to a message before its body is read. */
  onResponse?(response: Response): void
  /** Explains why a message was refused, if the status and the text of the server alone do not. `error`: the answer to the message. */
  explainRefusal?(
    status: number,
    refusal: { text: string; error: MessageError | undefined },
  ): Loss | undefined
  /** Resumes a stream that ended before its answer; settles with the final end. */
  resume?(end: StreamEnd, reading: StreamReading): Promise<StreamEnd>
  /** Informs the server that the connection ends. */
  leave?(reading: StreamReading): Promise<void>
}

/** How a protocol version makes its own HTTP requests, for one request or the whole connection. */
export interface StreamReading {
  /** Follows redirects within the origin. */
  fetch(init: { method: 'GET' | 'DELETE'; headers?: Record<string, string> }): Promise<Response>
  /** Reads a stream to its end and passes its messages on. */
  read(response: Response): Promise<StreamEnd>
  /** Aborts when the stream is not needed any more. */
  readonly ended: AbortSignal
}

/** How a protocol version acts on the whole connection. */
export interface HttpAccess extends StreamReading {
  /** Ends the requests that wait for an answer. */
  loseOpen(loss: Loss): void
}

/** How a stream of events ended. */
export interface StreamEnd {
  isAnswered: boolean
  /** Why no more events follow; absent at a normal end. */
  loss?: Loss
  /** The event after which it can be resumed. */
  lastEventId?: string
  /** Milliseconds that the server wants the client to wait before that. */
  retryMs?: number
}

/** A sent request that waits for its answer. */
interface Sent {
  id: Id
  method: unknown
  /** Its progress token. */
  token?: string
  ending: AbortController
  /** Whether it was redirected: then a server has received it and may have executed it, even if the new address fails. */
  hasHopped: boolean
}

/** The type of a stream of events. */
export const EVENTS = 'text/event-stream'
/** The maximum number of redirects that are followed. */
const MAX_HOPS = 5
/** Milliseconds for informing a server that the connection ends. */
const LEAVE_MS = 2000
/** Milliseconds for sending a message that needs no answer. */
const NOTIFY_MS = 30_000
/** The maximum number of answers to requests of the server that are being sent. */
const MAX_ANSWERS = 100
/** Parsing it could take many times its size in memory. */
const DENSE: Loss = { ...ODD, kind: 'too-large', reason: `the answer ${TOO_DENSE}` }
const UNTAKEN: Loss = {
  ...DROPPED,
  reason: `the server does not take the answers to more than ${MAX_ANSWERS} requests of its own`,
}
const TOO_LARGE: Loss = {
  ...ODD,
  kind: 'too-large',
  reason: `the answer has more than ${MAX_MESSAGE_BYTES} bytes`,
}

/**
 * Creates a wire to a Streamable HTTP endpoint on which every request gets an answer or a loss. Cases without an answer (a dropped stream, 202,
 * another content type) are losses. Answers are passed unchanged; the SDK's transports validate them, which drops fields.
 */
export function wireToEndpoint(
  { url, headers, fetch: send = fetchAnswer }: Endpoint,
  protocol: HttpProtocol,
): Wire & HttpAccess {
  const closing = new AbortController()
  const open = new Map<Id, Sent>()
  let answers = 0
  const { origin } = new URL(url)
  let hearing: Hearing | undefined

  async function ask(init: RequestInit, sent?: Sent): Promise<Response> {
    let target = new URL(url)
    for (let hops = 0; ; hops += 1) {
      const response = await send(target, { ...init, redirect: 'manual' })
      const next = hops < MAX_HOPS ? nextWithinOrigin(target, response) : undefined
      if (!next) return response
      await response.body?.cancel()
      if (sent?.method === 'tools/call') sent.hasHopped = true
      target = next
    }
  }

  async function post(
    message: JsonObject,
    more: Readonly<Record<string, string>>,
    sent?: Sent,
  ): Promise<Response> {
    const { signal: ending } = sent?.ending ?? closing
    const signal = sent ? ending : AbortSignal.any([ending, AbortSignal.timeout(NOTIFY_MS)])
    const own = { 'content-type': 'application/json', accept: `application/json, ${EVENTS}` }
    const all = addHeaders({ ...more, ...protocol.getHeaders(message), ...own })
    const body = JSON.stringify(message)
    const response = await ask({ method: 'POST', headers: all, body, signal }, sent)
    protocol.onResponse?.(response)
    return response
  }

  /** Headers of the protocol replace configured ones. */
  function addHeaders(own: Readonly<Record<string, string>>): Headers {
    return createHeaders([...Object.entries(headers ?? {}), ...Object.entries(own)])
  }

  /** Sends a message that needs no answer. Rejects if the server refuses it. */
  async function sendNotification(message: JsonObject): Promise<void> {
    const cancelled =
      message['method'] === 'notifications/cancelled' ? message['params'] : undefined
    const id = isJsonObject(cancelled) ? cancelled['requestId'] : undefined
    const sent = isId(id) ? open.get(id) : undefined
    if (sent && protocol.endsToCancel) return sent.ending.abort()
    const response = await post(message, {})
      .catch((error: unknown) => {
        throw new Error(explainFetch(error).reason, { cause: error })
      })
      .finally(() => sent?.ending.abort())
    if (!response.ok) {
      const { reason, serverText } = explainStatus(
        response.status,
        maskBody(await readText(response), origin),
      )
      throw new Error(`${reason}: ${serverText}`)
    }
    await response.body?.cancel()
  }

  /** Sends an answer to a request of the server. Each needs a request over HTTP: a server that takes none would fill the memory of this program. */
  async function sendAnswer(message: JsonObject, token: string | undefined): Promise<void> {
    if (answers >= MAX_ANSWERS) {
      hearing?.onEnd(UNTAKEN)
      stop()
      return
    }
    answers += 1
    // Nobody waits for what belongs to no request of this side.
    const sent =
      token === undefined
        ? sendNotification(message)
        : deliverAnswer(message, { post: postAlone, explain, ended: closing.signal })
    const refusal = await sent.finally(() => (answers -= 1))
    if (refusal) loseAsking(refusal, token)
  }

  /** Ends our request during which the server has asked: it waits for an answer that did not reach it. */
  function loseAsking({ reason }: Loss, token: string | undefined): void {
    const loss = { ...DROPPED, reason: `${reason}, so it did not receive what it asked for` }
    const asking = [...open.values()].find(({ token: own }) => own === token)
    if (asking) lose(asking, loss)
  }

  function lose({ id, ending }: Sent, loss: Loss): void {
    hearing?.onLoss(id, loss)
    ending.abort()
  }

  async function postAlone(message: JsonObject): Promise<Response> {
    return await post(message, {})
  }

  /** Explains why a message was refused, if the protocol knows more than its status. */
  async function explain(response: Response): Promise<Loss | undefined> {
    const text = await readText(response)
    const [answer] = readMessages(parseJson(text))
    const error = answer?.kind === 'error' ? answer.error : undefined
    return protocol.explainRefusal?.(response.status, { text, error })
  }

  /** Sends a request and passes its answer or loss on. */
  async function exchange(
    message: JsonObject,
    id: Id,
    more: Readonly<Record<string, string>>,
  ): Promise<void> {
    const sent: Sent = {
      id,
      method: message['method'],
      ...tokenIn(message['params']),
      ending: new AbortController(),
      hasHopped: false,
    }
    open.set(id, sent)
    const loss = await post(message, more, sent)
      .then(async (response) => await receive(response, sent), explainFetch)
      .catch((error: unknown) => explainBreak('the answer', error))
    open.delete(id)
    if (!loss || sent.ending.signal.aborted) return
    hearing?.onLoss(id, sent.hasHopped ? { ...loss, maybeExecuted: true } : loss)
  }

  /** Reads the answer to a request; returns why there is none. */
  async function receive(response: Response, sent: Sent): Promise<Loss | undefined> {
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel()
      return explainStatus(
        response.status,
        maskText(response.headers.get('location') ?? '', origin),
      )
    }
    if (!response.ok) return await receiveRefusal(response, sent)
    const type = response.headers.get('content-type') ?? 'nothing'
    if (type.includes(EVENTS)) return await receiveStream(response, sent)
    if (!type.includes('application/json')) {
      await response.body?.cancel()
      const what =
        response.status === 202 ? '202 and no answer' : `${maskText(type, origin)} instead of JSON`
      return { ...ODD, reason: `the server answered with ${what}` }
    }
    const text = await readBody(response, MAX_MESSAGE_BYTES)
    if (text === undefined) return TOO_LARGE
    if (isTooDense(text)) return DENSE
    const messages = readMessages(maskMessage(parseJson(text), origin))
    if (!messages.some((message) => isAnswerTo(message, sent)))
      return {
        ...ODD,
        reason: 'the server answered with JSON that is not an answer to the request',
        serverText: quoteLine(maskBody(text, origin)),
      }
    for (const message of messages) hearing?.onMessage(message, sent.token)
    return undefined
  }

  /** A refusal may be an error of the protocol, or one of HTTP. */
  async function receiveRefusal(response: Response, sent: Sent): Promise<Loss | undefined> {
    const text = await readText(response)
    const error = readMessages(maskMessage(parseJson(text), origin)).find(
      (message) => message.kind === 'error' && message.id === sent.id,
    )
    const explained = protocol.explainRefusal?.(response.status, {
      text,
      error: error?.kind === 'error' ? error.error : undefined,
    })
    if (explained) return explained
    if (!error) return explainStatus(response.status, maskBody(text, origin))
    hearing?.onMessage(error)
    return undefined
  }

  async function receiveStream(response: Response, sent: Sent): Promise<Loss | undefined> {
    const reading = getReading(sent.ending.signal, sent)
    let end = await reading.read(response)
    if (protocol.resume && end.lastEventId !== undefined) end = await protocol.resume(end, reading)
    if (end.isAnswered) return undefined
    return end.loss ?? { ...DROPPED, reason: 'the stream ended before the answer' }
  }

  /** Reads a stream of events and passes its messages on. */
  async function readEvents({ body }: Response, sent?: Sent): Promise<StreamEnd> {
    const end: StreamEnd = { isAnswered: false }
    const parser = createParser({
      onEvent: ({ event = 'message', data }) => {
        if (isTooDense(data)) end.loss = DENSE
        if (end.loss) return
        for (const message of event === 'message'
          ? readMessages(maskMessage(parseJson(data), origin))
          : []) {
          end.isAnswered ||= sent !== undefined && isAnswerTo(message, sent)
          hearing?.onMessage(message, sent?.token)
        }
      },
      // Also of an event without data. An empty one resets it.
      onId: (id) => {
        if (id === '') delete end.lastEventId
        else end.lastEventId = id
      },
      onRetry: (milliseconds) => {
        end.retryMs = milliseconds
      },
    })
    // The parser joins the rest of a line with each new chunk, which is quadratic for a large line, and holds the lines of an event.
    let held = 0
    const read = createLineReader((line) => {
      held = line === '' ? 0 : held + line.length
      if (held <= MAX_MESSAGE_BYTES) parser.feed(`${line}\n`)
    })
    try {
      for await (const chunk of body ?? []) {
        if (!read(chunk) || held > MAX_MESSAGE_BYTES) end.loss ??= TOO_LARGE
        if (end.loss) break
      }
    } catch (error) {
      end.loss = explainBreak('the stream of the answer', error)
    }
    return end
  }

  function stop(): void {
    closing.abort()
    for (const { ending } of open.values()) ending.abort()
  }

  function getReading(signal: AbortSignal, sent?: Sent): StreamReading {
    return {
      fetch: async ({ method, headers: more = {} }) =>
        await ask({
          method,
          headers: addHeaders({ ...protocol.getHeaders({}), ...more }),
          signal,
        }),
      read: async (response) => await readEvents(response, sent),
      ended: signal,
    }
  }

  return {
    ...getReading(closing.signal),
    loseOpen: (loss) => {
      for (const sent of open.values()) lose(sent, loss)
    },
    start: (listener) => {
      hearing = listener
    },
    send: async (message, { headers: more = {}, token }) => {
      const { id, method } = message
      if (isId(id) && method !== undefined) void exchange(message, id, more)
      else if (isId(id)) await sendAnswer(message, token)
      else await sendNotification(message)
    },
    close: async () => {
      const late = new Promise((resolve) => setTimeout(resolve, LEAVE_MS).unref())
      await Promise.race([
        protocol.leave?.(getReading(closing.signal)).catch(() => undefined),
        late,
      ])
      stop()
    },
  }
}

function tokenIn(params: unknown): { token?: string } {
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  const token = isJsonObject(meta) ? meta['progressToken'] : undefined
  return typeof token === 'string' ? { token } : {}
}

function isAnswerTo(message: RpcMessage, { id }: Sent): boolean {
  return (message.kind === 'response' || message.kind === 'error') && message.id === id
}
