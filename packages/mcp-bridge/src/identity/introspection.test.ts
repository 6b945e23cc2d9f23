import { expect, onTestFinished, test } from 'vitest'
import { connectServer } from '../connect-server.ts'
import { createOAuth } from '../login/create-oauth.ts'
import { keepInMemory } from '../login/credential.ts'
import {
  createResourceIndicators,
  startAuthorizationServer,
} from '../testing/authorization-server.support.ts'
import { type Issuer, startIssuer } from '../testing/issuer.support.ts'
import { openPage } from '../testing/login-stage.support.ts'
import { INITIALIZE, send } from '../testing/replicas.support.ts'
import { serve, text } from '../testing/served.support.ts'
import { createIntrospection } from './introspection.ts'
import { createOAuthResource, type OAuthResource } from './oauth-resource.ts'

const AUDIENCE = 'https://tools.example/mcp'
const SECRET = 'a secret: of 100 % + more'
const now = (): number => Math.floor(Date.now() / 1000)

/** Starts an issuer that gives this answer to every question about a token. */
async function startAnsweringIssuer(answer: unknown): Promise<Issuer> {
  const issuer = await startIssuer('oauth-authorization-server')
  onTestFinished(issuer.close)
  issuer.introspection.answer = () => answer
  return issuer
}

/** A token of this issuer for this service. */
const claimsOf = (issuer: string): Record<string, unknown> => ({
  active: true,
  iss: issuer,
  aud: AUDIENCE,
  sub: 'ann',
  exp: now() + 60,
  token_type: 'Bearer',
  scope: 'openid mcp:use',
})

async function setUp(change: Record<string, unknown> = {}) {
  const issuer = await startAnsweringIssuer(undefined)
  issuer.introspection.answer = () => ({ ...claimsOf(issuer.address), ...change })
  const resource = createOAuthResource({
    issuer: issuer.address,
    audience: AUDIENCE,
    scopes: ['mcp:use'],
    introspection: { clientId: 'the service', clientSecret: SECRET },
  })
  const check = async (token = 'opaque') =>
    await resource.authenticate({ authorization: `Bearer ${token}` })
  return { issuer, resource, check }
}

test('the issuer says who has a token that says nothing itself, and is asked once for a while', async () => {
  const { issuer, check } = await setUp({ groups: ['devs'] })
  const expected = {
    ok: true,
    identity: {
      id: JSON.stringify(['oauth', issuer.address, 'ann']),
      name: 'ann',
      groups: ['devs'],
      scopes: ['mcp:use'],
    },
  }
  expect(await check()).toMatchObject(expected)
  expect(await check()).toMatchObject(expected)
  expect(issuer.introspected).toEqual([
    {
      authorization: `Basic ${Buffer.from('the+service:a+secret%3A+of+100+%25+%2B+more').toString('base64')}`,
      body: 'token=opaque&token_type_hint=access_token',
    },
  ])
})

test.for([
  ['that is not active', { active: false }],
  ['for another service', { aud: 'https://other.example/mcp' }],
  ['for every service', { aud: undefined }],
  ['of another issuer', { iss: 'https://evil.example' }],
  ['that has expired', { exp: now() - 60 }],
  ['that is not valid yet', { nbf: now() + 60 }],
  ['that was issued in the future', { iat: now() + 60 }],
  ['whose time is a text', { exp: '9999999999' }],
  ['that is bound to a key', { cnf: { jkt: 'x' } }],
  ['that is a refresh token', { token_type: 'refresh_token' }],
  ['that is for proofs of possession', { token_type: 'DPoP' }],
  ['that names nobody', { sub: undefined }],
] as const)('a token %s is refused', async ([, change]) => {
  const { check } = await setUp(change)
  expect(await check()).toMatchObject({ ok: false, status: 401 })
})

test('a token without the scope is refused, and the challenge names it', async () => {
  const { check } = await setUp({ scope: 'other' })
  const refused = {
    ok: false,
    status: 403,
    challenge: expect.stringContaining('insufficient_scope'),
  }
  expect(await check()).toMatchObject(refused)
})

test('a JWT is never sent to the issuer', async () => {
  const { check, issuer } = await setUp()
  await check('eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.').catch(() => undefined)
  expect(issuer.introspected).toEqual([])
})

