export {
  createOAuth,
  type LoginOptions,
  type OAuth,
  type OAuthOptions,
  type WantedRedirect,
} from './oauth/create-oauth.ts'
export {
  type Credential,
  type CredentialStore,
  keepInMemory,
  type LoginStatus,
  type RegisteredClient,
} from './oauth/credential.ts'
export { fetchWithProvider } from './oauth/fetch-with-provider.ts'
export { listenForRedirect, type RedirectPage } from './oauth/listen-for-redirect.ts'
export type { OAuthClientSettings } from './oauth/register-client.ts'
