import { exportJWK, exportSPKI, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSigningKey, signToken, startIssuer } from '../testing/issuer.support.ts'
import { INITIALIZE, send } from '../testing/replicas.support.ts'
import { serve, text } from '../testing/served.support.ts'
import { createOAuthResource, type OAuthResourceOptions } from './oauth-resource.ts'

const AUDIENCE = 'https://tools.example/mcp'

const now = (): number => Math.floor(Date.now() / 1000)

/** A resource, and tokens for it. */
async function setUp(options: Partial<OAuthResourceOptions> = {}) {
  const key = await createSigningKey('first')
  const issuer = await startIssuer()
  onTestFinished(issuer.close)
  issuer.keys = [key]
  const resource = createOAuthResource({ issuer: issuer.address, audience: AUDIENCE, ...options })
  const claims: JWTPayload = {
    iss: issuer.address,
    aud: AUDIENCE,
    sub: 'ann',
    iat: now(),
    exp: now() + 60,
  }
  const check = async (token?: string) =>
    await resource.authenticate({
      authorization: token === undefined ? undefined : `Bearer ${token}`,
    })
  return { key, issuer, resource, claims, check }
}

test('an access token says who the client is', async () => {
  const { key, claims, check, issuer } = await setUp({ scopes: ['mcp:use'] })
  const token = await signToken(key, { ...claims, scope: 'openid mcp:use', groups: ['devs', 7] })
  expect(await check(token)).toEqual({
    ok: true,
    identity: {
      id: JSON.stringify(['oauth', issuer.address, 'ann']),
      name: 'ann',
      groups: ['devs'],
      scopes: ['mcp:use'],
    },
    expires: (Number(claims.exp) + 10) * 1000,
  })
})

test('the claims of the identity, the name and the groups are settings', async () => {
  const claim = { identityClaim: 'email', nameClaim: 'nick', groupsClaim: 'roles' }
  const { key, claims, check } = await setUp(claim)
  const token = await signToken(key, {
    ...claims,
    email: 'a@b',
    nick: 'Ann',
    roles: 'ops',
    scp: ['x'],
  })
  expect(await check(token)).toMatchObject({ ok: true, identity: { name: 'Ann', groups: ['ops'] } })
  expect(await check(await signToken(key, claims))).toMatchObject({ ok: false, status: 401 })
})

describe('is refused', () => {
  test.for<[string, (claims: JWTPayload) => JWTPayload]>([
    ['a token for another service', (claims) => ({ ...claims, aud: 'https://other.example/mcp' })],
    ['a token for the origin alone', (claims) => ({ ...claims, aud: 'https://tools.example' })],
    ['a token for nobody', ({ aud: _aud, ...claims }) => claims],
    ['a token of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['a token without an issuer', ({ iss: _iss, ...claims }) => claims],
    ['an expired token', (claims) => ({ ...claims, exp: now() - 31 })],
    ['a token without an end', ({ exp: _exp, ...claims }) => claims],
    ['a token for later', (claims) => ({ ...claims, nbf: now() + 40 })],
    ['a token from the future', (claims) => ({ ...claims, iat: now() + 40 })],
    ['a token that is bound to a key', (claims) => ({ ...claims, cnf: { jkt: 'x' } })],
    ['a token of nobody', ({ sub: _sub, ...claims }) => claims],
    ['a token of an empty name', (claims) => ({ ...claims, sub: '' })],
  ])('%s', async ([, change]) => {
    const { key, claims, check } = await setUp()
    expect(await check(await signToken(key, claims))).toMatchObject({ ok: true })
    expect(await check(await signToken(key, change(claims)))).toMatchObject({
      ok: false,
      status: 401,
      challenge:
        'Bearer error="invalid_token", resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp"',
    })
  })

  test.for(['logout+jwt', 'secevent+jwt', 'dpop+jwt'])('a token of the type %s', async (typ) => {
    const { key, claims, check } = await setUp()
    expect(await check(await signToken(key, claims, { typ: 'JWT' }))).toMatchObject({ ok: true })
    expect(await check(await signToken(key, claims, { typ }))).toMatchObject({ ok: false })
  })

  test('a token without a signature', async () => {
    const { claims, check } = await setUp()
    expect(await check(new UnsecuredJWT(claims).encode())).toMatchObject({ ok: false })
  })

  test('a token that is signed with the public key as a secret', async () => {
    const rsa = await createSigningKey('rsa', 'RS256')
    const { issuer, claims, check } = await setUp()
    issuer.keys = [rsa]
    expect(await check(await signToken(rsa, claims))).toMatchObject({ ok: true })
    const secret = new TextEncoder().encode(await exportSPKI(rsa.publicKey))
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'rsa', typ: 'at+jwt' })
      .sign(secret)
    expect(await check(forged)).toMatchObject({ ok: false })
  })

  test('a token whose header brings its own key', async () => {
    const { claims, check } = await setUp()
    const own = await createSigningKey('first')
    const jwk = await exportJWK(own.publicKey)
    for (const header of [{ jwk }, { jku: 'http://127.0.0.1:1/keys' }, {}])
      expect(await check(await signToken(own, claims, header))).toMatchObject({ ok: false })
  })

  test('a token whose claims were changed, and what is no token', async () => {
    const { key, claims, check } = await setUp()
    const [head, , signature] = (await signToken(key, claims)).split('.')
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'root' })).toString('base64url')
    for (const token of [
      `${head}.${forged}.${signature}`,
      `${head}.${forged}.`,
      'x',
      'a.b.c',
      '..',
    ])
      expect(await check(token), token).toMatchObject({ ok: false, status: 401 })
  })

  test('a token of an algorithm that is not among those of the service', async () => {
    const { key, claims, check } = await setUp({ algorithms: ['RS256'] })
    expect(await check(await signToken(key, claims))).toMatchObject({ ok: false })
    const hmac = { issuer: 'https://x.example', audience: AUDIENCE, algorithms: ['HS256'] }
    expect(() => createOAuthResource(hmac)).toThrow(/"HS256" is not one of/)
  })

  test('a token without a scope that is needed, with the scopes to ask for', async () => {
    const { key, claims, check } = await setUp({ scopes: ['a', 'b'] })
    expect(await check(await signToken(key, { ...claims, scope: 'a ab' }))).toMatchObject({
      status: 403,
      challenge: expect.stringMatching(/^Bearer error="insufficient_scope", .*scope="a b"$/),
    })
  })

  test('a token with too many groups', async () => {
    const { key, claims, check } = await setUp()
    const groups = Array.from({ length: 500 }, (_, index) => `group-number-${index}`)
    expect(await check(await signToken(key, { ...claims, groups }))).toMatchObject({ status: 403 })
  })
})

