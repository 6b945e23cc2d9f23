import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { AnswerError, describeAddress, fetchAnswer } from '../wire/fetch-answer.ts'
import { AuthorizationError } from '../wire/http-fetch.ts'
import {
  isInnerAddress,
  isLoopbackAddress,
  isLoopbackHost,
  withoutBrackets,
} from './inner-address.ts'

/** Milliseconds for one request about authorization, from the look-up of its host to the last byte. */
const MAX_MS = 10_000
/** Bytes of one response: metadata, a registration, or tokens. */
const MAX_BYTES = 256 * 1024

/** Which addresses the data of a server may name. */
export interface AddressRules {
  /** The URL of the MCP server, which the user has configured. Its own origin may be requested. */
  readonly server: URL
  /** Hosts that may have an inner address, with a port where only that port is allowed. */
  readonly allowHosts: readonly string[]
}

/** The limits of one response. */
interface ResponseLimits {
  readonly maxMs: number
  readonly maxBytes: number
}

/** Requests about authorization, whose addresses come from a server. */
export interface GuardedFetch {
  /** Sends a request and reads the complete response. Follows no redirect. Rejects with an `AuthorizationError`, or a `TypeError` as `fetch` does. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>
  /** Rejects with an `AuthorizationError` if a browser must not be sent to the address. */
  check(url: URL): Promise<void>
}

/**
 * Creates a `fetch` for addresses that a server names: https, or http to this machine; never an inner address, unless the user allows its host or
 * the server itself is on this machine. The address that was checked is the one that is connected.
 */
export function createGuardedFetch(
  rules: AddressRules,
  { maxMs, maxBytes }: ResponseLimits = { maxMs: MAX_MS, maxBytes: MAX_BYTES },
): GuardedFetch {
  return {
    fetch: async (address, init = {}) => {
      const url = new URL(address)
      checkForm(url, rules)
      const options = { lookup: createLookup(url, rules), headMs: maxMs, totalMs: maxMs, maxBytes }
      try {
        const response = await fetchAnswer(url, init, options)
        const { status, headers } = response
        const body = response.body && (await response.arrayBuffer())
        return new Response(body, { status, headers })
      } catch (error) {
        if (error instanceof AnswerError)
          throw refuse(url, error.what, { transient: error.kind === 'late', fix: error.fix })
        // What refused the address before the connection was made.
        const cause = error instanceof Error ? error.cause : undefined
        throw cause instanceof AuthorizationError ? cause : error
      }
    },
    check: async (url) => {
      checkForm(url, rules)
      if (isIP(withoutBrackets(url.hostname)) !== 0) return
      await new Promise<void>((resolve, reject) => {
        createLookup(url, rules)(url.hostname, { all: true }, (error) => {
          // The browser resolves the name itself, perhaps through a proxy that this program does not use.
          if (error instanceof AuthorizationError) reject(error)
          else resolve()
        })
      })
    },
  }
}

/** Checks what the text of an address says by itself. */
function checkForm(url: URL, rules: AddressRules): void {
  const address = withoutBrackets(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname)))
    throw refuse(url, 'is neither https nor http on this machine')
  if (url.username !== '' || url.password !== '') throw refuse(url, 'contains a user name')
  if (isIP(address) !== 0 && !isAllowed(address, url, rules)) throw refuseInner(url)
}

/** Looks a host up, and fails if one of its addresses must not be connected. */
function createLookup(url: URL, rules: AddressRules): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, [])
      if (!addresses.every(({ address }) => isAllowed(address, url, rules)))
        return done(refuseInner(url), [])
      if (options.all) return done(null, addresses)
      const [first] = addresses
      done(null, first?.address ?? '', first?.family)
    })
  }
}

function isAllowed(address: string, url: URL, { server, allowHosts }: AddressRules): boolean {
  if (!isInnerAddress(address)) return true
  if (url.origin === server.origin) return true
  if (allowHosts.includes(url.host) || allowHosts.includes(url.hostname)) return true
  return isLoopbackAddress(address) && isLoopbackHost(server.hostname)
}

function refuseInner(url: URL): AuthorizationError {
  return refuse(url, 'is an address inside a network', {
    fix: `If you know this host, allow it: oauth = { allow_hosts = [${JSON.stringify(url.host)}] }.`,
  })
}

function refuse(
  url: URL,
  why: string,
  {
    transient = false,
    fix = 'Ask the operator of the server to correct its addresses.',
  }: { transient?: boolean; fix?: string } = {},
): AuthorizationError {
  return new AuthorizationError(
    `${describeAddress(url)}, which the server names for authorization, ${why}`,
    { fix, transient },
  )
}
