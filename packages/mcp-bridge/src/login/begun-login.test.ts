import { expect, test } from 'vitest'
import { browse } from '../testing/authorization-server.support.ts'
import { prepareLogin } from '../testing/login-stage.support.ts'
import { createOAuth } from './create-oauth.ts'

const isBack = ({ host }: URL): boolean => host === 'tools.example'

/** Begins a login whose browser is sent to a page of a service. */
async function begin() {
  const { options, credentials, server } = await prepareLogin()
  const begun = await createOAuth(options).beginLogin(
    ({ path }) => `https://tools.example/servers/s/return${path}`,
  )
  const answer = (await browse(begun.address, isBack)).href
  return { ...begun, options, credentials, server, answer }
}

test('a login that one process has begun is finished by another one, and requests have its token', async () => {
  const { begun, issuer, options, answer, credentials, server } = await begin()
  expect(begun.redirectUrl).toMatch(/^https:\/\/tools\.example\/servers\/s\/return\/callback/)
  const other = createOAuth(options)
  const sent: typeof begun = JSON.parse(JSON.stringify(begun))
  expect(await other.finishLogin(sent, answer)).toMatchObject({ issuer, isRenewed: true })
  const { accessToken } = (await credentials.read(server.url)) ?? {}
  await other.fetch(new URL(server.url), { method: 'POST', body: '{}' })
  expect(server.tokens).toContain(accessToken)
})

test.for<[string, (answer: URL) => void]>([
  ['another state', (answer) => answer.searchParams.set('state', 'x')],
  ['another issuer', (answer) => answer.searchParams.set('iss', 'https://evil.example')],
  ['another page', (answer) => (answer.pathname = '/servers/other/return')],
  ['another code', (answer) => answer.searchParams.set('code', 'x')],
])('an answer with %s finishes nothing', async ([, change]) => {
  const { begun, options, answer, credentials, server } = await begin()
  const changed = new URL(answer)
  change(changed)
  await expect(createOAuth(options).finishLogin(begun, changed.href)).rejects.toThrow(
    /login failed|answer/,
  )
  expect(await credentials.read(server.url)).toBeUndefined()
})
