export {
  type Authenticate,
  type Authenticated,
  type ClientIdentity,
} from './identity/client-identity.ts'
export {
  authenticateByTokens,
  type HashedToken,
  hashToken,
  type TokenClient,
} from './identity/client-tokens.ts'
