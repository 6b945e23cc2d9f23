import { isJsonObject } from '@toolblocks/protocol'
import { shortenText } from '@toolblocks/protocol/internal'
import { AnswerError } from './fetch-answer.ts'
import { AuthorizationError } from './http-fetch.ts'
import { NOT_SENT } from './not-sent.ts'
import type { Loss } from './peer.ts'

/** The maximum of a page that is quoted, in characters. */
const MAX_BODY_LENGTH = 2000

/** The connection was lost before an answer. */
export const DROPPED: Omit<Loss, 'reason'> = { kind: 'lost', maybeExecuted: true, transient: true }
/** The answer is not a message of MCP. */
export const ODD: Omit<Loss, 'reason'> = {
  kind: 'not-understood',
  maybeExecuted: true,
  transient: false,
}

/** Explains an answer that ended before it was complete. */
export function explainBreak(what: string, error: unknown): Loss {
  const message = error instanceof Error ? error.message : String(error)
  const why = error instanceof AnswerError ? `the server ${error.what}` : message
  return { ...DROPPED, reason: `${what} broke off: ${why}` }
}

/** Codes of errors before anything was sent to a server. */
const NOTHING_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Explains why a request has no answer. */
export function explainFetch(error: unknown): Loss {
  if (error instanceof AuthorizationError) {
    const { reason, fix, serverText, transient } = error
    const quoted = serverText !== undefined && { serverText }
    return { kind: 'unauthorized', reason, fix, ...quoted, maybeExecuted: false, transient }
  }
  if (error instanceof AnswerError) {
    const { kind, what, fix } = error
    const reason = `the server ${what}`
    switch (kind) {
      case 'late':
        return { ...DROPPED, kind: 'timeout', reason, fix }
      case 'too-large':
        return { ...ODD, kind: 'too-large', reason, fix }
      case 'broken':
        return { ...ODD, reason, fix }
    }
  }
  if (error instanceof Error && error.name === 'TimeoutError')
    return { ...DROPPED, kind: 'timeout', reason: 'the server did not answer in time' }
  const cause = error instanceof Error ? error.cause : undefined
  const { code, syscall } = isJsonObject(cause) ? cause : {}
  const message = cause instanceof Error && cause.message !== '' ? cause.message : String(error)
  if (code === NOT_SENT)
    return {
      kind: 'unreachable',
      reason: message,
      fix: 'Check "url" and "headers", and the variables in them.',
      maybeExecuted: false,
      transient: false,
    }
  const isUnsent = typeof code === 'string' && (NOTHING_SENT.has(code) || syscall === 'connect')
  return {
    kind: isUnsent ? 'unreachable' : 'lost',
    reason: typeof code === 'string' ? `${code}${message === code ? '' : `: ${message}`}` : message,
    maybeExecuted: !isUnsent,
    transient: true,
  }
}

/** Explains an HTTP status that comes without an MCP answer. */
export function explainStatus(status: number, text: string): Loss {
  const isRedirect = status >= 300 && status < 400
  const reason = `the server answered with HTTP ${status}${isRedirect ? ', a redirect that was not followed' : ''}`
  const quoted = { reason, serverText: shortenText(text.trim(), MAX_BODY_LENGTH) }
  switch (status) {
    case 401:
    case 403:
      return { kind: 'unauthorized', ...quoted, maybeExecuted: false, transient: false }
    case 429:
    case 503:
      return { kind: 'lost', ...quoted, maybeExecuted: false, transient: true }
    case 502:
    case 504:
      return { kind: 'lost', ...quoted, maybeExecuted: true, transient: true }
    default:
      // A server may execute the request and answer with a redirect to its result.
      return {
        kind: 'not-understood',
        ...quoted,
        maybeExecuted: status >= 500 || isRedirect,
        transient: false,
      }
  }
}
