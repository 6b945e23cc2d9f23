import { describe, expect, test } from 'vitest'
import { agreeAtOnce, type RawLogin, startRawLogin } from '../testing/raw-login.support.ts'
import { createOAuth } from './create-oauth.ts'
import { isToken } from './read-tokens.ts'

const YEARS_10 = 10 * 365 * 24 * 60 * 60 * 1000

/** Logs in at a server that issues the given tokens. */
async function logIn(tokens: Record<string, unknown>): Promise<RawLogin> {
  const login = await startRawLogin()
  Object.assign(login.tokens, tokens)
  await createOAuth(login.options).logIn({ openPage: agreeAtOnce() })
  return login
}

const REFUSED = [
  [
    'a line break in an access token',
    { access_token: 'secret-part\r\nx-other: 1' },
    '"access_token" that cannot be sent in a header; expected printable ASCII',
  ],
  [
    'a character beyond ASCII in an access token',
    { access_token: 'secret-part-é' },
    '"access_token" that cannot be sent in a header',
  ],
  ['an empty access token', { access_token: '' }, '"access_token" that cannot be sent in a header'],
  [
    'an access token of 20,000 characters',
    { access_token: `secret-part${'a'.repeat(20_000)}` },
    '"access_token" that cannot be sent in a header',
  ],
  [
    'an access token that is a number',
    { access_token: 7 },
    '"access_token" that cannot be sent in a header',
  ],
  [
    'a line break in a refresh token',
    { refresh_token: 'secret-part\n' },
    '"refresh_token" that cannot be sent',
  ],
  ['the type mac', { token_type: 'mac' }, '"token_type" "mac"; expected "Bearer"'],
  ['the type DPoP', { token_type: 'DPoP' }, '"token_type" "DPoP"; expected "Bearer"'],
  ['no type', { token_type: undefined }, 'no "token_type"; expected "Bearer"'],
  [
    'a type that is a list',
    { token_type: ['Bearer'] },
    '"token_type" ["Bearer"]; expected "Bearer"',
  ],
  ['a lifetime below zero', { expires_in: -1 }, '"expires_in" -1; expected seconds from 0'],
  [
    'a lifetime that is no number',
    { expires_in: 'soon' },
    '"expires_in" "soon"; expected seconds from 0',
  ],
  ['a lifetime of null', { expires_in: null }, '"expires_in" null; expected seconds from 0'],
  ['a lifetime of 400 digits', { expires_in: '9'.repeat(400) }, '"expires_in" "999'],
] as const

describe.for(REFUSED)('tokens with %s', ([, tokens, why]) => {
  test('are refused at a login, which then keeps nothing and shows no token', async () => {
    const login = await startRawLogin()
    Object.assign(login.tokens, tokens)
    const failed: unknown = await createOAuth(login.options)
      .logIn({ openPage: agreeAtOnce() })
      .catch((error: unknown) => error)
    expect(failed).toMatchObject({
      name: 'AuthorizationError',
      reason: expect.stringContaining(`the authorization server issued a token with ${why}`),
      transient: false,
    })
    expect(JSON.stringify(failed, Object.getOwnPropertyNames(failed))).not.toContain('secret-part')
    await expect(login.options.credentials.read(login.options.url)).resolves.toBeUndefined()
  })

  test('are refused at a renewal, which leaves the login as it was', async () => {
    const login = await logIn({})
    const { credentials, url } = login.options
    await credentials.change(url, async (made) => made && { ...made, expiresAt: 0 })
    const before = await credentials.read(url)
    Object.assign(login.tokens, tokens)
    await expect(
      createOAuth(login.options).fetch(new URL(url), { method: 'POST' }),
    ).rejects.toMatchObject({ name: 'AuthorizationError', reason: expect.stringContaining(why) })
    await expect(credentials.read(url)).resolves.toEqual(before)
    expect(login.requests.filter(({ head }) => head.includes('secret-part'))).toEqual([])
  })
})

test.for([
  [1e308, YEARS_10],
  [Number.MAX_SAFE_INTEGER, YEARS_10],
  [3600, 3_600_000],
  ['3600', 3_600_000],
  [0, 0],
] as const)(
  'a token with a lifetime of %s seconds ends at a time that a date can have',
  async ([seconds, lasting]) => {
    const start = Date.now()
    const { options } = await logIn({ expires_in: seconds })
    const { expiresAt = 0 } = (await options.credentials.read(options.url)) ?? {}
    expect(expiresAt - lasting).toBeGreaterThanOrEqual(start)
    expect(expiresAt - lasting).toBeLessThanOrEqual(Date.now())
    expect(new Date(expiresAt).toISOString()).toMatch(/^20\d\d-/)
  },
)

test.for(['Bearer', 'bearer', 'BEARER'])('the type %s is one, in any case', async (type) => {
  const { options } = await logIn({ token_type: type })
  await expect(options.credentials.read(options.url)).resolves.toMatchObject({
    accessToken: 'the-access-token-0',
  })
})

test('fields that are not understood are ignored', async () => {
  const { options } = await logIn({ example_parameter: { a: 1 }, scope: 'a "b c' })
  await expect(options.credentials.read(options.url)).resolves.toMatchObject({
    accessToken: 'the-access-token-0',
    scopes: ['a', 'c'],
  })
})

test('a kept token that cannot be sent is not sent, and is in no message', async () => {
  const login = await logIn({})
  const { credentials, url } = login.options
  const accessToken = 'secret-part\r\nx-other: 1'
  await credentials.change(url, async (made) => made && { ...made, accessToken })
  const failed: unknown = await createOAuth(login.options)
    .fetch(new URL(url), { method: 'POST' })
    .catch((error: unknown) => error)
  expect(failed).toMatchObject({ reason: 'the kept token is no token' })
  expect(JSON.stringify(failed, Object.getOwnPropertyNames(failed))).not.toContain('secret-part')
})

test('a token has printable characters of ASCII only', () => {
  const sent = Array.from({ length: 256 }, (_each, code) => String.fromCharCode(code)).filter(
    isToken,
  )
  expect(sent.join('')).toBe(
    Array.from({ length: 95 }, (_each, index) => String.fromCharCode(32 + index)).join(''),
  )
})
