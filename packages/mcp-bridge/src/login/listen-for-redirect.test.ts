import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { listenForRedirect, type RedirectPage } from './listen-for-redirect.ts'

const address = new URL('https://login.example/authorize?client_id=1')

async function open(...parameters: Parameters<typeof listenForRedirect>): Promise<RedirectPage> {
  const page = await listenForRedirect(...parameters)
  onTestFinished(page.close)
  return page
}

const neverTyped = async (): Promise<undefined> => undefined

const LOGIN = {
  state: 's1',
  server: new URL('https://mcp.example/'),
  issuer: 'https://login.example',
}

test('the answer is the address of the first request with the state of the login', async () => {
  const addresses: string[] = []
  const page = await open({ show: (each) => void addresses.push(each.href) })
  const visit = page.visit(address, { ...LOGIN, signal: AbortSignal.timeout(5000) })
  expect((await fetch(`${page.redirectUrl}?state=s2&code=wrong`)).status).toBe(400)
  expect((await fetch(`${page.redirectUrl}?code=none`)).status).toBe(400)
  const answered = await fetch(`${page.redirectUrl}?state=s1&code=right`)
  expect(answered.status).toBe(200)
  expect(await visit).toBe(`${page.redirectUrl}?state=s1&code=right`)
  expect(addresses).toEqual([address.href])
})

test('a state is accepted once', async () => {
  const page = await open({ show: neverTyped })
  const visit = page.visit(address, { ...LOGIN, signal: AbortSignal.timeout(5000) })
  await fetch(`${page.redirectUrl}?state=s1&code=right`)
  const replayed = await fetch(`${page.redirectUrl}?state=s1&code=replayed`)
  expect(replayed.status).toBe(400)
  expect(await visit).toContain('code=right')
})

test('CVE-2025-66414, CVE-2025-66416, CVE-2026-34742: a page whose name leads to this machine is not heard', async () => {
  const page = await open({ show: neverTyped })
  const ending = new AbortController()
  const visit = page.visit(address, { ...LOGIN, signal: ending.signal })
  const status = await new Promise((resolve, reject) => {
    request(`${page.redirectUrl}?state=s1&code=c`, { headers: { host: 'evil.example' } })
      .on('response', (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
  expect(status).toBe(404)
  ending.abort()
  await expect(visit).rejects.toMatchObject({ name: 'AbortError' })
})

test('other paths and methods are not heard', async () => {
  const page = await open({ show: neverTyped })
  const other = new URL('/other?state=s1', page.redirectUrl)
  expect((await fetch(other)).status).toBe(404)
  expect((await fetch(`${page.redirectUrl}?state=s1`, { method: 'POST' })).status).toBe(404)
})

test('a typed text is the answer, and the listener hears no other one', async () => {
  const page = await open({ show: async () => 'typed' })
  const visit = page.visit(address, { ...LOGIN, signal: AbortSignal.timeout(5000) })
  expect(await visit).toBe('typed')
  expect((await fetch(`${page.redirectUrl}?state=s1`)).status).toBe(400)
})

test('if the browser comes back first, typing ends', async () => {
  let over: AbortSignal | undefined
  const page = await open({
    show: async (_address, signal) => {
      over = signal
      return await new Promise<undefined>((resolve) =>
        signal.addEventListener('abort', () => resolve(undefined)),
      )
    },
  })
  const visit = page.visit(address, { ...LOGIN, signal: AbortSignal.timeout(5000) })
  await fetch(`${page.redirectUrl}?state=s1&code=right`)
  expect(await visit).toContain('code=right')
  expect(over?.aborted).toBe(true)
})

test('a port that is taken is replaced by a free one, unless it is required', async () => {
  const first = await open({ show: neverTyped })
  const port = Number(new URL(first.redirectUrl).port)
  const second = await open({ port, show: neverTyped })
  expect(second.redirectUrl).not.toBe(first.redirectUrl)
  await expect(
    listenForRedirect({ port, isRequired: true, show: neverTyped }),
  ).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
})

test('only this machine can reach the listener, and the page has no script', async () => {
  const page = await open({ show: neverTyped })
  expect(page.redirectUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  const visit = page.visit(address, { ...LOGIN, signal: AbortSignal.timeout(5000) })
  const answered = await fetch(`${page.redirectUrl}?state=s1&code=%3Cscript%3E`)
  expect(Object.fromEntries(answered.headers)).toMatchObject({
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  expect(await answered.text()).not.toContain('script')
  await visit
})

test('the browser is sent nowhere else, whatever the address says', async () => {
  const page = await open({ show: neverTyped })
  const visit = page.visit(address, { ...LOGIN, signal: AbortSignal.timeout(5000) })
  const query =
    'redirect_uri=https://evil.example&next=//evil.example&error_uri=https://evil.example'
  for (const more of [`?${query}`, `?${query}&state=s1&code=c`, `/..//evil.example?${query}`]) {
    const answered = await fetch(`${page.redirectUrl}${more}`, { redirect: 'manual' })
    expect(answered.status === 200 || answered.status >= 400).toBe(true)
    expect(answered.headers.get('location')).toBe(null)
    expect(answered.headers.get('refresh')).toBe(null)
    expect(await answered.text()).not.toContain('evil')
  }
  await visit
})