test.for([
  ['fails', { status: 500 }],
  ['refuses the service', { status: 401 }],
  ['does not say it', { answer: () => ({ active: 'true', sub: 'ann' }) }],
  ['says nothing', { answer: () => undefined }],
])('while the issuer %s, a request may be repeated', async ([, change]) => {
  const { issuer, resource, check } = await setUp()
  Object.assign(issuer.introspection, change)
  await expect(check()).rejects.toMatchObject({ name: 'IssuerError' })
  const served = await serve(async () => text('x'), {}, { authenticate: resource.authenticate })
  expect((await send({ ...served, token: 'opaque' }, INITIALIZE)).status).toBe(503)
  issuer.introspection = { status: 200, answer: () => claimsOf(issuer.address) }
  expect((await send({ ...served, token: 'opaque' }, INITIALIZE)).status).toBe(200)
})

test('an answer counts for at most 30 seconds, and never longer than the token', async () => {
  const issuer = await startAnsweringIssuer({ active: true, exp: 100 })
  let time = 60_000
  const introspect = createIntrospection(issuer.address, { clientId: 'x', now: () => time })
  const ask = async (): Promise<number> => {
    await introspect('token')
    return issuer.introspected.length
  }
  expect(await ask()).toBe(1)
  expect(issuer.introspected[0]).toEqual({
    authorization: undefined,
    body: 'token=token&token_type_hint=access_token&client_id=x',
  })
  time += 29_999
  expect(await ask()).toBe(1)
  time += 1
  expect(await ask()).toBe(2)
  // 100 s: the token has expired.
  time = 100_000
  expect(await ask()).toBe(3)
  issuer.introspection.answer = () => ({ active: false })
  time += 1
  expect(await ask()).toBe(4)
  time += 2000
  expect(await ask()).toBe(5)
})

test('the secret is sent as the issuer wants it', async () => {
  const { issuer, check } = await setUp()
  issuer.metadata['introspection_endpoint_auth_methods_supported'] = [
    'client_secret_post',
    'private_key_jwt',
  ]
  await check()
  expect(issuer.introspected[0]?.authorization).toBeUndefined()
  expect(new URLSearchParams(issuer.introspected[0]?.body).get('client_secret')).toBe(SECRET)
})

test('many requests at once with one token ask once', async () => {
  const { issuer, check } = await setUp()
  await Promise.all(Array.from({ length: 20 }, async () => await check()))
  expect(issuer.introspected).toHaveLength(1)
})

test('a login at oidc-provider with an opaque token opens the service until it is revoked, and the refresh token does not', async () => {
  const authorization = await startAuthorizationServer(() => ({
    clients: [
      {
        client_id: 'service',
        client_secret: SECRET,
        redirect_uris: [],
        grant_types: [],
        response_types: [],
      },
    ],
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true },
      introspection: { enabled: true },
      resourceIndicators: createResourceIndicators('opaque'),
    },
  }))
  onTestFinished(authorization.close)
  const metadata: Record<string, unknown> = {}
  const served = await serve(
    async (_call, _context, { identified }) => text(JSON.stringify(identified)),
    {},
    {
      resourceMetadata: metadata,
      authenticate: async (request) => await resource.authenticate(request),
    },
  )
  const create = (): OAuthResource =>
    createOAuthResource({
      issuer: authorization.issuer,
      audience: served.url,
      scopes: ['mcp:read'],
      introspection: { clientId: 'service', clientSecret: SECRET },
    })
  const resource = create()
  Object.assign(metadata, resource.metadata)
  const credentials = keepInMemory()
  const oauth = createOAuth({ url: served.url, credentials })
  await oauth.logIn({ openPage })
  const transport = { kind: 'http', url: served.url } as const
  const server = await connectServer({ name: 'ours', transport }, {}, { fetch: oauth.fetch })
  onTestFinished(server.close)
  const [tool] = server.tools()
  const result = await tool?.execute(
    { id: '1', name: tool.name, arguments: {} },
    { signal: AbortSignal.timeout(5000), root: '/', answers: {} },
  )
  expect(JSON.parse(Object(result?.content[0]).text)).toMatchObject({ name: 'ada' })
  const { accessToken = '', refreshToken = '' } = (await credentials.read(served.url)) ?? {}
  expect(refreshToken).not.toBe('')
  const check = async (token: string) =>
    await create().authenticate({ authorization: `Bearer ${token}` })
  expect(await check(accessToken)).toMatchObject({ ok: true })
  expect(await check(refreshToken)).toMatchObject({ ok: false, status: 401 })
  const accepted = await authorization.provider.AccessToken.find(accessToken)
  await accepted?.destroy()
  expect(await check(accessToken)).toMatchObject({ ok: false, status: 401 })
})
