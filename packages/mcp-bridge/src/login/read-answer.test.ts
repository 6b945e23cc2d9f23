import { expect, test } from 'vitest'
import { agreeAtOnce, startRawLogin } from '../testing/raw-login.support.ts'
import { createOAuth } from './create-oauth.ts'

test.for(['iss', 'state', 'code', 'error'])(
  'an answer with the parameter "%s" twice is refused, also with twice the same value, and its code is sent nowhere',
  async (name) => {
    const login = await startRawLogin()
    const { origin } = login.server
    const value = name === 'iss' ? encodeURIComponent(origin) : 'the-code'
    const more = name === 'code' ? `&code=${value}` : `&${name}=${value}&${name}=${value}`
    await expect(
      createOAuth(login.options).logIn({ openPage: agreeAtOnce(more) }),
    ).rejects.toMatchObject({ reason: `the answer has the parameter "${name}" more than once` })
    expect(login.tokenRequests).toEqual([])
  },
)

test('an honest issuer before a foreign one is refused as well', async () => {
  const login = await startRawLogin()
  const more = `&iss=${encodeURIComponent(login.server.origin)}&iss=https%3A%2F%2Fevil.example`
  await expect(
    createOAuth(login.options).logIn({ openPage: agreeAtOnce(more) }),
  ).rejects.toMatchObject({ reason: 'the answer has the parameter "iss" more than once' })
  expect(login.tokenRequests).toEqual([])
})

test('parameters of the answer that are not understood are ignored', async () => {
  const login = await startRawLogin()
  const more = '&session_state=1&session_state=2&scope=x'
  await createOAuth(login.options).logIn({ openPage: agreeAtOnce(more) })
  expect(login.tokenRequests).toEqual([expect.stringContaining('code=the-code')])
})

test('an issuer is compared also if the authorization server does not promise it', async () => {
  const login = await startRawLogin()
  const more = '&iss=https%3A%2F%2Fevil.example'
  await expect(
    createOAuth(login.options).logIn({ openPage: agreeAtOnce(more) }),
  ).rejects.toMatchObject({
    reason: 'the answer comes from another issuer than the authorization server',
  })
  expect(login.tokenRequests).toEqual([])
})

test('an issuer is compared character by character', async () => {
  const login = await startRawLogin()
  for (const other of [`${login.server.origin}/`, login.server.origin.toUpperCase()]) {
    const openPage = agreeAtOnce(`&iss=${encodeURIComponent(other)}`)
    await expect(createOAuth(login.options).logIn({ openPage })).rejects.toMatchObject({
      reason: 'the answer comes from another issuer than the authorization server',
    })
  }
  expect(login.tokenRequests).toEqual([])
})
