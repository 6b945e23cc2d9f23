import type { OAuthTokens } from '@modelcontextprotocol/client'
import { isJsonObject } from '@toolblocks/protocol'
import { parseJson, quoteName } from '@toolblocks/protocol/internal'
import { AuthorizationError } from '../wire/http-fetch.ts'
import { readScopes } from './challenge.ts'
import type { Credential } from './credential.ts'
import type { GuardedFetch } from './guarded-fetch.ts'

/** Characters of one token. A header with a longer one would be refused by most servers. */
const MAX_TOKEN_LENGTH = 16_384
/** The longest time that a token is said to be valid, in seconds: 10 years. */
const MAX_SECONDS = 10 * 365 * 24 * 60 * 60

/** Whether a text is a token that can be sent in a header (RFC 6749, A.12). */
export function isToken(text: unknown): text is string {
  return typeof text === 'string' && text.length <= MAX_TOKEN_LENGTH && /^[\x20-\x7e]+$/.test(text)
}

/** Returns a `fetch` for requests for tokens, which rejects with an `AuthorizationError` if the answer has tokens that cannot be used. */
export function checkingTokens(fetch: GuardedFetch['fetch']): GuardedFetch['fetch'] {
  return async (url, init) => {
    const response = await fetch(url, init)
    if (!response.ok) return response
    const text = await response.text()
    checkTokens(parseJson(text))
    const { status, headers } = response
    return new Response(text, { status, headers })
  }
}

function checkTokens(answer: unknown): void {
  // The SDK reports an answer that is no object, and errors with a status of success.
  if (!isJsonObject(answer) || answer['access_token'] === undefined) return
  const { access_token: access, refresh_token: refresh, token_type: type } = answer
  if (!isToken(access))
    throw refuse('"access_token" that cannot be sent in a header', 'printable ASCII')
  if (refresh !== undefined && !isToken(refresh))
    throw refuse('"refresh_token" that cannot be sent', 'printable ASCII')
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer')
    throw refuse(type === undefined ? 'no "token_type"' : `"token_type" ${show(type)}`, '"Bearer"')
  const { expires_in: seconds } = answer
  if (seconds !== undefined && readSeconds(seconds) === undefined)
    throw refuse(`"expires_in" ${show(seconds)}`, 'seconds from 0')
}

function refuse(got: string, expected: string): AuthorizationError {
  return new AuthorizationError(
    `the authorization server issued a token with ${got}; expected ${expected}`,
    { fix: 'Tell the operator of the authorization server.' },
  )
}

function show(value: unknown): string {
  return typeof value === 'string' ? quoteName(value) : (JSON.stringify(value) ?? '').slice(0, 100)
}

function readSeconds(value: unknown): number | undefined {
  const isText = typeof value === 'string' && /^\d+$/.test(value)
  const seconds = isText ? Number(value) : value
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0
    ? Math.min(seconds, MAX_SECONDS)
    : undefined
}

/** Returns the tokens that were issued. */
export function readTokens({
  access_token: accessToken,
  refresh_token: refreshToken,
  expires_in: seconds,
  scope,
}: OAuthTokens): Pick<Credential, 'accessToken' | 'refreshToken' | 'expiresAt' | 'scopes'> {
  const lasting = readSeconds(seconds)
  return {
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(lasting !== undefined && { expiresAt: Date.now() + lasting * 1000 }),
    ...(scope !== undefined && { scopes: readScopes(scope) }),
  }
}
