import { expect, test } from 'vitest'
import type { AuthorizationServer } from '../testing/authorization-server.support.ts'
import { type LoginStage, openPage, prepareLogin } from '../testing/login-stage.support.ts'
import { agreeAtOnce, startRawLogin } from '../testing/raw-login.support.ts'
import { createOAuth, type OAuth } from './create-oauth.ts'

const PING = {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'greet' } }),
}

/** Sends a request to the server, and returns its status; the server itself is not asked for a result. */
async function request({ fetch }: OAuth, { server }: LoginStage): Promise<number> {
  const response = await fetch(new URL(server.url), PING)
  await response.body?.cancel()
  return response.status
}

/** Makes the authorization server forget what it has issued for the login. */
async function forget(
  { provider }: AuthorizationServer,
  stage: LoginStage,
  kind: 'AccessToken' | 'RefreshToken',
): Promise<void> {
  const held = await stage.credentials.read(stage.server.url)
  const token = kind === 'AccessToken' ? held?.accessToken : held?.refreshToken
  const issued =
    kind === 'AccessToken'
      ? await provider.AccessToken.find(token ?? '')
      : await provider.RefreshToken.find(token ?? '')
  await issued?.destroy()
}

async function logInFirst(accessTokenSeconds = 3600): Promise<LoginStage & { oauth: OAuth }> {
  const stage = await prepareLogin()
  stage.authorization.lifetimes.accessTokenSeconds = accessTokenSeconds
  const oauth = createOAuth(stage.options)
  await oauth.logIn({ openPage })
  stage.authorization.lifetimes.accessTokenSeconds = 3600
  return { ...stage, oauth }
}

test('a token is renewed before it expires, once for requests at the same time, and the refresh token is replaced', async () => {
  const stage = await logInFirst(30)
  const { oauth, authorization, credentials, server } = stage
  const before = await credentials.read(server.url)
  await Promise.all([request(oauth, stage), request(oauth, stage), request(oauth, stage)])
  expect(authorization.grants).toEqual(['authorization_code', 'refresh_token'])
  const after = await credentials.read(server.url)
  expect(after?.refreshToken).not.toBe(before?.refreshToken)
  expect(new Set(server.tokens)).toEqual(new Set([after?.accessToken]))
  expect(after).toMatchObject({ issuer: authorization.issuer, resource: server.url })
})

test('a token that the server does not accept any more is renewed, and the request is sent again', async () => {
  const stage = await logInFirst()
  const { oauth, authorization } = stage
  await request(oauth, stage)
  await forget(authorization, stage, 'AccessToken')
  await Promise.all([request(oauth, stage), request(oauth, stage)])
  await forget(authorization, stage, 'AccessToken')
  await request(oauth, stage)
  expect(authorization.grants).toEqual(['authorization_code', 'refresh_token', 'refresh_token'])
})

test('a login that cannot be renewed is kept as unusable, and says how to log in; the authorization server is not asked again', async () => {
  const stage = await logInFirst()
  const { oauth, authorization, credentials, server } = stage
  const before = await credentials.read(server.url)
  await forget(authorization, stage, 'AccessToken')
  await forget(authorization, stage, 'RefreshToken')
  await expect(request(oauth, stage)).rejects.toMatchObject({
    name: 'AuthorizationError',
    reason: 'the login could not be renewed: the authorization server answered with invalid_grant',
    fix: 'Log in: .',
    transient: false,
  })
  expect(await credentials.read(server.url)).toEqual({ ...before, unusable: 'invalid_grant' })
  await expect(oauth.getStatus()).resolves.toMatchObject({
    unusable: 'invalid_grant',
    isRenewed: false,
  })
  await expect(request(oauth, stage)).rejects.toMatchObject({
    reason: 'the login is over (invalid_grant)',
  })
  expect(authorization.grants).toEqual(['authorization_code', 'refresh_token: invalid_grant'])
})

test('after a new login elsewhere, a program with the old one uses the new one', async () => {
  const stage = await logInFirst()
  const { oauth, authorization } = stage
  await request(oauth, stage)
  await forget(authorization, stage, 'AccessToken')
  await createOAuth(stage.options).logIn({ openPage })
  await request(oauth, stage)
  expect(authorization.grants).toEqual(['authorization_code', 'authorization_code'])
})

test.for([
  [503, '<html>down</html>'],
  [200, 'no JSON'],
  [400, '{"error":"temporarily_unavailable"}'],
] as const)(
  'an authorization server that answers a renewal with %i %s changes nothing, and the next request tries again',
  async ([status, body]) => {
    const stage = await logInFirst()
    const { oauth, authorization, credentials, server } = stage
    const before = await credentials.read(server.url)
    await forget(authorization, stage, 'AccessToken')
    authorization.intercept = ({ url, method }, response) => {
      if (url !== '/token' || method !== 'POST') return false
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
      return true
    }
    await expect(request(oauth, stage)).rejects.toMatchObject({ transient: true })
    expect(await credentials.read(server.url)).toEqual(before)
    authorization.intercept = undefined
    await request(oauth, stage)
    expect(authorization.grants.at(-1)).toBe('refresh_token')
  },
)

test('while a token is valid, a renewal that fails does not stop a request', async () => {
  const stage = await logInFirst(30)
  const { oauth, authorization, credentials, server } = stage
  authorization.intercept = ({ url }, response) => {
    if (url !== '/token') return false
    response.writeHead(503).end()
    return true
  }
  await request(oauth, stage)
  expect(server.tokens).toEqual([(await credentials.read(server.url))?.accessToken])
})

