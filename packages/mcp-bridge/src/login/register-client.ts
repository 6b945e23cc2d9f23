import { AuthorizationError } from '../wire/http-fetch.ts'
import type { RegisteredClient } from './credential.ts'
import type { Discovered } from './discover.ts'
import type { GuardedFetch } from './guarded-fetch.ts'
import type { Sdk } from './load-sdk.ts'

/** How the user has registered this program at the authorization server; empty: it registers itself. */
export interface OAuthClientSettings {
  /** The name of the program that the authorization server shows to a person. Default: `Toolblocks`. */
  readonly name?: string
  readonly id?: string
  /** The secret that belongs to `id`. Absent: a public client. */
  readonly secret?: string
  /** The https address of a client ID metadata document, which is the ID where the authorization server supports such documents. */
  readonly metadataUrl?: string
  /** The port of the redirect address, where the registration requires one. Default: a free port. */
  readonly redirectPort?: number
}

/** Returns how the authorization server knows this program, and registers it if it is unknown. */
export async function registerClient(
  { address, metadata }: Discovered,
  {
    sdk,
    fetch,
    settings,
    known,
    redirectUrl,
    scopes,
  }: {
    sdk: Sdk
    fetch: GuardedFetch['fetch']
    settings: OAuthClientSettings
    /** What the same authorization server has registered before. */
    known: RegisteredClient | undefined
    redirectUrl: string
    /** The scopes of the login. An authorization server may grant no scope that is not registered. */
    scopes: readonly string[]
  },
): Promise<RegisteredClient> {
  const { name = 'Toolblocks', id, secret, metadataUrl } = settings
  if (id !== undefined) return { id, ...(secret !== undefined && { secret }) }
  if (metadataUrl !== undefined && metadata?.client_id_metadata_document_supported === true)
    return { id: metadataUrl, method: 'none' }
  const isCovered = scopes.every((scope) => known?.scopes?.includes(scope) ?? true)
  if (known?.redirectUrl === redirectUrl && isCovered) return known
  if (metadata && metadata.registration_endpoint === undefined)
    throw new AuthorizationError('the authorization server does not register programs by itself', {
      fix: `Register this program there by hand, with the redirect address ${redirectUrl}, and configure its ID: oauth = { client_id = "…" }.`,
    })
  const methods = metadata?.token_endpoint_auth_methods_supported ?? ['none']
  const method = ['none', 'client_secret_basic', 'client_secret_post'].find((each) =>
    methods.includes(each),
  )
  const { client_id, client_secret, token_endpoint_auth_method } = await sdk.registerClient(
    address,
    {
      ...(metadata && { metadata }),
      clientMetadata: {
        client_name: name,
        redirect_uris: [redirectUrl],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        application_type: 'native',
        ...(method !== undefined && { token_endpoint_auth_method: method }),
      },
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
      fetchFn: fetch,
    },
  )
  return {
    id: client_id,
    ...(client_secret !== undefined && { secret: client_secret }),
    ...(token_endpoint_auth_method !== undefined && { method: token_endpoint_auth_method }),
    redirectUrl,
    ...(scopes.length > 0 && { scopes }),
  }
}

/** Returns a client in the form of the SDK. */
export function toClientInformation({ id, secret, method }: RegisteredClient): {
  client_id: string
  client_secret?: string
  token_endpoint_auth_method?: string
} {
  return {
    client_id: id,
    ...(secret !== undefined && { client_secret: secret }),
    ...(method !== undefined && { token_endpoint_auth_method: method }),
  }
}
