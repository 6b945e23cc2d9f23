import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** What a request must have to be answered at all. */
export interface Admission {
  /** `host:port`, in lower case, as clients write them. */
  hosts: ReadonlySet<string>
  token: string | undefined
}

/** Why a request is not answered. */
export interface Refusal {
  status: 401 | 403
  message: string
}

/** Keeps out web pages that reach this address by a name of their own, and whoever lacks the token. */
export function checkRequest(
  { headers }: IncomingMessage,
  { hosts, token }: Admission,
): Refusal | undefined {
  const { host = '', origin, authorization = '' } = headers
  if (!hosts.has(host.toLowerCase()))
    return { status: 403, message: `Host ${JSON.stringify(host)} is not served here.` }
  if (origin !== undefined && !isOwnOrigin(origin, hosts))
    return { status: 403, message: `Origin ${JSON.stringify(origin)} may not call this server.` }
  if (token !== undefined && !isSame(authorization, `Bearer ${token}`))
    return {
      status: 401,
      message: 'Expected the header "Authorization: Bearer TOKEN" with the token of this server.',
    }
  return undefined
}

function isOwnOrigin(origin: string, hosts: ReadonlySet<string>): boolean {
  return URL.canParse(origin) && hosts.has(new URL(origin).host)
}

/** Takes the same time for every wrong token. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(hash(given), hash(expected))
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
