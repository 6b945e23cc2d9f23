import type * as joseModule from 'jose'
import type { JSONWebKeySet, JWTPayload } from 'jose'
import type { JsonObject } from '@toolblocks/protocol'
import { describeMissingPeer, requireArguments } from '@toolblocks/protocol/internal'
import { type Authenticate, type Authenticated, readBearer } from './client-identity.ts'
import { createIntrospection, type Introspect, type IntrospectionOptions } from './introspection.ts'
import { createIssuerKeys } from './issuer-keys.ts'

/** Whose tokens a service accepts, and for what. */
export interface OAuthResourceOptions {
  /** The issuer of the tokens, exactly as in their `iss` and in its metadata. */
  readonly issuer: string
  /** The address of this service, as clients request it: `https://tools.example/mcp`. Tokens are for it: it must be in their `aud`. */
  readonly audience: string
  /** The scopes that every token needs. Default: none. */
  readonly scopes?: readonly string[]
  /** The claim that identifies a person or program at the issuer. Default: `sub`. */
  readonly identityClaim?: string
  /** The claim with the name for people. Default: that of `identityClaim`. */
  readonly nameClaim?: string
  /** The claim with the groups. Default: `groups`. */
  readonly groupsClaim?: string
  /** The algorithms of signatures; only asymmetric ones are allowed. Default: ES256, ES384, ES512, PS256, PS384, PS512, RS256, RS384, RS512, EdDSA. */
  readonly algorithms?: readonly string[]
  /** Seconds by which the clock of the issuer may differ. Default: 10. */
  readonly toleranceSeconds?: number
  /** Asks the issuer about tokens that are not JWT. Default: only JWT are accepted. */
  readonly introspection?: IntrospectionOptions
  /** Hosts inside a network that the metadata of the issuer may name. That of the issuer itself is allowed. */
  readonly allowHosts?: readonly string[]
}

/** A service as a protected resource. */
export interface OAuthResource {
  /** For `serveHttp`. */
  readonly authenticate: Authenticate
  /** The metadata that clients read to log in (RFC 9728), for `resourceMetadata` of `serveHttp`. */
  readonly metadata: JsonObject
}

const ASYMMETRIC = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
  'EdDSA',
]
/** Types of tokens: of RFC 9068, and those of issuers that say less. A token for something else, such as a logout, has another one. */
const TYPES: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'at+jwt', 'application/at+jwt'])
const TOLERANCE_SECONDS = 10
/** The form of a signed token. All others can only be explained by the issuer. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/
/** Characters of an identity and of all groups. They travel in a header between replicas. */
const MAX_IDENTITY = 500
const MAX_GROUPS = 4000

/**
 * Accepts the access tokens of an issuer (JWT, RFC 9068, or any with `introspection`, RFC 7662), as a resource server of OAuth. `jose`, an optional peer, checks JWT; it is loaded with the first token. Throws a
 * `TypeError` for an algorithm that is not asymmetric.
 */