describe('keys', () => {
  test('are read once, and again for a key that is new', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { key, issuer, claims, check } = await setUp()
    const token = await signToken(key, { ...claims, exp: now() + 3600 })
    await Promise.all([check(token), check(token), check(token)])
    expect(issuer.countKeyRequests()).toBe(1)
    const second = await createSigningKey('second')
    issuer.keys = [key, second]
    const rotated = await signToken(second, { ...claims, exp: now() + 3600 })
    // Anybody can send a token that names an unknown key.
    for (let count = 0; count < 5; count += 1)
      expect(await check(rotated)).toMatchObject({ ok: false })
    expect(issuer.countKeyRequests()).toBe(1)
    vi.advanceTimersByTime(31_000)
    expect(await check(rotated)).toMatchObject({ ok: true })
    expect(await check(token)).toMatchObject({ ok: true })
    expect(issuer.countKeyRequests()).toBe(2)
    // A key that was withdrawn counts until the keys are read again.
    issuer.keys = [second]
    vi.advanceTimersByTime(11 * 60_000)
    expect(await check(rotated)).toMatchObject({ ok: true })
    expect(await check(token)).toMatchObject({ ok: false })
  })

  test('of an issuer that is away count while they are fresh, and afterwards nothing is accepted', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { key, issuer, claims, check } = await setUp()
    const token = await signToken(key, { ...claims, exp: now() + 3600 })
    expect(await check(token)).toMatchObject({ ok: true })
    issuer.isAway = true
    vi.advanceTimersByTime(60_000)
    const unknown = await signToken(await createSigningKey('other'), {
      ...claims,
      exp: now() + 3600,
    })
    expect(await check(unknown)).toMatchObject({ ok: false })
    expect(await check(token)).toMatchObject({ ok: true })
    vi.advanceTimersByTime(11 * 60_000)
    await expect(check(token)).rejects.toThrow('answers with 500')
    issuer.isAway = false
    vi.advanceTimersByTime(31_000)
    expect(await check(token)).toMatchObject({ ok: true })
  })

  test('of metadata that is that of another issuer are not read', async () => {
    const { key, issuer, claims, check } = await setUp()
    issuer.metadata['issuer'] = `${issuer.address}/tenant`
    await expect(check(await signToken(key, claims))).rejects.toThrow('that of another issuer')
    expect(issuer.countKeyRequests()).toBe(0)
  })
})

test('a service says without credentials where clients log in, and nothing else', async () => {
  const { key, claims, resource, issuer } = await setUp({ scopes: ['mcp:use'] })
  const { authenticate, metadata } = resource
  const served = await serve(
    async () => text('in'),
    {},
    { authenticate, resourceMetadata: metadata },
  )
  const refused = await send(served, INITIALIZE)
  expect(refused.status).toBe(401)
  expect(refused.headers.get('www-authenticate')).toBe(
    'Bearer resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp", scope="mcp:use"',
  )
  for (const path of ['', '/mcp']) {
    const page = await fetch(new URL(`/.well-known/oauth-protected-resource${path}`, served.url))
    expect(await page.json()).toEqual({
      resource: AUDIENCE,
      authorization_servers: [issuer.address],
      bearer_methods_supported: ['header'],
      scopes_supported: ['mcp:use'],
    })
  }
  const other = new URL('/.well-known/oauth-protected-resource/other', served.url)
  expect((await fetch(other)).status).toBe(401)
  const foreign = await fetch(new URL('/.well-known/oauth-protected-resource', served.url), {
    headers: { origin: 'https://evil.example' },
  })
  expect(foreign.status).toBe(403)
  const token = await signToken(key, { ...claims, scope: 'mcp:use' })
  expect((await send({ url: served.url, token }, INITIALIZE)).status).toBe(200)
})
