import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecurely } from 'node:https'
import type { Socket } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import {
  limitTime,
  MAX_ANSWER_IDLE_MS,
  MAX_CONNECT_MS,
  MAX_HEAD_BYTES,
  MAX_INTERIM_ANSWERS,
  quoteName,
} from '@toolblocks/protocol/internal'
import { maskText, rememberAddress, rememberHeaders } from './known-secrets.ts'
import { createHeaders, notSent } from './not-sent.ts'
import { nameUnusedProxy } from './unused-proxy.ts'

/** The limits of one answer over HTTP. */
interface AnswerLimits {
  /** Milliseconds from the request to the end of the head of the answer. Default: `MAX_ANSWER_IDLE_MS`. */
  readonly headMs?: number
  /** Milliseconds that a reader of the body waits for the next byte. Default: `MAX_ANSWER_IDLE_MS`. */
  readonly idleMs?: number
  /** Milliseconds from the request to the last byte of the body. Default: none, for a stream that lasts. */
  readonly totalMs?: number
  /** Bytes of the body, after decompression. Default: none, for a reader that counts them itself. */
  readonly maxBytes?: number
  /** Milliseconds without use after which a connection is not used again, because its server may be closing it, and then loses the request. Default: 2 s. */
  readonly keptMs?: number
}

/** Resolves the name of a host, as `lookup` of `node:dns` does. Its types are those of Node.js, which a program need not have. */
type LookUpHost = (
  hostname: string,
  options: { readonly all?: boolean | undefined },
  callback: (
    error: Error | null,
    address: string | { address: string; family: number }[],
    family?: number,
  ) => void,
) => void

/** How one request is sent. */
export interface FetchAnswerOptions extends AnswerLimits {
  /** Resolves the host. Then the connection is a new one, because a kept one would skip this function. */
  readonly lookup?: LookUpHost
}

/** What is wrong with an answer: it takes too long, is too large, or is no complete answer of HTTP. */
export type AnswerErrorKind = 'late' | 'too-large' | 'broken'

/** Thrown when a server answers with something that cannot be used. It may have executed the request. */
export class AnswerError extends Error {
  override name = 'AnswerError'
  readonly kind: AnswerErrorKind
  /** What the server did and what was expected, in one line of trusted text that follows the name of the server. */
  readonly what: string
  /** The address and `what`. */
  readonly reason: string
  /** What to do, in one line. */
  readonly fix: string

  constructor(kind: AnswerErrorKind, url: URL, { what, cause }: { what: string; cause?: unknown }) {
    const reason = maskText(`${describeAddress(url)} ${what}`, url.origin)
    const fix = FIXES[kind]
    super(`${reason}. ${fix}`, cause === undefined ? {} : { cause })
    this.kind = kind
    this.what = maskText(what, url.origin)
    this.reason = reason
    this.fix = fix
  }
}

const FIXES: Readonly<Record<AnswerErrorKind, string>> = {
  late: 'Try again later, or check the address.',
  'too-large': 'Ask the operator of the server.',
  broken: 'Check the address, and tell the operator of the server.',
}

/** Statuses whose answers have no body (Fetch standard: null body status). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

/** How bodies are decompressed, by their `content-encoding`. */
const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  br: createBrotliDecompress,
  deflate: createInflate,
  gzip: createGunzip,
  'x-gzip': createGunzip,
}

/**
 * Sends a request like the global `fetch`, and is the only function that reads what a server answers. No answer whatever throws outside of the
 * returned promise and of the body, waits longer than its limit, or changes another request. Follows no redirect. Rejects with an `AnswerError`, with
 * the reason of the signal, or with a `TypeError` whose cause says why the server could not be reached, as `fetch` does.
 *
 * The global `fetch` has no such limits: it waits without end after `101 Switching Protocols`, and passes statuses on that no `Response` can have.
 */
export async function fetchAnswer(
  input: string | URL | Request,
  init: RequestInit = {},
  options: FetchAnswerOptions = {},
): Promise<Response> {
  const { signal, ...rest } = init
  const request = readRequest(input, rest)
  const body = request.body ? Buffer.from(await request.arrayBuffer()) : undefined
  for (;;) {
    const exchange = startExchange(request, signal ?? request.signal, options)
    try {
      return await receiveHead(exchange, body, options)
    } catch (error) {
      // Nothing was sent.
      if (error !== STALE) throw error
    }
  }
}

/** Stops a request on a connection that was not used for too long. */
const STALE = new Error('the connection was not used for too long')

/** When the last answer on a connection ended, on the clock of `performance`. */
const lastUses = new WeakMap<Socket, number>()

/** Most servers keep a connection for 5 s or longer. */
const KEPT_MS = 2000

