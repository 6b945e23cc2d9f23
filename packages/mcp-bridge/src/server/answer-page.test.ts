import { expect, onTestFinished, test } from 'vitest'
import { bearer, serve, text } from '../testing/served.support.ts'
import type { AnswerPage } from './http-options.ts'

const servePages = async (pages: AnswerPage) =>
  await serve(async () => text('in'), {}, { pages, maxBodyBytes: 1000 })

test('a page receives the request as it was sent, and its answer arrives with all its cookies', async () => {
  const served = await servePages(async (request) => {
    const headers = new Headers({ 'x-method': request.method, 'content-type': 'text/plain' })
    headers.append('set-cookie', 'a=1')
    headers.append('set-cookie', 'b=2')
    const sent = `${request.url} ${request.headers.get('x-mine')} ${await request.text()}`
    return new Response(sent, { status: 201, headers })
  })
  const address = new URL('/pages/one?q=%20', served.url)
  const post = { method: 'POST', body: 'ü', headers: { 'x-mine': 'yes' } }
  const response = await fetch(address, post)
  expect(response.status).toBe(201)
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(await response.text()).toBe(`${address.href} yes ü`)
  const head = await fetch(address, { method: 'HEAD' })
  expect([head.headers.get('x-method'), await head.text()]).toEqual(['HEAD', ''])
})

test('pages get nothing that is for MCP, of another site, or too large', async () => {
  const asked: string[] = []
  const served = await servePages(async ({ url }) => {
    const { pathname } = new URL(url)
    asked.push(pathname)
    return pathname === '/other' ? undefined : new Response('page')
  })
  const locate = (path: string): URL => new URL(path, served.url)
  expect((await fetch(locate('/mcp'), { method: 'POST' })).status).toBe(401)
  expect((await fetch(locate('/metrics'))).status).toBe(401)
  expect((await fetch(locate('/healthz'))).status).toBe(200)
  const headers = { origin: 'https://evil.example' }
  expect((await fetch(locate('/page'), { headers })).status).toBe(403)
  expect((await fetch(locate('/page'), { method: 'POST', body: 'x'.repeat(1001) })).status).toBe(
    413,
  )
  expect(asked).toEqual([])
  expect(await (await fetch(locate('/page'))).text()).toBe('page')
  // What is no page is answered as before.
  expect((await fetch(locate('/other'))).status).toBe(401)
  expect((await fetch(locate('/other'), { headers: bearer(served) })).status).toBe(404)
})

test('a stream of a page arrives while it runs, and ends for the page when its reader has gone', async () => {
  const { promise: gone, resolve } = Promise.withResolvers<string>()
  const served = await servePages(
    async ({ signal }) =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            controller.enqueue(new TextEncoder().encode('first'))
            signal.addEventListener('abort', () => resolve('gone'), { once: true })
          },
        }),
      ),
  )
  const reading = new AbortController()
  onTestFinished(() => reading.abort())
  const response = await fetch(new URL('/follow', served.url), { signal: reading.signal })
  const { value } = (await response.body?.getReader().read()) ?? {}
  expect(new TextDecoder().decode(value)).toBe('first')
  reading.abort()
  expect(await gone).toBe('gone')
})
