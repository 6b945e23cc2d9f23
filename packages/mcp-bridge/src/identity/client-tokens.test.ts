import { expect, test } from 'vitest'
import { authenticateByTokens, hashToken, type TokenClient } from './client-tokens.ts'

const check = async (clients: readonly TokenClient[], authorization?: string) =>
  await authenticateByTokens(() => clients)({ authorization })

const ann: TokenClient = {
  name: 'ann',
  groups: ['readers'],
  tokens: [{ hash: hashToken('old') }, { hash: hashToken('new') }],
}

test.for(['old', 'new'])('the token %s proves the same client', async (token) => {
  expect(await check([ann], `Bearer ${token}`)).toEqual({
    ok: true,
    identity: { id: '["client","ann"]', name: 'ann', groups: ['readers'], scopes: [] },
  })
})

test.for([
  ['no header', undefined],
  ['another scheme', 'Basic old'],
  ['another token', 'Bearer older'],
  ['a part of a token', 'Bearer ol'],
  ['the hash of a token', `Bearer ${hashToken('old')}`],
  ['an empty token', 'Bearer '],
  ['two tokens', 'Bearer old new'],
])('%s proves nobody', async ([, authorization]) => {
  expect(await check([ann], authorization)).toMatchObject({ ok: false, status: 401 })
})

test('a token counts until it expires, and those of other clients do not change that', async () => {
  const expiring = (expires: number): TokenClient => ({
    name: 'ben',
    tokens: [{ hash: hashToken('t'), expires }],
  })
  expect(await check([expiring(Date.now() + 60_000), ann], 'Bearer t')).toMatchObject({ ok: true })
  expect(await check([expiring(Date.now() - 1), ann], 'Bearer t')).toMatchObject({
    ok: false,
    challenge: 'Bearer error="invalid_token"',
  })
})

test('clients are read for each request', async () => {
  let clients = [ann]
  const authenticate = authenticateByTokens(async () => clients)
  expect(await authenticate({ authorization: 'Bearer old' })).toMatchObject({ ok: true })
  clients = []
  expect(await authenticate({ authorization: 'Bearer old' })).toMatchObject({ ok: false })
})

test('no client has an empty hash', async () => {
  const clients = [{ name: 'x', tokens: [{ hash: '' }] }]
  expect(await check(clients, 'Bearer ')).toMatchObject({ ok: false })
  expect(await check(clients, 'Bearer x')).toMatchObject({ ok: false })
})
