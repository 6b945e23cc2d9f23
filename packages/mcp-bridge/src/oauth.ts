export { createOAuth, type OAuth, type OAuthOptions } from './login/create-oauth.ts'
export {
  type Credential,
  type CredentialStore,
  keepInMemory,
  type LoginStatus,
} from './login/credential.ts'
export { listenForRedirect } from './login/listen-for-redirect.ts'
export { type BegunLogin, type LoginOptions } from './login/perform-login.ts'
export { fetchWithProvider } from './login/fetch-with-provider.ts'
