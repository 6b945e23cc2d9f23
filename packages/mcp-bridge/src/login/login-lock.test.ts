import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { agreeAtOnce, type RawLogin, startRawLogin } from '../testing/raw-login.support.ts'
import { rawAnswer } from '../testing/raw-server.support.ts'
import { createOAuth } from './create-oauth.ts'
import { keepInMemory } from './credential.ts'

/** Logs in, and lets the token expire. */
async function logInAndExpire(): Promise<RawLogin> {
  const login = await startRawLogin()
  const { options } = login
  await createOAuth(options).logIn({ openPage: agreeAtOnce() })
  await options.credentials.change(options.url, async (made) => made && { ...made, expiresAt: 0 })
  return login
}

/** Does not answer one request of a login. Returns its connection when it has arrived. */
async function hangAt(login: RawLogin, request: string): Promise<Socket> {
  return await new Promise((resolve) => {
    login.replace = { request, answer: resolve }
  })
}

test.for(['resource metadata', 'issuer metadata'])(
  'while a renewal waits for the %s, nobody waits for the renewal: a logout removes the login',
  async (request) => {
    const login = await logInAndExpire()
    const { url, credentials } = login.options
    const stuck = createOAuth(login.options)
    const arrived = hangAt(login, request)
    const renewal = stuck.fetch(new URL(url), { method: 'POST' }).catch((error: unknown) => error)
    const connection = await arrived
    // What a logout does before it revokes the tokens.
    await credentials.change(url, async () => undefined, AbortSignal.timeout(5000))
    await expect(stuck.getStatus()).resolves.toBeUndefined()
    connection.destroy()
    await expect(renewal).resolves.toMatchObject({ name: 'AuthorizationError' })
    await expect(credentials.read(url)).resolves.toBeUndefined()
  },
)

test('while a renewal waits for tokens, a logout waits for it, and ends with its signal at once', async () => {
  const login = await logInAndExpire()
  const { url, credentials } = login.options
  const arrived = hangAt(login, 'refresh')
  const renewal = createOAuth(login.options)
    .fetch(new URL(url), { method: 'POST' })
    .catch((error: unknown) => error)
  await arrived
  const ending = new AbortController()
  const logout = createOAuth(login.options).logOut({ signal: ending.signal })
  ending.abort(new Error('enough'))
  await expect(logout).rejects.toThrow('enough')
  await expect(credentials.read(url)).resolves.toBeDefined()
  // The request for tokens has a limit, and then the next change runs.
  await expect(createOAuth(login.options).logOut()).resolves.toBe('revoked')
  await expect(renewal).resolves.toMatchObject({ name: 'AuthorizationError', transient: true })
}, 40_000)

test('a logout has removed the login before it asks for the revocation, and its signal ends that request', async () => {
  const login = await logInAndExpire()
  const { url, credentials } = login.options
  const arrived = hangAt(login, 'revocation')
  const ending = new AbortController()
  const logout = createOAuth(login.options).logOut({ signal: ending.signal })
  await arrived
  await expect(credentials.read(url)).resolves.toBeUndefined()
  ending.abort(new Error('enough'))
  await expect(logout).resolves.toBe('removed')
})

test('a request that ends ends its wait for the authorization server, and for another renewal', async () => {
  const login = await logInAndExpire()
  const { url, credentials } = login.options
  const before = await credentials.read(url)
  const send = (signal: AbortSignal): Promise<unknown> =>
    createOAuth(login.options)
      .fetch(new URL(url), { method: 'POST', signal })
      .catch((error: unknown) => error)
  const [finding, waiting] = [new AbortController(), new AbortController()]
  const arrived = hangAt(login, 'issuer metadata')
  const sending = send(finding.signal)
  const closed = once(await arrived, 'close')
  finding.abort(new Error('enough'))
  await expect(sending).resolves.toMatchObject({ message: 'enough' })
  await closed
  login.replace = undefined
  const other = Promise.withResolvers<void>()
  const change = credentials.change(url, async (current) => {
    await other.promise
    return current
  })
  const metadata = login.requests.length
  const waited = send(waiting.signal)
  await expect.poll(() => login.requests.length).toBeGreaterThan(metadata + 1)
  waiting.abort(new Error('enough'))
  await expect(waited).resolves.toMatchObject({ message: 'enough' })
  other.resolve()
  await change
  await expect(credentials.read(url)).resolves.toEqual(before)
  expect(login.tokenRequests).toHaveLength(1)
})

test('when its program ends, a renewal that gets no answer is ended with the reason, and none begins afterwards', async () => {
  const login = await logInAndExpire()
  const { url, credentials } = login.options
  const before = await credentials.read(url)
  const ending = new AbortController()
  const ended = createOAuth({ ...login.options, signal: ending.signal })
  const send = async (): Promise<unknown> =>
    await ended.fetch(new URL(url), { method: 'POST' }).catch((error: unknown) => error)
  // A renewal of another program lasts until the time limit of its request.
  let isOver = false
  const others = keepInMemory()
  await others.change(url, async () => before)
  const arrivedBefore = hangAt(login, 'refresh')
  const other = createOAuth({ ...login.options, credentials: others })
    .fetch(new URL(url), { method: 'POST' })
    .catch(() => undefined)
    .finally(() => (isOver = true))
  const connection = await arrivedBefore
  const arrived = hangAt(login, 'refresh')
  const renewal = send()
  const closed = once(await arrived, 'close')
  ending.abort(new Error('the program ends'))
  await expect(renewal).resolves.toMatchObject({ message: 'the program ends' })
  await closed
  expect(isOver).toBe(false)
  login.replace = undefined
  connection.destroy()
  await other
  await expect(send()).resolves.toMatchObject({ message: 'the program ends' })
  // Those of the login and of both renewals.
  expect(login.tokenRequests).toHaveLength(3)
  await expect(credentials.read(url)).resolves.toEqual(before)
})

test('tokens that are issued while its program ends are kept', async () => {
  const login = await logInAndExpire()
  const { url, credentials } = login.options
  const ending = new AbortController()
  const arrived = hangAt(login, 'refresh')
  const renewal = createOAuth({ ...login.options, signal: ending.signal }).fetch(new URL(url), {
    method: 'POST',
  })
  const connection = await arrived
  ending.abort()
  await (await fetch(`${login.server.origin}/.well-known/oauth-authorization-server`)).text()
  const tokens = { access_token: 'issued-late', token_type: 'Bearer', expires_in: 3600 }
  connection.end(rawAnswer(200, JSON.stringify(tokens)))
  await renewal
  await expect(credentials.read(url)).resolves.toMatchObject({ accessToken: 'issued-late' })
})
