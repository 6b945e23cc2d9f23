import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { Intercept } from '../testing/authorization-server.support.ts'
import { browse, isRedirect, redirectPath } from '../testing/authorization-server.support.ts'
import { type LoginStage, openPage, prepareLogin } from '../testing/login-stage.support.ts'
import { createOAuth } from './create-oauth.ts'
import type { LoginOptions } from './perform-login.ts'

/** Answers with JSON in place of a server. */
const answerWith =
  (path: string, json: unknown, status = 200): Intercept =>
  ({ url }, response) => {
    if (url !== path) return false
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    return true
  }

const METADATA = '/.well-known/oauth-authorization-server'

/** Returns the metadata of the authorization server with changes. */
async function changeMetadata(
  { authorization }: LoginStage,
  changes: Record<string, unknown>,
): Promise<void> {
  const response = await fetch(`${authorization.issuer}${METADATA}`)
  const metadata = (await response.json()) as Record<string, unknown>
  authorization.intercept = answerWith(METADATA, { ...metadata, ...changes })
}

/** A page whose answer is a text. */
const typing =
  (answer: (address: URL) => Promise<string> | string): LoginOptions['openPage'] =>
  async ({ path }) => ({
    redirectUrl: `http://127.0.0.1:1${path}`,
    visit: async (address) => await answer(address),
    close: async () => {},
  })

const unseen = typing(() => {
  throw new Error('the page was opened')
})

/** Lets the authorization server answer, and returns the address to which it sends the browser. */
const visit = async (address: URL): Promise<URL> => await browse(address, isRedirect)

test('CVE-2026-104850: metadata of an authorization server that names another issuer is refused', async () => {
  const stage = await prepareLogin()
  await changeMetadata(stage, { issuer: 'https://honest.example' })
  await expect(createOAuth(stage.options).logIn({ openPage: unseen })).rejects.toMatchObject({
    reason: 'the metadata of the authorization server names another issuer',
    serverText: 'https://honest.example',
  })
})

test('CVE-2026-104850: a server that names no authorization server cannot have the issuer of another origin', async () => {
  const stage = await prepareLogin()
  const { origin } = new URL(stage.server.url)
  delete stage.server.metadata['authorization_servers']
  stage.server.intercept = answerWith(METADATA, {
    issuer: 'https://honest.example',
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  })
  await expect(createOAuth(stage.options).logIn({ openPage: unseen })).rejects.toMatchObject({
    reason: 'the metadata of the authorization server names another issuer',
  })
})

test.for([
  ['of another issuer', 'https://evil.example'],
  ['of the same issuer with another ending', '/'],
  ['without an issuer', undefined],
] as const)(
  'CVE-2026-104850: an answer %s is refused before its code is sent anywhere',
  async ([, iss]) => {
    const stage = await prepareLogin()
    const answer = typing(async (address) => {
      const answered = await visit(address)
      const issuer = answered.searchParams.get('iss')
      if (iss === undefined) answered.searchParams.delete('iss')
      else answered.searchParams.set('iss', iss === '/' ? `${issuer}/` : iss)
      return answered.href
    })
    await expect(createOAuth(stage.options).logIn({ openPage: answer })).rejects.toMatchObject({
      reason: 'the answer comes from another issuer than the authorization server',
    })
    expect(stage.authorization.grants).toEqual([])
  },
)

test('CVE-2026-104850: the text of a refusal from another issuer is not shown', async () => {
  const stage = await prepareLogin()
  const answer = typing((address) => {
    const state = address.searchParams.get('state') ?? ''
    const query = new URLSearchParams({
      state,
      iss: 'https://evil.example',
      error: 'call us at 555',
    })
    return `${address.searchParams.get('redirect_uri')}?${query.toString()}`
  })
  await expect(createOAuth(stage.options).logIn({ openPage: answer })).rejects.toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('555') }),
  )
})

test('the answer to one login does not end another: its state and its verifier are used once', async () => {
  const stage = await prepareLogin()
  const oauth = createOAuth(stage.options)
  let first = ''
  const keep = typing(async (address) => (first = (await visit(address)).href))
  await oauth.logIn({ openPage: keep })
  const before = await stage.credentials.read(stage.server.url)
  await expect(oauth.logIn({ openPage: typing(() => first) })).rejects.toMatchObject({
    reason: 'the answer belongs to another login',
  })
  // With the state of the second login, its verifier does not fit the code of the first one.
  const code = new URL(first).searchParams.get('code') ?? ''
  const injected = typing(async (address) => {
    const answered = await visit(address)
    answered.searchParams.set('code', code)
    return answered.href
  })
  await expect(oauth.logIn({ openPage: injected })).rejects.toMatchObject({
    reason: expect.stringContaining('invalid_grant'),
  })
  expect(await stage.credentials.read(stage.server.url)).toEqual(before)
})

