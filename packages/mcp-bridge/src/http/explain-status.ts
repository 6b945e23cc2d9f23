import { quoteBriefly } from '@toolblocks/protocol'
import type { Loss } from '../connection/connection.ts'

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
  const said = text.trim() === '' ? '' : `: ${quoteBriefly(text.trim())}`
  const reason = `the server answered with HTTP ${status}${said}`
  switch (status) {
    case 401:
    case 403:
      return { kind: 'unauthorized', reason, maybeExecuted: false, transient: false }
    case 429:
    case 503:
      return { kind: 'lost', reason, maybeExecuted: false, transient: true }
    case 502:
    case 504:
      return { kind: 'lost', reason, maybeExecuted: true, transient: true }
    default:
      return { kind: 'not-understood', reason, maybeExecuted: status >= 500, transient: false }
  }
}
