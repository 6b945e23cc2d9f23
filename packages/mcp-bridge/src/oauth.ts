export { createOAuth, type OAuth, type OAuthOptions } from './oauth/create-oauth.ts'
export {
  type Credential,
  type CredentialStore,
  keepInMemory,
  type LoginStatus,
  type RegisteredClient,
} from './oauth/credential.ts'
export { fetchWithProvider } from './oauth/fetch-with-provider.ts'
export {
  listenForRedirect,
  type LoginParties,
  type RedirectPage,
  type WantedRedirect,
} from './oauth/listen-for-redirect.ts'
export type { LoginOptions } from './oauth/perform-login.ts'
export type { DescribeLogin } from './oauth/refuse-issuer.ts'
export type { OAuthClientSettings } from './oauth/register-client.ts'
