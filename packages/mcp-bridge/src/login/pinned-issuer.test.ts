import { expect, test } from 'vitest'
import { browse, isRedirect, redirectPath } from '../testing/authorization-server.support.ts'
import { openPage, prepareLogin } from '../testing/login-stage.support.ts'
import { agreeAtOnce, startRawLogin } from '../testing/raw-login.support.ts'
import { createOAuth } from './create-oauth.ts'
import type { LoginOptions } from './perform-login.ts'

const unseen: LoginOptions['openPage'] = async () => {
  throw new Error('the page was opened')
}

const describeLogin = (_scopes: readonly string[], issuer?: string): string =>
  `Run: login${issuer === undefined ? '' : ` --issuer ${issuer}`}`

test('the issuer of the first login is recorded; another one is refused with both names, and gets no request', async () => {
  const login = await startRawLogin()
  const other = await startRawLogin()
  const oauth = createOAuth({ ...login.options, describeLogin })
  await oauth.logIn({ openPage: agreeAtOnce() })
  await expect(oauth.getStatus()).resolves.toMatchObject({ issuer: login.server.origin })
  Object.assign(login.resource, { authorization_servers: [other.server.origin] })
  await expect(oauth.logIn({ openPage: unseen })).rejects.toMatchObject({
    reason: `the server names the authorization server "${other.server.origin}", but the login is for "${login.server.origin}"`,
    fix: `If you know the new one and trust it, accept it. Run: login --issuer ${other.server.origin}`,
  })
  expect(other.requests).toEqual([])
  await expect(oauth.getStatus()).resolves.toMatchObject({ issuer: login.server.origin })
})

test('a configured issuer is the only one, also before the first login, and also if a person accepts another one', async () => {
  const login = await startRawLogin()
  const issuer = 'https://login.example'
  const oauth = createOAuth({ ...login.options, issuer, describeLogin })
  for (const accepted of [undefined, login.server.origin])
    await expect(
      oauth.logIn({ openPage: unseen, ...(accepted && { issuer: accepted }) }),
    ).rejects.toMatchObject({
      reason: `the server names the authorization server "${login.server.origin}", but the configuration names "${issuer}"`,
      fix: `If you know the new one and trust it, write it in the configuration: oauth = { issuer = "${login.server.origin}" }`,
    })
})

test('a login from before the issuer was configured is not renewed at another one', async () => {
  const login = await startRawLogin()
  const { options } = login
  await createOAuth(options).logIn({ openPage: agreeAtOnce() })
  await options.credentials.change(options.url, async (made) => made && { ...made, expiresAt: 0 })
  const sent = login.requests.length
  const configured = createOAuth({ ...options, issuer: 'https://login.example' })
  await expect(configured.fetch(new URL(options.url), { method: 'POST' })).rejects.toMatchObject({
    reason: `the login is one at "${login.server.origin}", and the configuration names the issuer "https://login.example"`,
  })
  expect(login.requests).toHaveLength(sent)
})

test('of several authorization servers that a server names, the expected one is used', async () => {
  const login = await startRawLogin()
  const { origin } = login.server
  Object.assign(login.resource, { authorization_servers: ['https://evil.example', origin] })
  const oauth = createOAuth({ ...login.options, issuer: origin })
  await expect(oauth.logIn({ openPage: agreeAtOnce() })).resolves.toMatchObject({ issuer: origin })
})

test('an issuer is the same if only the address in the metadata of the server ends with a slash', async () => {
  const login = await startRawLogin()
  const { origin } = login.server
  Object.assign(login.resource, { authorization_servers: [`${origin}/`] })
  const oauth = createOAuth(login.options)
  await oauth.logIn({ openPage: agreeAtOnce() })
  await expect(oauth.logIn({ openPage: agreeAtOnce() })).resolves.toMatchObject({ issuer: origin })
})

test('metadata with another issuer is refused also if the server itself names both', async () => {
  const login = await startRawLogin()
  const { origin } = login.server
  Object.assign(login.metadata, { issuer: 'https://honest.example' })
  Object.assign(login.resource, { authorization_servers: [origin, 'https://honest.example'] })
  await expect(createOAuth(login.options).logIn({ openPage: unseen })).rejects.toMatchObject({
    reason: 'the metadata of the authorization server names another issuer',
    serverText: 'https://honest.example',
  })
})

test('a configured secret is sent to no issuer that only the server names; accepted or configured, it is', async () => {
  const login = await startRawLogin()
  const { origin } = login.server
  Object.assign(login.metadata, { token_endpoint_auth_methods_supported: ['client_secret_post'] })
  const client = { id: 'by-hand', secret: 'of the configuration' }
  const options = { ...login.options, client, describeLogin }
  await expect(createOAuth(options).logIn({ openPage: unseen })).rejects.toMatchObject({
    reason: `the server names the authorization server "${origin}", and the configuration does not say that client_secret is for it`,
    fix: `If you have the secret from there, write it in the configuration: oauth = { issuer = "${origin}" }, or accept it for this login. Run: login --issuer ${origin}`,
  })
  expect(login.requests.map(({ path }) => path)).not.toContain('/token')
  await createOAuth(options).logIn({ openPage: agreeAtOnce(), issuer: origin })
  await createOAuth({ ...options, issuer: origin }).logIn({ openPage: agreeAtOnce() })
  expect(login.tokenRequests).toEqual([
    expect.stringContaining('client_secret=of+the+configuration'),
    expect.stringContaining('client_secret=of+the+configuration'),
  ])
})