/** Sends the request, and returns its answer when the head has arrived. */
async function receiveHead(
  exchange: SentHttp,
  body: Buffer | undefined,
  options: FetchAnswerOptions,
): Promise<Response> {
  const { url, sent, stop } = exchange
  return await new Promise<Response>((resolve, reject) => {
    const settle = (error: Error): void => reject(exchange.failure ?? toFailure(error, url))
    let interim = 0
    sent.on('information', () => {
      interim += 1
      if (interim > MAX_INTERIM_ANSWERS)
        stop(
          new AnswerError('broken', url, {
            what: `answered with more than ${MAX_INTERIM_ANSWERS} statuses from 100 to 199; expected one from 200 to 599`,
          }),
        )
    })
    // Without this listener the connection is closed without an error.
    sent.on('upgrade', (_message, socket) => {
      // Nobody else listens to the connection any more: its error would end the process.
      socket.on('error', () => undefined)
      stop(oddStatus(url, 101))
    })
    sent.on('error', settle)
    // Emitted without an error before if a server closes the connection.
    sent.on('close', () => settle(new Error('the connection was closed')))
    sent.on('response', (message) => {
      try {
        resolve(toResponse(message, exchange, options))
      } catch (error) {
        stop(error instanceof AnswerError ? error : notHttp(url, error))
        settle(notHttp(url, error))
      }
    })
    sent.end(body)
  })
}

/** Reads every form of address, headers and body. */
function readRequest(input: string | URL | Request, init: RequestInit): Request {
  const address = input instanceof Request ? undefined : URL.parse(String(input))
  if (address && `${address.username}${address.password}` !== '')
    throw notSent(
      `the address of ${JSON.stringify(address.host)} has a user name or a password, which are not sent; use a header`,
    )
  try {
    return new Request(input, init)
  } catch {
    throw notSent('the address or a header of the request cannot be sent')
  }
}

/** One request and its answer. */
interface SentHttp {
  readonly url: URL
  readonly sent: ClientRequest
  /** Why it was stopped. */
  readonly failure: Error | undefined
  /** Ends the connection; the request or the reader of the body fails with the error. */
  stop(error: Error): void
  /** Called when the head of the answer has arrived. */
  headArrived(message: IncomingMessage): void
  /** Called when nothing more is read. */
  finish(): void
}

/** Opens the connection for a request, and limits its time. */
function startExchange(
  { url: address, method, headers }: Request,
  signal: AbortSignal,
  { headMs = MAX_ANSWER_IDLE_MS, totalMs, keptMs = KEPT_MS, lookup }: FetchAnswerOptions,
): SentHttp {
  signal.throwIfAborted()
  const url = new URL(address)
  const outgoing = createHeaders(headers)
  rememberHeaders(url.origin, outgoing)
  rememberAddress(url)
  if (!outgoing.has('accept')) outgoing.set('accept', '*/*')
  if (!outgoing.has('accept-encoding'))
    outgoing.set('accept-encoding', Object.keys(DECODERS).join(', '))
  if (!outgoing.has('user-agent')) outgoing.set('user-agent', 'toolblocks')
  const send = url.protocol === 'https:' ? requestSecurely : requestPlain
  // Before the timers: what fails here must not leave one.
  const sent = send(url, {
    method,
    headers: Object.fromEntries(outgoing),
    maxHeaderSize: MAX_HEAD_BYTES,
    insecureHTTPParser: false,
    ...(lookup && { lookup, agent: false }),
  })
  let failure: Error | undefined
  let message: IncomingMessage | undefined
  const stop = (error: Error): void => {
    failure ??= error
    message?.destroy(failure)
    sent.destroy(failure)
    finish()
  }
  const limit = (ms: number, what: string): (() => void) =>
    limitTime(ms, () => stop(new AnswerError('late', url, { what: `${what} in ${ms / 1000} s` })))
  const abort = (): void => stop(signal.reason)
  const connected = limitTime(MAX_CONNECT_MS, () => stop(unreachable(url)))
  const answered = limit(headMs, 'did not answer')
  const completed = totalMs === undefined ? undefined : limit(totalMs, 'did not answer completely')
  const finish = (): void => {
    for (const end of [connected, answered, completed]) end?.()
    signal.removeEventListener('abort', abort)
  }
  sent.on('socket', (socket) => {
    const unusedMs = performance.now() - (lastUses.get(socket) ?? Infinity)
    // Before anything is written to it.
    if (sent.reusedSocket && unusedMs > keptMs) stop(STALE)
    else if (socket.connecting)
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', connected)
    else connected()
  })
  sent.on('error', finish)
  signal.addEventListener('abort', abort, { once: true })
  return {
    url,
    sent,
    get failure() {
      return failure
    },
    stop,
    headArrived: (arrived) => {
      message = arrived
      connected()
      answered()
      const { socket } = arrived
      arrived.once('end', () => lastUses.set(socket, performance.now()))
    },
    finish,
  }
}

