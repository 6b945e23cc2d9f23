import { McpServerError, type McpServerErrorCode } from '../mcp-server-error.ts'
import type { Loss } from '../connection/connection.ts'
import type { Link } from '../connection/link.ts'
import { isServersError, lossIn, withoutPrefix } from './read-failure.ts'

/** Says why a server could not be connected, and what to do. */
export function explainHello(
  server: string,
  cause: unknown,
  {
    link,
    signal,
    hasEnded,
    loss: seen,
  }: { link: Link; signal: AbortSignal; hasEnded: boolean; loss?: Loss | undefined },
): McpServerError {
  const loss = lossIn(cause) ?? seen
  if (loss) return asError(server, cause, { ...loss, code: codeOf(loss.kind) })
  if (signal.aborted)
    return isTimeout(signal.reason)
      ? asError(server, cause, {
          code: 'timeout',
          reason: 'it did not answer "initialize" in time',
          said: link.said(),
        })
      : givenUp(server, cause)
  // Only what a server said has data: the SDK closes the connection by itself when hello fails.
  if (isServersError(cause))
    return asError(server, cause, {
      code: 'not-understood',
      reason: `it answered hello with error ${cause.code}`,
      said: withoutPrefix(cause.message),
    })
  const end = link.explainEnd()
  if (hasEnded)
    return asError(server, cause, {
      ...end,
      code: end.kind === 'lost' ? 'not-started' : codeOf(end.kind),
    })
  const message = cause instanceof Error ? cause.message : String(cause)
  return asError(server, cause, {
    code: 'not-understood',
    reason: 'it does not answer as an MCP server does',
    said: message,
  })
}

/** Whoever wanted the server does not want it any more. */
export function givenUp(server: string, cause: unknown): McpServerError {
  return asError(server, cause, { code: 'closed', reason: 'it was given up' })
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError'
}

function asError(
  server: string,
  cause: unknown,
  { code, reason, said }: { code: McpServerErrorCode; reason: string; said?: string },
): McpServerError {
  return new McpServerError(server, { code, reason, said, fix: FIXES[code], cause })
}

function codeOf(kind: Loss['kind']): McpServerErrorCode {
  switch (kind) {
    case 'lost':
    case 'session-expired':
    case 'too-large':
      return 'not-understood'
    case 'not-started':
    case 'unreachable':
    case 'unauthorized':
    case 'timeout':
    case 'not-understood':
    case 'closed':
      return kind
  }
}

const FIXES: Readonly<Record<McpServerErrorCode, string>> = {
  'not-started':
    'Run its command by hand and look at what it says; check "command", "args", "env" and "cwd".',
  unreachable: 'Check "url", and that the server runs.',
  unauthorized: 'Check the credentials in "headers".',
  timeout:
    'Run its command by hand; if it only starts slowly, raise the time that connecting may take.',
  'not-understood':
    'Check that "command" or "url" is an MCP server, and which versions of MCP it speaks.',
  closed: 'Connect again.',
}
