import { ClientCredentialsProvider } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { connectServer } from '../connect-server.ts'
import {
  startAuthorizationServer,
  startProtectedServer,
} from '../testing/authorization-server.support.ts'
import { fetchWithProvider } from './fetch-with-provider.ts'

/** With characters that have a meaning in forms and in Basic authentication (RFC 6749, 2.3.1). */
const client = { clientId: 'a:program', clientSecret: 'of+the %41 tests: ~' }

async function connect(clientSecret: string): Promise<Awaited<ReturnType<typeof connectServer>>> {
  const authorization = await startAuthorizationServer(() => ({
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [],
        response_types: [],
        grant_types: ['client_credentials'],
      },
    ],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx, resource) => ({
          scope: 'mcp:read',
          audience: resource,
          accessTokenFormat: 'opaque',
        }),
      },
    },
  }))
  onTestFinished(authorization.close)
  const { issuer, provider } = authorization
  const server = await startProtectedServer({
    issuer,
    provider: { AccessToken: provider.ClientCredentials },
  })
  onTestFinished(server.close)
  const fetch = fetchWithProvider(
    new ClientCredentialsProvider({ ...client, clientSecret }),
    server,
  )
  const transport = { kind: 'http', url: server.url } as const
  return await connectServer({ name: 'greeter', transport }, {}, { fetch })
}

test('a program without a person logs in with its own credentials', async () => {
  const server = await connect(client.clientSecret)
  onTestFinished(server.close)
  expect(server.tools()).toMatchObject([{ name: 'greeter__greet' }])
})

test('a program whose credentials are refused is not connected', async () => {
  await expect(connect('wrong')).rejects.toMatchObject({
    code: 'unauthorized',
    reason: 'the authorization server issued no token',
    fix: 'Check the credentials of the program.',
  })
})

test('the metadata of the server is requested by the same rules as for a person', async () => {
  const server = await startProtectedServer({
    issuer: 'https://10.0.0.1',
    provider: { AccessToken: { find: async () => undefined } },
  })
  onTestFinished(server.close)
  const fetch = fetchWithProvider(new ClientCredentialsProvider(client), server)
  const transport = { kind: 'http', url: server.url } as const
  await expect(connectServer({ name: 'greeter', transport }, {}, { fetch })).rejects.toMatchObject({
    code: 'unauthorized',
  })
})