export function createOAuthResource(options: OAuthResourceOptions): OAuthResource {
  requireArguments('createOAuthResource(options)', [options, 'object'])
  const { issuer, audience, scopes = [], algorithms = ASYMMETRIC, allowHosts = [] } = options
  const other = algorithms.find((each) => !ASYMMETRIC.includes(each))
  if (other !== undefined)
    throw new TypeError(
      `"algorithms": ${JSON.stringify(other)} is not one of ${ASYMMETRIC.join(', ')}.`,
    )
  const keys = createIssuerKeys(issuer, { allowHosts })
  const tolerance = options.toleranceSeconds ?? TOLERANCE_SECONDS
  const introspect =
    options.introspection && createIntrospection(issuer, { ...options.introspection, allowHosts })
  const { origin, pathname } = new URL(audience)
  const about = [
    `resource_metadata="${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}"`,
    ...(scopes.length > 0 ? [`scope="${scopes.join(' ')}"`] : []),
  ]

  function refuse(
    status: 401 | 403,
    message: string,
    code?: 'invalid_token' | 'insufficient_scope',
  ): Authenticated {
    const parts = [...(code === undefined ? [] : [`error="${code}"`]), ...about]
    return { ok: false, status, message, challenge: `Bearer ${parts.join(', ')}` }
  }

  async function verify(token: string): Promise<JWTPayload | undefined> {
    const jose = await loadJose()
    const check = async (set: JsonObject): Promise<JWTPayload | undefined> => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- jose checks each key
      const getKey = jose.createLocalJWKSet(set as unknown as JSONWebKeySet)
      const { payload, protectedHeader } = await jose.jwtVerify(token, getKey, {
        issuer,
        audience,
        algorithms: [...algorithms],
        clockTolerance: tolerance,
        requiredClaims: ['exp'],
      })
      return TYPES.has(protectedHeader.typ?.toLowerCase()) ? payload : undefined
    }
    try {
      return await check(await keys.read())
    } catch (error) {
      if (error instanceof jose.errors.JWKSNoMatchingKey)
        return await check(await keys.read({ isUnknown: true })).catch((again: unknown) =>
          refuseToken(again, jose.errors.JOSEError),
        )
      return refuseToken(error, jose.errors.JOSEError)
    }
  }

  /** Returns what the issuer says of a token, if it is for this service and for now. */
  async function ask(introspection: Introspect, token: string): Promise<JWTPayload | undefined> {
    const claims = await introspection(token)
    if (!claims) return undefined
    const { iss, token_type: type = 'bearer' } = claims
    // The answer about a refresh token is "active", too.
    if (typeof type !== 'string' || type.toLowerCase() !== 'bearer') return undefined
    if (iss !== undefined && iss !== issuer) return undefined
    if (!readTexts(claims, 'aud').includes(audience)) return undefined
    const seconds = Date.now() / 1000
    const [exp, nbf, iat] = ['exp', 'nbf', 'iat'].map((name) => claims[name])
    if (![exp, nbf, iat].every((time) => time === undefined || typeof time === 'number'))
      return undefined
    if (typeof exp === 'number' && seconds >= exp + tolerance) return undefined
    if (typeof nbf === 'number' && seconds < nbf - tolerance) return undefined
    return claims
  }

  return {
    metadata: {
      resource: audience,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      ...(scopes.length > 0 && { scopes_supported: [...scopes] }),
    },
    authenticate: async ({ authorization }) => {
      const token = readBearer(authorization)
      if (token === undefined)
        return refuse(
          401,
          'Expected the header "Authorization: Bearer TOKEN" with an access token.',
        )
      const isOpaque = introspect !== undefined && !JWT.test(token)
      const claims = isOpaque ? await ask(introspect, token) : await verify(token)
      const isEarly = (claims?.iat ?? 0) > Date.now() / 1000 + tolerance
      // A token that is bound to a key proves nothing without the key.
      if (!claims || isEarly || claims['cnf'] !== undefined)
        return refuse(401, 'The access token is not valid for this service.', 'invalid_token')
      const { identityClaim = 'sub', nameClaim = identityClaim, groupsClaim = 'groups' } = options
      const id = readText(claims, identityClaim)
      if (id === undefined)
        return refuse(401, `The access token has no claim "${identityClaim}".`, 'invalid_token')
      const groups = readTexts(claims, groupsClaim)
      if (groups.join(' ').length > MAX_GROUPS)
        return refuse(403, `The access token has too many groups in "${groupsClaim}".`)
      const granted = [...readTexts(claims, 'scope'), ...readTexts(claims, 'scp')].flatMap((each) =>
        each.split(' '),
      )
      const missing = scopes.filter((each) => !granted.includes(each))
      if (missing.length > 0)
        return refuse(403, `The access token needs ${missing.join(' ')}.`, 'insufficient_scope')
      return {
        ok: true,
        identity: {
          id: JSON.stringify(['oauth', issuer, id]),
          name: readText(claims, nameClaim) ?? id,
          groups,
          scopes: granted.filter((each) => scopes.includes(each)),
        },
        ...(claims.exp !== undefined && { expires: (claims.exp + tolerance) * 1000 }),
      }
    },
  }
}

function refuseToken(error: unknown, kind: new (...parameters: never[]) => Error): undefined {
  if (error instanceof kind) return undefined
  throw error
}

function readText(claims: JWTPayload, name: string): string | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined
  const isText = typeof value === 'string' && value !== '' && value.length <= MAX_IDENTITY
  return isText ? value : undefined
}

function readTexts(claims: JWTPayload, name: string): readonly string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

async function loadJose(): Promise<typeof joseModule> {
  // Bundlers leave a missing package out of "try".
  try {
    return await import('jose')
  } catch (error) {
    throw describeMissingPeer(error, { entry: '@toolblocks/mcp-bridge/identity', peer: 'jose' })
  }
}