test('no secret is in an error, even if the authorization server repeats it', async () => {
  const stage = await logInFirst()
  const { oauth, authorization, credentials, server } = stage
  const secrets = await credentials.read(server.url)
  await forget(authorization, stage, 'AccessToken')
  authorization.intercept = (_request, response) => {
    if (_request.url !== '/token') return false
    const description = `unknown token ${secrets?.refreshToken} beside ${secrets?.accessToken}`
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: 'invalid_grant', error_description: description }))
    return true
  }
  const error: unknown = await request(oauth, stage).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ serverText: 'unknown token *** beside ***' })
  const json = JSON.stringify(error, Object.getOwnPropertyNames(error))
  expect(json).not.toContain(secrets?.refreshToken)
  expect(json).not.toContain(secrets?.accessToken)
})

test('a token is not sent to another host', async () => {
  const stage = await logInFirst()
  const { oauth, server } = stage
  const other = await prepareLogin()
  const response = await oauth.fetch(new URL(other.server.url), PING).catch(() => undefined)
  await response?.body?.cancel()
  expect(other.server.tokens).toEqual([])
  expect(server.tokens).toEqual([])
})

// Elsewhere this address does not lead to this machine.
test.skipIf(process.platform === 'win32')(
  'a token is not sent without https to a server that is not on this machine by its name',
  async () => {
    const login = await startRawLogin()
    await createOAuth(login.options).logIn({ openPage: agreeAtOnce() })
    const { credentials } = login.options
    const made = await credentials.read(login.options.url)
    const address = new URL(login.options.url)
    address.hostname = '0.0.0.0'
    await credentials.change(address.href, async () => made && { ...made, server: address.href })
    const sent = login.requests.length
    const open = createOAuth({ url: address.href, credentials })
    await open.fetch(address, PING).catch(() => undefined)
    const { head } = login.requests[sent] ?? {}
    expect(head).toMatch(/^POST \/mcp /)
    expect(head).not.toMatch(/authorization/i)
  },
)

test('a request that needs another scope says which one; with a page, it is granted and sent again', async () => {
  const stage = await logInFirst()
  const { oauth, server, options } = stage
  server.callScope = 'mcp:write'
  await expect(request(oauth, stage)).rejects.toMatchObject({
    reason: 'the request requires the scope "mcp:write", which the login does not have',
    fix: 'Log in: mcp:write.',
  })
  const asking = createOAuth({ ...options, openPage })
  await request(asking, stage)
  await expect(asking.getStatus()).resolves.toMatchObject({
    scopes: ['mcp:read', 'offline_access', 'mcp:write'],
  })
  await request(oauth, stage)
})

test('a server that requires ever more scopes gets one login for a request', async () => {
  const stage = await logInFirst()
  const { server, options, authorization } = stage
  let scopes = 0
  server.intercept = ({ headers }, response) => {
    if (!headers.authorization) return false
    scopes += 1
    const challenge = `Bearer error="insufficient_scope", scope="mcp:read"`
    response.writeHead(403, { 'www-authenticate': challenge }).end()
    return true
  }
  const asking = createOAuth({ ...options, openPage })
  await expect(request(asking, stage)).rejects.toMatchObject({ name: 'AuthorizationError' })
  expect(scopes).toBe(2)
  expect(authorization.grants).toEqual(['authorization_code', 'authorization_code'])
})

test('a login is not renewed at another authorization server than that which issued it', async () => {
  const stage = await logInFirst()
  const { oauth, authorization, server, credentials } = stage
  const other = await prepareLogin()
  await forget(authorization, stage, 'AccessToken')
  server.metadata['authorization_servers'] = [other.authorization.issuer]
  const refused = {
    reason: `the server names the authorization server "${other.authorization.issuer}", but the login is for "${authorization.issuer}"`,
    fix: `If you know the new one and trust it, accept it. Log in at ${other.authorization.issuer}: .`,
  }
  await expect(request(oauth, stage)).rejects.toMatchObject(refused)
  await expect(oauth.logIn({ openPage })).rejects.toMatchObject(refused)
  expect([...other.authorization.grants, ...authorization.grants]).toEqual(['authorization_code'])
  const old = await credentials.read(server.url)
  await oauth.logIn({ openPage, issuer: other.authorization.issuer })
  const made = await credentials.read(server.url)
  expect(made).toMatchObject({ issuer: other.authorization.issuer })
  expect(made?.client.id).not.toBe(old?.client.id)
})

test('after a logout, the authorization server accepts the tokens no more', async () => {
  const stage = await logInFirst()
  const { oauth, authorization, credentials, server } = stage
  const { refreshToken = '' } = (await credentials.read(server.url)) ?? {}
  expect(await authorization.provider.RefreshToken.find(refreshToken)).toBeDefined()
  await expect(oauth.logOut()).resolves.toBe('revoked')
  expect(await authorization.provider.RefreshToken.find(refreshToken)).toBeUndefined()
  expect(await credentials.read(server.url)).toBeUndefined()
  await expect(oauth.logOut()).resolves.toBe('not-logged-in')
  await expect(request(oauth, stage)).rejects.toMatchObject({
    reason: 'the server requires a login',
  })
})

test('a logout removes the login also if the authorization server is down', async () => {
  const stage = await logInFirst()
  await stage.authorization.close()
  await expect(stage.oauth.logOut()).resolves.toBe('removed')
  await expect(stage.oauth.getStatus()).resolves.toBeUndefined()
})
