import { shortenText } from '@toolblocks/protocol'
import type { Loss } from '../connection/connection.ts'

/** How much of a page is quoted, in characters. */
const LONGEST_BODY = 2000

/** Says what an answer of HTTP's that is no answer of MCP's means for a request. */
export function explainStatus(
  status: number,
  { text, expired }: { text: string; expired: boolean },
): Loss {
  if (expired)
    return {
      kind: 'session-expired',
      reason: 'the server has forgotten the session',
      maybeExecuted: false,
      transient: true,
    }
  const isRedirect = status >= 300 && status < 400
  const reason = `the server answered with HTTP ${status}${isRedirect ? ', a redirect that was not followed' : ''}`
  const quoted = { reason, said: shortenText(text.trim(), LONGEST_BODY) }
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
      // A server may do its work and answer with a redirect to what came of it.
      return {
        kind: 'not-understood',
        ...quoted,
        maybeExecuted: status >= 500 || isRedirect,
        transient: false,
      }
  }
}