test('a code alone is accepted only if the authorization server does not promise its issuer', async () => {
  const stage = await prepareLogin()
  const oauth = createOAuth(stage.options)
  const codeAlone = typing(async (address) => {
    const answered = await visit(address)
    return `  ${answered.searchParams.get('code')}\n`
  })
  await expect(oauth.logIn({ openPage: codeAlone })).rejects.toMatchObject({
    reason: 'a code alone does not say which authorization server issued it',
  })
  await changeMetadata(stage, { authorization_response_iss_parameter_supported: false })
  await expect(oauth.logIn({ openPage: codeAlone })).resolves.toMatchObject({ isRenewed: true })
})

test.for([
  '',
  'two words',
  'http://127.0.0.1:2/callback?code=x',
  'http://127.0.0.1:1/other?code=x',
])('the answer %j is refused', async (address) => {
  const stage = await prepareLogin()
  const login = createOAuth(stage.options).logIn({ openPage: typing(() => address) })
  await expect(login).rejects.toMatchObject({ reason: expect.stringContaining('the answer is') })
  expect(stage.authorization.grants).toEqual([])
})

test('a person who does not agree is not logged in', async () => {
  const stage = await prepareLogin()
  const refuse = typing((address) => {
    const state = address.searchParams.get('state') ?? ''
    const query = new URLSearchParams({
      state,
      iss: stage.authorization.issuer,
      error: 'access_denied',
    })
    return `${address.searchParams.get('redirect_uri')}?${query.toString()}`
  })
  await expect(createOAuth(stage.options).logIn({ openPage: refuse })).rejects.toMatchObject({
    reason: 'the authorization server granted no access',
    serverText: 'access_denied',
  })
})

test.for([
  ['authorization_servers', ['https://10.0.0.1']],
  ['authorization_servers', ['https://169.254.169.254']],
  ['authorization_servers', ['http://login.example']],
])(
  'CVE-2026-51994, CVE-2026-8768: %s of the server in %j is not requested',
  async ([key, value]) => {
    const stage = await prepareLogin()
    stage.server.metadata[key as string] = value
    await expect(createOAuth(stage.options).logIn({ openPage: unseen })).rejects.toMatchObject({
      reason: expect.stringContaining('which the server names for authorization'),
    })
  },
)

test.for(['registration_endpoint', 'token_endpoint', 'authorization_endpoint'])(
  'CVE-2026-51994, CVE-2026-8768: %s at an address inside the network is not requested and not opened',
  async (key) => {
    const stage = await prepareLogin()
    await changeMetadata(stage, { [key]: 'https://192.168.0.1/x' })
    const open = key === 'token_endpoint' ? openPage : unseen
    await expect(createOAuth(stage.options).logIn({ openPage: open })).rejects.toMatchObject({
      reason: expect.stringContaining('"https://192.168.0.1/x"'),
    })
  },
)

test.for(['javascript:alert(1)', 'file:///bin/sh', 'data:text/html,x'])(
  'CVE-2026-51994: %s is not opened as the page of a login',
  async (address) => {
    const stage = await prepareLogin()
    await changeMetadata(stage, { authorization_endpoint: address })
    await expect(createOAuth(stage.options).logIn({ openPage: unseen })).rejects.toMatchObject({
      name: 'AuthorizationError',
    })
  },
)

test('CVE-2026-8768: metadata named in a refusal at an address inside the network is not requested', async () => {
  const stage = await prepareLogin()
  stage.server.intercept = (_request, response) => {
    const challenge = 'Bearer resource_metadata="https://169.254.169.254/latest"'
    response.writeHead(401, { 'www-authenticate': challenge }).end()
    return true
  }
  await expect(createOAuth(stage.options).logIn({ openPage: unseen })).rejects.toMatchObject({
    reason: expect.stringContaining('"https://169.254.169.254/latest"'),
  })
})

test('CVE-2026-8768: a redirect of metadata to another origin is not followed', async () => {
  const stage = await prepareLogin()
  const other = await prepareLogin()
  let isReached = false
  other.authorization.intercept = () => {
    isReached = true
    return false
  }
  stage.authorization.intercept = (_request, response) => {
    response.writeHead(302, { location: `${other.authorization.issuer}${METADATA}` }).end()
    return true
  }
  await expect(createOAuth(stage.options).logIn({ openPage: unseen })).rejects.toMatchObject({
    reason: 'the authorization server publishes no metadata',
  })
  expect(isReached).toBe(false)
})

