import { timingSafeEqual } from 'node:crypto'
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client'
import { AuthorizationError } from '../wire/http-fetch.ts'
import type { Sdk } from './load-sdk.ts'

const AGAIN = 'Log in again.'

/**
 * Returns the code in the answer of an authorization server: the address to which it sent the browser, or the code alone. Throws an
 * `AuthorizationError` if the answer belongs to another login, comes from another issuer (RFC 9207), or is a refusal. The text of a refusal is read
 * only after its issuer was compared.
 */
export function readAnswer(
  answer: string,
  {
    sdk,
    state,
    redirectUrl,
    metadata,
    issuer,
  }: {
    sdk: Sdk
    state: string
    redirectUrl: string
    metadata: AuthorizationServerMetadata | undefined
    issuer: string
  },
): string {
  const text = answer.trim()
  const isPromised = metadata?.authorization_response_iss_parameter_supported === true
  const address = URL.parse(text)
  if (!address || !/^https?:$/.test(address.protocol)) {
    if (!/^[\x21-\x7e]{1,2048}$/.test(text))
      throw new AuthorizationError('the answer is neither an address nor a code', { fix: AGAIN })
    if (isPromised)
      throw new AuthorizationError(
        'a code alone does not say which authorization server issued it',
        {
          fix: 'Log in again, and paste the complete address of the page that the browser could not open.',
        },
      )
    return text
  }
  const wanted = new URL(redirectUrl)
  if (address.origin !== wanted.origin || address.pathname !== wanted.pathname)
    throw new AuthorizationError(`the answer is not an address below ${redirectUrl}`, {
      fix: AGAIN,
    })
  const { searchParams } = address
  const twice = ['state', 'iss', 'code', 'error'].find(
    (name) => searchParams.getAll(name).length > 1,
  )
  if (twice !== undefined)
    throw new AuthorizationError(`the answer has the parameter "${twice}" more than once`, {
      fix: AGAIN,
    })
  if (!isSame(searchParams.get('state') ?? '', state))
    throw new AuthorizationError('the answer belongs to another login', { fix: AGAIN })
  sdk.validateAuthorizationResponseIssuer({
    iss: searchParams.get('iss') ?? undefined,
    expectedIssuer: issuer,
    issParameterSupported: isPromised,
  })
  const code = searchParams.get('code')
  if (code !== null && code !== '') return code
  const errorTexts = [searchParams.get('error'), searchParams.get('error_description')].filter(
    (each) => each !== null,
  )
  throw new AuthorizationError('the authorization server granted no access', {
    fix: AGAIN,
    ...(errorTexts.length > 0 && { serverText: errorTexts.join(': ') }),
  })
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.byteLength === right.byteLength && timingSafeEqual(left, right)
}
