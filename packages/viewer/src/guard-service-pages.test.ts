import { expect, test } from 'vitest'
import { guardServicePages } from './guard.ts'

const ORIGIN = 'https://tools.example'
const FORM = 'application/x-www-form-urlencoded'

/** Guards pages that answer with the request that they get. */
const guard = (answers: 'accept' | 'refuse' = 'accept') =>
  guardServicePages(
    async (request) => {
      const { pathname, search } = new URL(request.url)
      return new Response(`${request.method} ${pathname}${search} ${await request.text()}`)
    },
    { path: '/pages/', answers },
  )

const request = (
  address: string,
  init: RequestInit & { headers?: Record<string, string> } = {},
): Request => new Request(`${ORIGIN}${address}`, init)

const answer = (headers: Record<string, string>, body = 'id=a'): Request =>
  request('/pages/answer', { method: 'POST', headers, body })

test('pages get the address below their path, and every response has the headers of the pages', async () => {
  const response = await guard()(request('/pages/conversation?id=a%26b'))
  expect(await response.text()).toBe('GET /conversation?id=a%26b ')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await (await guard()(request('/pages/'))).text()).toBe('GET / ')
  expect(await (await guard()(request('/pages//other.example/x'))).text()).toBe(
    'GET //other.example/x ',
  )
})

test.for<[string, Request, number]>([
  ['another path', request('/other'), 404],
  ['the sign-in of one user', request('/pages/enter'), 404],
  [
    'a script of another page',
    request('/pages/', { headers: { origin: 'https://e.example' } }),
    403,
  ],
  [
    'what another site loads',
    request('/pages/', {
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    }),
    403,
  ],
  ['another method', request('/pages/', { method: 'DELETE', headers: { origin: ORIGIN } }), 405],
  ['a form for another page', request('/pages/use', { method: 'POST', body: 'a' }), 405],
  ['the way of one user to enter', request('/pages/enter', { method: 'POST', body: '{}' }), 403],
  ['an answer without its origin', answer({ 'content-type': FORM }), 403],
  ['an answer of another site', answer({ 'content-type': FORM, origin: 'https://e.example' }), 403],
  ['an answer of another type', answer({ 'content-type': 'text/plain', origin: ORIGIN }), 415],
  [
    'an answer that is too large',
    answer({ 'content-type': FORM, origin: ORIGIN }, 'a'.repeat(1024 * 1024 + 1)),
    413,
  ],
])('%s is refused', async ([, refused, status]) => {
  const response = await guard()(refused)
  expect(response.status).toBe(status)
  expect(response.headers.get('x-frame-options')).toBe('DENY')
})

test('a link of another site opens a page, and answers of the pages are passed on unless they are read-only', async () => {
  const link = request('/pages/question?id=a', {
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  })
  expect((await guard()(link)).status).toBe(200)
  const own = (): Request => answer({ 'content-type': FORM, origin: ORIGIN })
  expect(await (await guard()(own())).text()).toBe('POST /answer id=a')
  expect((await guard('refuse')(own())).status).toBe(405)
})
