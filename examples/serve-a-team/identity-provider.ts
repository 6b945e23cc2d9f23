// An issuer for trying: a page asks for a name, and any password is right. In its place, name the issuer of your organisation in toolblocks.toml.
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

const issuer = process.env['ISSUER'] ?? 'http://localhost:9000'

const provider = new Provider(issuer, {
  scopes: ['openid', 'offline_access', 'mcp:use'],
  // Clients register themselves. Those of people's machines listen at a port of localhost.
  clientDefaults: { application_type: 'native', token_endpoint_auth_method: 'none' },
  features: {
    devInteractions: { enabled: true },
    registration: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      // A token is for the address for which a client asked, and for no other one.
      getResourceServerInfo: (_context, resource) => ({
        scope: 'mcp:use offline_access',
        audience: resource,
        accessTokenFormat: 'jwt',
      }),
    },
  },
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  extraTokenClaims: (_context, token) =>
    'accountId' in token && token.accountId.startsWith('guest') ? { groups: ['guests'] } : {},
  cookies: { keys: ['for-trying'] },
})

createServer(provider.callback()).listen(
  Number(new URL(issuer).port),
  process.env['HOST'] ?? '127.0.0.1',
  () => console.log(`People log in at ${issuer}.`),
)
