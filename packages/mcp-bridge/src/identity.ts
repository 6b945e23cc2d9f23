export {
  type Authenticate,
  type Authenticated,
  type ClientIdentity,
} from './identity/client-identity.ts'
export {
  createOAuthResource,
  type OAuthResource,
  type OAuthResourceOptions,
} from './identity/oauth-resource.ts'
export { IssuerError } from './identity/issuer-keys.ts'
export type { IntrospectionOptions } from './identity/introspection.ts'
export {
  authenticateByTokens,
  findClientOfToken,
  type HashedToken,
  hashToken,
  type TokenClient,
} from './identity/client-tokens.ts'
