import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { agreeAtOnce, type RawLogin, startRawLogin } from '../testing/raw-login.support.ts'
import { createOAuth } from './create-oauth.ts'
import type { LoginOptions } from './perform-login.ts'

/** Logs in, and returns the addresses at which the person was asked and the requests for tokens. */
async function logIn(
  login: RawLogin,
  times = 1,
): Promise<{ asked: URL[]; sent: URLSearchParams[] }> {
  const asked: URL[] = []
  const openPage: LoginOptions['openPage'] = async (wanted) => {
    const page = await agreeAtOnce()(wanted)
    return {
      ...page,
      visit: async (address, parties) => {
        asked.push(new URL(address))
        return await page.visit(address, parties)
      },
    }
  }
  for (let index = 0; index < times; index += 1)
    await createOAuth(login.options).logIn({ openPage })
  return { asked, sent: login.tokenRequests.map((body) => new URLSearchParams(body)) }
}

test('a person is asked for a code, with the ID, the redirect address, a challenge, a state and the resource', async () => {
  const login = await startRawLogin()
  Object.assign(login.resource, { scopes_supported: ['mcp:read'] })
  const { asked } = await logIn(login)
  const { href, searchParams } = asked[0] ?? {}
  expect(href?.split('?')[0]).toBe(`${login.server.origin}/authorize`)
  expect(Object.fromEntries(searchParams ?? [])).toEqual({
    response_type: 'code',
    client_id: 'registered',
    redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1\/callback\/[^#]*$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    state: expect.stringMatching(/^[\w-]{43}$/),
    scope: 'mcp:read',
    resource: login.options.url,
  })
})

test('a program registers its kind, its redirect address and how it says who it is', async () => {
  const login = await startRawLogin()
  const { asked } = await logIn(login)
  const { body } = login.requests.find(({ path }) => path === '/register') ?? {}
  expect(JSON.parse(body ?? '')).toEqual({
    client_name: 'Toolblocks',
    application_type: 'native',
    redirect_uris: [asked[0]?.searchParams.get('redirect_uri')],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  })
})

test('only words that a scope can have are requested', async () => {
  const login = await startRawLogin()
  const named = ['mcp:read', 'a"b', 'c\\d', 'e f', '', 'g\nh', 'ü']
  Object.assign(login.resource, { scopes_supported: named })
  const { asked } = await logIn(login)
  expect(asked[0]?.searchParams.get('scope')).toBe('mcp:read e f')
})

test('a code is sent once, in the body of a POST, with the same redirect address, the resource and the verifier of the challenge', async () => {
  const login = await startRawLogin()
  const { asked, sent } = await logIn(login)
  const query = asked[0]?.searchParams
  const verifier = sent[0]?.get('code_verifier') ?? ''
  expect(verifier).toMatch(/^[\w.~-]{43,128}$/)
  expect(hash('sha256', verifier, 'base64url')).toBe(query?.get('code_challenge'))
  expect(asked[0]?.href).not.toContain(verifier)
  expect(sent.map((each) => Object.fromEntries(each))).toEqual([
    {
      grant_type: 'authorization_code',
      code: 'the-code',
      code_verifier: verifier,
      redirect_uri: query?.get('redirect_uri'),
      resource: login.options.url,
      client_id: 'registered',
    },
  ])
  expect([...(sent[0]?.keys() ?? [])]).toHaveLength(6)
  const requests = login.requests.filter(({ path }) => path.startsWith('/token'))
  expect(requests.map(({ head }) => head.split('\r\n')[0])).toEqual(['POST /token HTTP/1.1'])
  expect(requests[0]?.head).toMatch(/content-type: application\/x-www-form-urlencoded/i)
})

test('each login has a state and a verifier of its own', async () => {
  const { asked, sent } = await logIn(await startRawLogin(), 3)
  for (const name of ['state', 'code_challenge'])
    expect(new Set(asked.map(({ searchParams }) => searchParams.get(name))).size).toBe(3)
  expect(new Set(sent.map((each) => each.get('code_verifier'))).size).toBe(3)
})

test('the query of an address of the authorization server is kept, and no parameter is sent twice', async () => {
  const login = await startRawLogin()
  const { origin } = login.server
  const own = 'tenant=a+b&prompt=login&state=theirs&resource=theirs'
  Object.assign(login.resource, { scopes_supported: ['mcp:read'] })
  Object.assign(login.metadata, {
    authorization_endpoint: `${origin}/authorize?${own}`,
    token_endpoint: `${origin}/token?tenant=a`,
    scopes_supported: ['offline_access'],
  })
  login.server.answer = (
    (answer) => (socket, request) =>
      answer(socket, { ...request, path: request.path.replace('/token?tenant=a', '/token') })
  )(login.server.answer)
  const { asked } = await logIn(login)
  const names = [...(asked[0]?.searchParams.keys() ?? [])]
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
  const { tenant, prompt, resource } = Object.fromEntries(asked[0]?.searchParams ?? [])
  expect({ tenant, prompt, resource }).toEqual({
    tenant: 'a b',
    prompt: 'consent',
    resource: login.options.url,
  })
})

test('a method of PKCE that shows the verifier is not used', async () => {
  const login = await startRawLogin()
  Object.assign(login.metadata, { code_challenge_methods_supported: ['plain'] })
  const openPage: LoginOptions['openPage'] = async (wanted) => ({
    ...(await agreeAtOnce()(wanted)),
    visit: async () => {
      throw new Error('the page was opened')
    },
  })
  await expect(createOAuth(login.options).logIn({ openPage })).rejects.toMatchObject({
    name: 'AuthorizationError',
  })
  expect(login.tokenRequests).toEqual([])
})

test('a refresh token is sent to the authorization server alone, in the body of a POST, and a new one replaces it', async () => {
  const login = await startRawLogin()
  const { options } = login
  await logIn(login)
  Object.assign(login.tokens, { refresh_token: 'the-second-refresh-token' })
  const oauth = createOAuth(options)
  for (const expected of ['the-refresh-token', 'the-second-refresh-token']) {
    await options.credentials.change(options.url, async (made) => made && { ...made, expiresAt: 0 })
    await createOAuth(options).fetch(new URL(options.url), { method: 'POST' })
    const sent = Object.fromEntries(new URLSearchParams(login.tokenRequests.at(-1)))
    expect(sent).toEqual({
      grant_type: 'refresh_token',
      refresh_token: expected,
      resource: options.url,
      client_id: 'registered',
    })
  }
  await expect(oauth.getStatus()).resolves.toMatchObject({ isRenewed: true })
  const elsewhere = login.requests.filter(({ path }) => path !== '/token')
  expect(JSON.stringify(elsewhere)).not.toContain('refresh-token')
})

test('the access token is sent in a header, never in an address', async () => {
  const login = await startRawLogin()
  await logIn(login)
  await createOAuth(login.options).fetch(new URL(login.options.url), { method: 'POST' })
  expect(login.requests.at(-1)?.head).toMatch(/authorization: Bearer the-access-token-0\r\n/i)
  expect(login.requests.filter(({ path }) => path.includes('the-access-token'))).toEqual([])
})
