import { expect, test } from 'vitest'
import { agreeAtOnce, type RawLogin, startRawLogin } from '../testing/raw-login.support.ts'
import { createClientAuthentication } from './authenticate-client.ts'
import { createOAuth } from './create-oauth.ts'
import type { RegisteredClient } from './credential.ts'
import { loadSdk } from './load-sdk.ts'

const SPECIAL = { id: 'a client:with %', secret: 'ü & "secret":+/= \u{1f511}' }

async function authenticate(
  client: RegisteredClient,
  supported?: readonly string[],
): Promise<{ basic: string | undefined; body: Record<string, string> }> {
  const [headers, body] = [new Headers(), new URLSearchParams({ grant_type: 'refresh_token' })]
  createClientAuthentication(await loadSdk(), client, supported)(headers, body)
  const basic = /^Basic (.*)$/.exec(headers.get('authorization') ?? '')?.[1]
  return {
    basic: basic === undefined ? undefined : Buffer.from(basic, 'base64').toString(),
    body: Object.fromEntries(body),
  }
}

test('the ID and the secret of a client are each written as in a form, so that any character arrives', async () => {
  const { basic = '', body } = await authenticate(SPECIAL)
  expect(basic).toMatch(/^[\w%+.*-]+:[\w%+.*-]+$/)
  const decode = (text: string): string | null => new URLSearchParams(`a=${text}`).get('a')
  expect(basic.split(':').map(decode)).toEqual([SPECIAL.id, SPECIAL.secret])
  expect(body).toEqual({ grant_type: 'refresh_token' })
})

test.for([
  [['client_secret_basic', 'client_secret_post'], undefined, 'header'],
  [['client_secret_post'], undefined, 'body'],
  [[], undefined, 'header'],
  [['client_secret_basic', 'client_secret_post'], 'client_secret_post', 'body'],
  [['client_secret_basic'], 'client_secret_post', 'header'],
] as const)(
  'with the methods %j and the registered method %s, the secret is in the %s and nowhere else',
  async ([supported, method, location]) => {
    const client = { id: 'id', secret: 'se:cret', ...(method && { method }) }
    const { basic, body } = await authenticate(client, supported)
    expect([basic, body['client_secret'], body['client_id']]).toEqual(
      location === 'header' ? ['id:se%3Acret', undefined, undefined] : [undefined, 'se:cret', 'id'],
    )
  },
)

test('a client without a secret sends its ID in each request for tokens', async () => {
  const { basic, body } = await authenticate({ id: 'public', method: 'none' }, ['none'])
  expect([basic, body]).toEqual([undefined, { grant_type: 'refresh_token', client_id: 'public' }])
})

/** Logs in, renews the login and logs out with a registered secret. Returns how each request said who the program is. */
async function useLogin(login: RawLogin): Promise<(string | undefined)[]> {
  const { options, requests } = login
  await createOAuth(options).logIn({ openPage: agreeAtOnce() })
  await options.credentials.change(options.url, async (made) => made && { ...made, expiresAt: 0 })
  const oauth = createOAuth(options)
  await oauth.fetch(new URL(options.url), { method: 'POST' })
  await expect(oauth.logOut()).resolves.toBe('revoked')
  return requests
    .filter(({ path }) => path === '/token' || path === '/revoke')
    .map(({ head }) => /\r\nauthorization: Basic (\S+)/i.exec(head)?.[1])
}

test('a code, a refresh token and a revocation are sent with the secret of the client, in one way', async () => {
  const login = await startRawLogin()
  const methods = ['client_secret_basic']
  Object.assign(login.metadata, { token_endpoint_auth_methods_supported: methods })
  Object.assign(login.registration, { client_id: SPECIAL.id, client_secret: SPECIAL.secret })
  const basics = await useLogin(login)
  const { basic = '' } = await authenticate(SPECIAL)
  expect(basics).toEqual(Array.from({ length: 3 }, () => Buffer.from(basic).toString('base64')))
  const bodies = login.requests.map(({ body }) => body).join('\n')
  expect(bodies).not.toContain('client_secret=')
})

test('a secret that no address can contain ends nothing, and no text of any server is lost', async () => {
  const login = await startRawLogin()
  Object.assign(login.registration, { client_secret: '\ud800 half a pair' })
  Object.assign(login.metadata, { token_endpoint_auth_methods_supported: ['client_secret_post'] })
  const status = await createOAuth(login.options).logIn({ openPage: agreeAtOnce() })
  expect(status).toMatchObject({ issuer: login.server.origin })
})
