export { createOAuth, type OAuth, type OAuthOptions } from './login/create-oauth.ts'
export {
  type Credential,
  type CredentialStore,
  keepInMemory,
  type LoginStatus,
  type RegisteredClient,
} from './login/credential.ts'
export { fetchWithProvider } from './login/fetch-with-provider.ts'
export {
  listenForRedirect,
  type LoginParties,
  type RedirectPage,
  type WantedRedirect,
} from './login/listen-for-redirect.ts'
export type { LoginOptions } from './login/perform-login.ts'
export type { DescribeLogin } from './login/refuse-issuer.ts'
export type { OAuthClientSettings } from './login/register-client.ts'
