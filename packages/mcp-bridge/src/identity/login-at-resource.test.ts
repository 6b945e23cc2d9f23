import { expect, onTestFinished, test } from 'vitest'
import { connectServer } from '../connect-server.ts'
import { createOAuth } from '../login/create-oauth.ts'
import { keepInMemory } from '../login/credential.ts'
import {
  createResourceIndicators,
  startAuthorizationServer,
} from '../testing/authorization-server.support.ts'
import { openPage } from '../testing/login-stage.support.ts'
import { serve, text } from '../testing/served.support.ts'
import { createOAuthResource, type OAuthResource } from './oauth-resource.ts'

/** An authorization server whose access tokens are JWT for the resource that a client names. */
async function startAuthorization() {
  const authorization = await startAuthorizationServer(() => ({
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: createResourceIndicators('jwt'),
    },
  }))
  onTestFinished(authorization.close)
  return authorization
}

/** Serves a tool that tells who calls it, to those who log in at the issuer. */
async function serveResource(issuer: string) {
  const metadata: Record<string, unknown> = {}
  const headers: (string | undefined)[] = []
  const served = await serve(
    async (_call, _context, { identified }) => text(JSON.stringify(identified)),
    {},
    {
      resourceMetadata: metadata,
      authenticate: async (request) => {
        headers.push(request.authorization)
        return await resource.authenticate(request)
      },
    },
  )
  // Its address is known now.
  const resource: OAuthResource = createOAuthResource({
    issuer,
    audience: served.url,
    scopes: ['mcp:read'],
  })
  Object.assign(metadata, resource.metadata)
  return { served, headers }
}

test.for(['2025-11-25', '2026-07-28'] as const)(
  'the own client logs in at the issuer of a service, and a call of MCP %s knows who it is',
  async (protocolVersion) => {
    const authorization = await startAuthorization()
    const { served } = await serveResource(authorization.issuer)
    const oauth = createOAuth({ url: served.url, credentials: keepInMemory() })
    const login = await oauth.logIn({ openPage })
    expect(login).toMatchObject({ issuer: authorization.issuer })
    const transport = { kind: 'http', url: served.url } as const
    const config = { name: 'ours', transport, protocolVersion }
    const server = await connectServer(config, {}, { fetch: oauth.fetch })
    onTestFinished(server.close)
    const [tool] = server.tools()
    const result = await tool?.execute(
      { id: '1', name: tool.name, arguments: {} },
      { signal: AbortSignal.timeout(5000), root: '/', answers: {} },
    )
    expect(JSON.parse(Object(result?.content[0]).text)).toEqual({
      id: JSON.stringify(['oauth', authorization.issuer, 'ada']),
      name: 'ada',
      groups: [],
      scopes: ['mcp:read'],
    })
  },
)

test('a token that the same issuer has given for one service opens no other one', async () => {
  const authorization = await startAuthorization()
  const [first, second] = [
    await serveResource(authorization.issuer),
    await serveResource(authorization.issuer),
  ]
  const oauth = createOAuth({ url: first.served.url, credentials: keepInMemory() })
  await oauth.logIn({ openPage })
  const transport = { kind: 'http', url: first.served.url } as const
  const server = await connectServer({ name: 'ours', transport }, {}, { fetch: oauth.fetch })
  await server.close()
  const authorized = first.headers.find((header) => header !== undefined) ?? ''
  expect(authorized).toMatch(/^Bearer ey/)
  const post = async (url: string): Promise<number> =>
    (
      await fetch(url, {
        method: 'POST',
        headers: { authorization: authorized, 'content-type': 'application/json' },
        body: '{}',
      })
    ).status
  expect(await post(second.served.url)).toBe(401)
  expect(await post(first.served.url)).not.toBe(401)
})
