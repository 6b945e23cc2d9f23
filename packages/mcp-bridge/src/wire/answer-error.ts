import { MAX_CONNECT_MS, MAX_HEAD_BYTES } from '@toolblocks/protocol/limits'
import { maskText } from './known-secrets.ts'
import { explainProxy, type Proxy } from './proxy.ts'

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

/** The error for a status that no answer has. */
export function oddStatus(url: URL, status: number): AnswerError {
  const shown = String(status).padStart(3, '0')
  return new AnswerError('broken', url, {
    what: `answered with the HTTP status ${shown}; expected one from 200 to 599`,
  })
}

/** The error for bytes that are no answer. */
export function notHttp(url: URL, cause: unknown): AnswerError {
  return new AnswerError('broken', url, {
    what: `answered with something that is no HTTP (${getWords(cause)}); expected an answer of HTTP/1.1`,
    cause,
  })
}

/** The error for a body that ended early. */
export function brokenOff(cause: unknown, url: URL, bytes: number): Error {
  if (cause instanceof AnswerError) return cause
  return new AnswerError('broken', url, {
    what: `ended its answer after ${bytes.toLocaleString('en')} bytes of the body (${getWords(cause)})`,
    cause,
  })
}

/** Returns the error for a connection that failed before the head of an answer arrived. */
export function toFailure(
  error: Error,
  { url, proxy }: { url: URL; proxy: Proxy | undefined },
): Error {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AnswerError('too-large', url, {
      what: `answered with a head of more than ${MAX_HEAD_BYTES.toLocaleString('en')} bytes`,
      cause: error,
    })
  if (code?.startsWith('HPE_') === true) return notHttp(url, error)
  // A name with several addresses: the first attempt stands for all.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error
  const named = proxy && cause instanceof Error ? explainProxy(cause, proxy) : cause
  return new TypeError('fetch failed', { cause: named })
}

/** The error of an operating system that gives up to connect, which may take it minutes. */
export function unreachable(proxy: Proxy | undefined): Error {
  const cause = Object.assign(new Error(`no connection in ${MAX_CONNECT_MS / 1000} s`), {
    code: 'ETIMEDOUT',
    syscall: 'connect',
  })
  return new TypeError('fetch failed', { cause: proxy ? explainProxy(cause, proxy) : cause })
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
