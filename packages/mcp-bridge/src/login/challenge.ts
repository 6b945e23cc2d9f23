import type { Sdk } from './load-sdk.ts'
import type { Discovered } from './discover.ts'

/** What a server said about authorization in a refusal. */
export interface Challenge {
  /** The address of its metadata. */
  readonly metadataUrl?: string
  readonly scopes: readonly string[]
}

/** Reads the words of a scope (RFC 6749, 3.3); others are left out. */
export function readScopes(text: string | undefined): readonly string[] {
  const scopes = (text ?? '')
    .split(' ')
    .filter((word) => /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/.test(word))
  return [...new Set(scopes)].slice(0, 64)
}

/**
 * Returns the scopes to request: the wanted ones, or those that the server's metadata names, and `offline_access` where the authorization server
 * knows it, because it stands for a refresh token.
 */
export function chooseScopes(
  wanted: readonly string[],
  { scopes = [], metadata }: Discovered,
): readonly string[] {
  const chosen = readScopes((wanted.length > 0 ? wanted : scopes).join(' '))
  const isOffered = metadata?.scopes_supported?.includes('offline_access') === true
  return chosen.length > 0 && isOffered ? [...new Set([...chosen, 'offline_access'])] : chosen
}

export function readChallenge(sdk: Sdk, response: Response): Challenge {
  const { resourceMetadataUrl, scope } = sdk.extractWWWAuthenticateParams(response)
  return {
    ...(resourceMetadataUrl && { metadataUrl: resourceMetadataUrl.href }),
    scopes: readScopes(scope),
  }
}

/** Returns the scopes that a refused request requires; `undefined` if it was refused for another reason. */
export function readMissingScopes(sdk: Sdk, response: Response): readonly string[] | undefined {
  const { error, scope } = sdk.extractWWWAuthenticateParams(response)
  return error === 'insufficient_scope' ? readScopes(scope) : undefined
}
