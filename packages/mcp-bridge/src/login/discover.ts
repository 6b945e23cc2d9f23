import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client'
import { AuthorizationError } from '../wire/http-fetch.ts'
import type { GuardedFetch } from './guarded-fetch.ts'
import type { Sdk } from './load-sdk.ts'

/** The authorization server of an MCP server, and the resource that tokens are for. */
export interface Discovered {
  /** The address of the authorization server as the server's metadata names it. */
  readonly address: string
  /**
   * The issuer identifier: it equals the address, or the metadata would have been refused. Only a slash at the end of the address may be missing, which
   * MCP's SDK for Python adds; the address of the metadata is the same without it.
   */
  readonly issuer: string
  /** Absent: an authorization server of MCP 2025-03-26 at the server's own origin, which publishes none. */
  readonly metadata?: AuthorizationServerMetadata
  /** The resource that tokens are for, as the server's metadata names it. */
  readonly resource?: string
  /** The scopes that the server supports, if it says so. */
  readonly scopes?: readonly string[]
}

/**
 * Finds the authorization server of an MCP server: from the metadata of the protected resource (RFC 9728) and that of the authorization server
 * (RFC 8414, OpenID Connect). If an issuer is expected, no other one is asked for anything. Rejects with an `AuthorizationError`, or with what `fetch` or
 * the SDK throws.
 */
export async function discover(
  server: URL,
  {
    sdk,
    fetch,
    metadataUrl,
    expected,
    refuse,
  }: {
    sdk: Sdk
    fetch: GuardedFetch['fetch']
    metadataUrl: string | undefined
    /** The issuer identifier that the authorization server must have. */
    expected: string | undefined
    /** Explains that the server names another one. */
    refuse: (named: string) => AuthorizationError
  },
): Promise<Discovered> {
  const protectedResource = await readResource(server, { sdk, fetch, metadataUrl })
  const resource = protectedResource?.resource
  // Identical (RFC 9728, 3.3): a token for a shorter address would be one for every tenant of the host.
  if (resource !== undefined && !isSameAddress(resource, server))
    throw new AuthorizationError(
      `the metadata of the server is about another resource than ${JSON.stringify(withoutHash(server))}`,
      {
        fix: 'Check "url", and ask the operator of the server to correct "resource" in its metadata.',
        serverText: resource,
      },
    )
  const listed = protectedResource?.authorization_servers ?? []
  const own = new URL('/', server).href
  const isExpected = (each: string): boolean => each === expected || each === `${expected}/`
  const address = listed.find(isExpected) ?? listed[0] ?? own
  if (expected !== undefined && listed.length > 0 && !isExpected(address)) throw refuse(address)
  const metadata = await sdk.discoverAuthorizationServerMetadata(address, {
    fetchFn: fetch,
    // Nothing named an issuer, so it cannot be equal: it must be at the server's own origin.
    skipIssuerValidation: listed.length === 0,
  })
  if (metadata && listed.length === 0 && URL.parse(metadata.issuer)?.origin !== server.origin)
    throw new sdk.IssuerMismatchError('metadata', own, metadata.issuer)
  if (!metadata && address !== own)
    throw new AuthorizationError('the authorization server publishes no metadata', {
      fix: 'Ask the operator of the server to correct "authorization_servers" in its metadata.',
      serverText: address,
    })
  const issuer = metadata?.issuer ?? address
  if (expected !== undefined && issuer !== expected) throw refuse(issuer)
  return {
    address,
    issuer,
    ...(metadata && { metadata }),
    ...(resource !== undefined && { resource }),
    ...(protectedResource?.scopes_supported && { scopes: protectedResource.scopes_supported }),
  }
}

/** Whether a text is the address of the server. A browser writes an address without a path with a slash. */
function isSameAddress(text: string, server: URL): boolean {
  const address = URL.parse(text)
  return address?.hash === '' && address.href === withoutHash(server)
}

function withoutHash(server: URL): string {
  const address = new URL(server)
  address.hash = ''
  return address.href
}

type ResourceMetadata = Awaited<ReturnType<Sdk['discoverOAuthProtectedResourceMetadata']>>

async function readResource(
  server: URL,
  {
    sdk,
    fetch,
    metadataUrl,
  }: { sdk: Sdk; fetch: GuardedFetch['fetch']; metadataUrl: string | undefined },
): Promise<ResourceMetadata | undefined> {
  try {
    const options = metadataUrl === undefined ? {} : { resourceMetadataUrl: metadataUrl }
    return await sdk.discoverOAuthProtectedResourceMetadata(server, options, fetch)
  } catch (error) {
    if (error instanceof AuthorizationError || error instanceof TypeError) throw error
    const isMissing = error instanceof Error && /does not implement|^HTTP 4/.test(error.message)
    // A server without this metadata is its own authorization server, as in MCP 2025-03-26.
    if (isMissing && metadataUrl === undefined) return undefined
    throw new AuthorizationError('the metadata of the server about authorization cannot be read', {
      fix: 'Try again later, or ask the operator of the server.',
      transient: true,
      cause: error,
    })
  }
}