/** Makes the answer a `Response` whose body is read on demand. Throws if no `Response` can have its head. */
function toResponse(message: IncomingMessage, exchange: SentHttp, limits: AnswerLimits): Response {
  const { url, headArrived, finish } = exchange
  headArrived(message)
  // The reader of the body gets the error. An error that comes before or after is of no use to anybody.
  message.on('error', () => undefined)
  const { statusCode: status = 0, statusMessage = '', rawHeaders } = message
  if (status < 200 || status > 599) throw oddStatus(url, status)
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  const statusText = /^[\t\x20-\x7e\x80-\xff]*$/.test(statusMessage) ? statusMessage : ''
  const head = { status, statusText, headers }
  if (WITHOUT_BODY.has(status)) {
    // A body that must not be there is not read.
    if (status === 205) message.destroy()
    else message.resume()
    finish()
    return new Response(null, head)
  }
  return new Response(readBody(decode(message, headers, url), exchange, limits), head)
}

/** Returns the body without its compression. */
function decode(message: IncomingMessage, headers: Headers, url: URL): Readable {
  const written = headers.get('content-encoding')?.trim() ?? 'identity'
  const encoding = written.toLowerCase()
  if (encoding === 'identity' || encoding === '') return message
  const create = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined
  if (!create)
    throw new AnswerError('broken', url, {
      what: `answered with the content-encoding ${quoteName(written)}; expected one of ${Object.keys(DECODERS).join(', ')}`,
    })
  headers.delete('content-encoding')
  headers.delete('content-length')
  // The reader gets the error.
  return pipeline(message, create(), () => undefined)
}

/** Returns the bytes of a body, read on demand. It fails if there are too many bytes, or if none arrive in time. */
function readBody(
  body: Readable,
  exchange: SentHttp,
  { idleMs = MAX_ANSWER_IDLE_MS, maxBytes = Infinity }: AnswerLimits,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { url, stop, finish } = exchange
  const chunks = body[Symbol.asyncIterator]()
  let bytes = 0
  return new ReadableStream(
    {
      pull: async (controller) => {
        // The limit is for the server, not for a slow reader.
        const heard = limitTime(idleMs, () =>
          stop(new AnswerError('late', url, { what: `sent nothing for ${idleMs / 1000} s` })),
        )
        try {
          const { value, done } = await chunks.next()
          if (done === true) {
            finish()
            controller.close()
            return
          }
          bytes += value.byteLength
          if (bytes > maxBytes) {
            throw new AnswerError('too-large', url, {
              what: `answered with more than ${maxBytes.toLocaleString('en')} bytes`,
            })
          }
          controller.enqueue(value)
        } catch (error) {
          const failed = exchange.failure ?? brokenOff(error, url, bytes)
          stop(failed)
          controller.error(failed)
        } finally {
          heard()
        }
      },
      cancel: (reason) => stop(reason instanceof Error ? reason : new Error('not read to its end')),
    },
    { highWaterMark: 0 },
  )
}

function oddStatus(url: URL, status: number): AnswerError {
  const digits = String(status).padStart(3, '0')
  return new AnswerError('broken', url, {
    what: `answered with the HTTP status ${digits}; expected one from 200 to 599`,
  })
}

function notHttp(url: URL, cause: unknown): AnswerError {
  return new AnswerError('broken', url, {
    what: `answered with something that is no HTTP (${getWords(cause)}); expected an answer of HTTP/1.1`,
    cause,
  })
}

function brokenOff(cause: unknown, url: URL, bytes: number): Error {
  if (cause instanceof AnswerError) return cause
  return new AnswerError('broken', url, {
    what: `ended its answer after ${bytes.toLocaleString('en')} bytes of the body (${getWords(cause)})`,
    cause,
  })
}

/** Returns the error for a connection that failed before the head of an answer arrived. */
function toFailure(error: Error, url: URL): Error {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AnswerError('too-large', url, {
      what: `answered with a head of more than ${MAX_HEAD_BYTES.toLocaleString('en')} bytes`,
      cause: error,
    })
  if (code?.startsWith('HPE_') === true) return notHttp(url, error)
  // A name with several addresses: the first attempt stands for all.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error
  return new TypeError('fetch failed', { cause: nameUnusedProxy(cause, url) })
}

/** The error of an operating system that gives up to connect, which may take it minutes. */
function unreachable(url: URL): Error {
  const message = `no connection in ${MAX_CONNECT_MS / 1000} s`
  const cause = Object.assign(new Error(message), { code: 'ETIMEDOUT', syscall: 'connect' })
  return new TypeError('fetch failed', { cause: nameUnusedProxy(cause, url) })
}

/** Returns the code and the message of an error of Node.js. */
function getWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, message } = error as NodeJS.ErrnoException
  return code === undefined ? message : `${code}: ${message}`
}

/** Returns an address without its query, which may contain a secret. */
export function describeAddress({ protocol, host, pathname }: URL): string {
  return JSON.stringify(`${protocol}//${host}${pathname}`.slice(0, 200))
}