test('a secret from a registration is not sent to the next issuer', async () => {
  const login = await startRawLogin()
  const other = await startRawLogin()
  for (const { metadata } of [login, other])
    Object.assign(metadata, { token_endpoint_auth_methods_supported: ['client_secret_post'] })
  Object.assign(login.registration, { client_secret: 'of the first issuer' })
  const oauth = createOAuth(login.options)
  await oauth.logIn({ openPage: agreeAtOnce() })
  expect(login.tokenRequests[0]).toContain('client_secret=of+the+first+issuer')
  Object.assign(login.resource, { authorization_servers: [other.server.origin] })
  await oauth.logIn({ openPage: agreeAtOnce(), issuer: other.server.origin })
  expect(other.tokenRequests).toHaveLength(1)
  expect(JSON.stringify(other.requests)).not.toContain('of+the+first+issuer')
  expect(JSON.stringify(other.requests)).not.toContain('the-refresh-token')
})

test('each issuer has a redirect address of its own, the same in both requests of a login', async () => {
  const [one, other] = [await startRawLogin(), await startRawLogin()]
  const paths: string[] = []
  const seen: LoginOptions['openPage'] = async (wanted) => {
    paths.push(wanted.path)
    return await agreeAtOnce()(wanted)
  }
  for (const { options } of [one, one, other]) await createOAuth(options).logIn({ openPage: seen })
  const [path] = paths
  expect(paths).toEqual([path, path, expect.not.stringMatching(`^${path}$`)])
  expect(path).toBe(redirectPath(one.server.origin))
  const { redirect_uri } = Object.fromEntries(new URLSearchParams(one.tokenRequests[0]))
  expect(redirect_uri).toBe(`http://127.0.0.1:1${path}`)
})

test('a page at another path than that of the issuer is refused, unless the issuer names itself in its answer', async () => {
  const login = await startRawLogin()
  const elsewhere: LoginOptions['openPage'] = async () => await agreeAtOnce()({ path: '/callback' })
  await expect(createOAuth(login.options).logIn({ openPage: elsewhere })).rejects.toMatchObject({
    reason: expect.stringContaining('which is for this authorization server'),
  })
  expect(login.tokenRequests).toEqual([])
  Object.assign(login.metadata, { authorization_response_iss_parameter_supported: true })
  const named: LoginOptions['openPage'] = async () =>
    await agreeAtOnce(`&iss=${encodeURIComponent(login.server.origin)}`)({ path: '/callback' })
  await createOAuth(login.options).logIn({ openPage: named })
})

test.for([
  [true, '/callback'],
  [false, undefined],
] as const)(
  'a client ID metadata document has one redirect address for all issuers only if they name themselves: %s',
  async ([isNamed, common]) => {
    const login = await startRawLogin()
    Object.assign(login.metadata, {
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: isNamed,
    })
    const paths: string[] = []
    const seen: LoginOptions['openPage'] = async (wanted) => {
      paths.push(wanted.path)
      return await agreeAtOnce(`&iss=${encodeURIComponent(login.server.origin)}`)(wanted)
    }
    const client = { metadataUrl: 'https://client.example/toolblocks.json' }
    await createOAuth({ ...login.options, client }).logIn({ openPage: seen })
    expect(paths).toEqual([common ?? redirectPath(login.server.origin)])
    expect(login.tokenRequests[0]).toContain('client_id=https%3A%2F%2Fclient.example')
  },
)

test('RFC 9700, 4.4: an issuer that names the page of another one, which does not name itself, gets neither a code of it nor the verifier', async () => {
  // The honest issuer knows the program, with the redirect address for this issuer.
  const honest = await prepareLogin((issuer) => ({
    clients: [
      {
        client_id: 'known-to-the-honest',
        redirect_uris: [`http://127.0.0.1${redirectPath(issuer)}`],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
  }))
  const evil = await startRawLogin()
  const response = await fetch(
    `${honest.authorization.issuer}/.well-known/oauth-authorization-server`,
  )
  const { authorization_endpoint } = (await response.json()) as Record<string, unknown>
  Object.assign(evil.metadata, { authorization_endpoint })
  Object.assign(evil.registration, { client_id: 'known-to-the-honest' })
  let isReached = false
  const person: LoginOptions['openPage'] = async ({ path }) => ({
    redirectUrl: `http://127.0.0.1:1${path}`,
    visit: async (address) => {
      expect(address.origin).toBe(honest.authorization.issuer)
      const end = await browse(address, isRedirect)
      isReached = isRedirect(end)
      end.searchParams.delete('iss')
      return end.href
    },
    close: async () => {},
  })
  await expect(createOAuth(evil.options).logIn({ openPage: person })).rejects.toMatchObject({
    name: 'AuthorizationError',
  })
  expect(isReached).toBe(false)
  expect(evil.tokenRequests).toEqual([])
  // The same client at its own issuer is let in.
  const client = { id: 'known-to-the-honest' }
  await createOAuth({ ...honest.options, client }).logIn({ openPage })
  expect(honest.authorization.grants).toEqual(['authorization_code'])
})
