import { quoteName } from '@toolblocks/protocol/internal'
import { maskText } from './known-secrets.ts'

/**
 * Sends one HTTP request, as the global `fetch` does with `redirect: 'manual'`. It may add credentials, and may throw an `AuthorizationError`, after
 * which nothing was executed.
 */
export type HttpFetch = (url: URL, init: RequestInit) => Promise<Response>

/**
 * Thrown by a `fetch` when a server refuses a request because of missing or unsuitable credentials. The bridge turns it into a `McpServerError`
 * with the code `unauthorized`, or into a failed call.
 */
export class AuthorizationError extends Error {
  /** The reason, in one line of trusted text. */
  readonly reason: string
  /** What to do, in one line. */
  readonly fix: string
  /** The text of the server about it, unchanged and untrusted. */
  readonly serverText?: string
  /** Whether another attempt may succeed without a person. */
  readonly transient: boolean

  constructor(
    rawReason: string,
    {
      fix: givenFix,
      serverText: givenText,
      transient = false,
      cause,
    }: { fix: string; serverText?: string | undefined; transient?: boolean; cause?: unknown },
  ) {
    const [reason, fix] = [maskText(rawReason), maskText(givenFix)]
    const serverText = givenText === undefined ? undefined : maskText(givenText)
    const quoted =
      serverText === undefined || serverText.trim() === ''
        ? ''
        : `; it said ${quoteName(serverText)}`
    super(`${reason}${quoted}. ${fix}`, cause === undefined ? {} : { cause })
    this.name = 'AuthorizationError'
    this.reason = reason
    this.fix = fix
    this.transient = transient
    if (serverText !== undefined) this.serverText = serverText
  }
}