test('metadata about another resource is refused', async () => {
  const stage = await prepareLogin()
  stage.server.metadata['resource'] = 'https://bank.example/mcp'
  await expect(createOAuth(stage.options).logIn({ openPage: unseen })).rejects.toMatchObject({
    reason: expect.stringContaining('the metadata of the server is about another resource than'),
    serverText: 'https://bank.example/mcp',
  })
})

test('metadata of more than 256 KiB is refused', async () => {
  const stage = await prepareLogin()
  await changeMetadata(stage, { padding: 'x'.repeat(300_000) })
  await expect(createOAuth(stage.options).logIn({ openPage: unseen })).rejects.toMatchObject({
    reason: expect.stringContaining('answered with more than 262,144 bytes'),
  })
})

test.for([[], null, { issuer: 1 }, 'text'])('metadata that is %j is refused', async (metadata) => {
  const stage = await prepareLogin()
  stage.authorization.intercept = answerWith(METADATA, metadata)
  await expect(createOAuth(stage.options).logIn({ openPage: unseen })).rejects.toMatchObject({
    reason: 'the login failed: the answer of the authorization server cannot be read',
  })
})

test('an authorization server without PKCE is refused', async () => {
  const stage = await prepareLogin()
  await changeMetadata(stage, { code_challenge_methods_supported: undefined })
  await expect(createOAuth(stage.options).logIn({ openPage: unseen })).rejects.toMatchObject({
    reason: 'the authorization server does not support PKCE',
  })
})

test('without registration, the message names the key for an ID; with the ID a login is possible', async () => {
  const stage = await prepareLogin()
  await changeMetadata(stage, { registration_endpoint: undefined })
  await expect(createOAuth(stage.options).logIn({ openPage })).rejects.toMatchObject({
    fix: expect.stringContaining('oauth = { client_id = "…" }'),
  })
  const own = await prepareLogin((issuer) => ({
    clients: [
      {
        client_id: 'by-hand',
        client_secret: 'of the tests',
        redirect_uris: [`http://127.0.0.1${redirectPath(issuer)}`],
        application_type: 'native',
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
  }))
  const client = { id: 'by-hand', secret: 'of the tests' }
  const { issuer } = own.authorization
  await createOAuth({ ...own.options, client, issuer, scopes: ['mcp:write'] }).logIn({ openPage })
  await expect(own.credentials.read(own.server.url)).resolves.toMatchObject({
    client,
    scopes: ['mcp:write', 'offline_access'],
  })
})

test('a registration that is refused is quoted', async () => {
  const stage = await prepareLogin()
  stage.authorization.intercept = answerWith('/reg', { error: 'not_allowed' }, 403)
  await expect(createOAuth(stage.options).logIn({ openPage })).rejects.toMatchObject({
    reason: 'the authorization server does not register this program (HTTP 403)',
    serverText: '{"error":"not_allowed"}',
  })
})

test('a program registers under its own name', async () => {
  const stage = await prepareLogin()
  const { promise: sent, resolve } = Promise.withResolvers<string>()
  stage.authorization.intercept = (request, response) => {
    if (request.url !== '/reg') return false
    void text(request).then((body) => {
      resolve(body)
      response.writeHead(403).end()
    })
    return true
  }
  const oauth = createOAuth({ ...stage.options, client: { name: 'My host' } })
  await expect(oauth.logIn({ openPage })).rejects.toThrow('does not register this program')
  expect(JSON.parse(await sent)).toMatchObject({ client_name: 'My host' })
})

test('a login that is cancelled changes nothing, and leaves no listener', async () => {
  const stage = await prepareLogin()
  const ending = new AbortController()
  let openedUrl: URL | undefined
  const { listenForRedirect } = await import('./listen-for-redirect.ts')
  let redirectUrl = ''
  const waiting = createOAuth(stage.options).logIn({
    signal: ending.signal,
    openPage: async ({ path }) => {
      const page = await listenForRedirect({ path, show: (address) => void (openedUrl = address) })
      redirectUrl = page.redirectUrl
      return page
    },
  })
  await expect.poll(() => openedUrl).toBeDefined()
  ending.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  expect(await stage.credentials.read(stage.server.url)).toBeUndefined()
  await expect(fetch(redirectUrl)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
})
