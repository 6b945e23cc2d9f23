import { randomBytes } from 'node:crypto'
import { request as sendRaw } from 'node:http'
import { createOAuthResource, hashToken, type TokenClient } from '@toolblocks/mcp-bridge/identity'
import { serveHttp } from '@toolblocks/mcp-bridge/server'
import { createSuccessResult } from '@toolblocks/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  createResourceIndicators,
  startAuthorizationServer,
} from '../../../../../../packages/mcp-bridge/src/testing/authorization-server.support.ts'
import { createIssuerSignIn, type IssuerSettings } from './issuer-sign-in.ts'
import { startBrowser } from './page-browser.support.ts'
import { readOwnAddress } from './page-requests.ts'
import { createValueSealer } from './seal-values.ts'
import { createSignIn, type SignInOptions } from './sign-in.ts'
import { createSealedCookie } from './sign-in-cookies.ts'

const ANN: TokenClient = {
  name: 'ann',
  groups: ['devs'],
  tokens: [{ hash: hashToken('token-of-ann') }],
}

/** Serves pages that tell who has signed in, until the test ends. */
async function serveSignIn(
  options: Partial<SignInOptions> | ((origin: string) => Promise<Partial<SignInOptions>>) = {},
) {
  const clients: TokenClient[] = [ANN]
  const key = randomBytes(32)
  const served = await serveHttp(
    {
      name: 'ours',
      version: '1',
      root: '/',
      definitions: () => [],
      callTool: async () => createSuccessResult([]),
    },
    {
      port: 0,
      allowedHosts: ['https://tools.example'],
      pages: async (request) => {
        const page = await signIn.answer(request)
        if (page || new URL(request.url).pathname !== '/who') return page
        return Response.json((await signIn.find(request)) ?? null)
      },
    },
  )
  onTestFinished(async () => await served.close({ graceMs: 0 }))
  const { origin } = new URL(served.url)
  const more = typeof options === 'function' ? await options(origin) : options
  const signIn = createSignIn({ key, listClients: () => clients, ...more })
  return { origin, clients, key }
}

const ANN_IDENTITY = { id: '["client","ann"]', name: 'ann', groups: ['devs'], scopes: [] }

describe('a person signs in with a token', () => {
  test('and is known by a cookie that scripts and other sites do not have, until she signs out', async () => {
    const { origin, key } = await serveSignIn()
    const browser = startBrowser()
    const page = await browser.open(`${origin}/sign-in?next=/who`)
    expect(page.text).toContain('name="token"')
    expect(page.text).not.toContain('<script')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect((await browser.open(`${origin}/who`)).text).toBe('null')

    const form = { token: 'token-of-ann', next: '/who' }
    const entered = await browser.open(`${origin}/sign-in`, { form })
    expect(entered.url.pathname).toBe('/who')
    expect(JSON.parse(entered.text)).toEqual(ANN_IDENTITY)
    const [line = ''] = browser.setCookies
    expect(line).toMatch(/^toolblocks-\d+=[\w-]+; Path=\/; Max-Age=28800; HttpOnly; SameSite=Lax$/)
    expect(line).not.toContain(hashToken('token-of-ann'))
    expect((await browser.open(`${origin}/sign-in`)).text).toContain('<strong>ann</strong>')

    // Another replica has the same key, and another address.
    const replica = createSignIn({ key, listClients: () => [ANN] })
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const there = new Request(`${origin}/who`, { headers: { cookie } })
    expect(await replica.find(there)).toEqual(ANN_IDENTITY)
    const other = createSignIn({ key: randomBytes(32), listClients: () => [ANN] })
    expect(await other.find(there)).toBeUndefined()

    expect((await browser.open(`${origin}/sign-out`)).text).toContain('Sign out')
    expect((await browser.open(`${origin}/who`)).text).not.toBe('null')
    await browser.open(`${origin}/sign-out`, { form: {} })
    expect((await browser.open(`${origin}/who`)).text).toBe('null')
  })

  test.for<[string, (clients: TokenClient[]) => void]>([
    ['the token is revoked', (clients) => clients.splice(0, 1, { ...ANN, tokens: [] })],
    [
      'the token expires',
      (clients) =>
        clients.splice(0, 1, { ...ANN, tokens: [{ hash: hashToken('token-of-ann'), expires: 1 }] }),
    ],
    ['the client is gone', (clients) => clients.splice(0, 1)],
  ])('and is unknown when %s', async ([, change]) => {
    const { origin, clients } = await serveSignIn()
    const browser = startBrowser()
    await browser.open(`${origin}/sign-in`, { form: { token: 'token-of-ann' } })
    expect((await browser.open(`${origin}/who`)).text).not.toBe('null')
    change(clients)
    expect((await browser.open(`${origin}/who`)).text).toBe('null')
  })

  test('for 8 hours, also if the browser keeps the cookie longer, and nobody can change it', async () => {
    let time = Date.now()
    const { origin, key } = await serveSignIn({ now: () => time })
    const browser = startBrowser()
    await browser.open(`${origin}/sign-in`, { form: { token: 'token-of-ann' } })
    time += 8 * 60 * 60 * 1000 - 1
    expect((await browser.open(`${origin}/who`)).text).not.toBe('null')
    const [[name, value] = ['', '']] = [...browser.cookies]
    for (const index of [0, 20, value.length - 2]) {
      const changed =
        value.slice(0, index) + (value[index] === 'A' ? 'B' : 'A') + value.slice(index + 1)
      browser.cookies.set(name, changed)
      expect((await browser.open(`${origin}/who`)).text).toBe('null')
    }
    browser.cookies.set(name, value)
    time += 2
    expect((await browser.open(`${origin}/who`)).text).toBe('null')
    // What is sealed for something else is no sign-in.
    const sealer = createValueSealer(key, 'sign-in')
    const about = ['toolblocks-begun', origin]
    const token = hashToken('token-of-ann')
    browser.cookies.set(name, sealer.seal({ token, until: time + 1000 }, about))
    expect((await browser.open(`${origin}/who`)).text).toBe('null')
  })

  test('but not after ten wrong ones in a minute, unless it is the right one', async () => {
    let time = Date.now()
    const { origin } = await serveSignIn({ now: () => time })
    const browser = startBrowser()
    const statuses: number[] = []
    const tryToken = async (token: string): Promise<number> =>
      (await browser.open(`${origin}/sign-in`, { form: { token } })).status
    for (let count = 0; count < 11; count += 1) statuses.push(await tryToken(`wrong-${count}`))
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429])
    expect(await tryToken('token-of-ann')).toBe(200)
    time += 60_001
    expect(await tryToken('wrong')).toBe(401)
  })

  test.for<[string, Record<string, string>]>([
    ['another site', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['a page without an origin', { origin: 'null' }],
    ['a frame of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('but %s cannot sign anybody in or out', async ([, headers]) => {
    const { origin } = await serveSignIn()
    for (const path of ['/sign-in', '/sign-out']) {
      const browser = startBrowser()
      const form = { token: 'token-of-ann' }
      expect((await browser.open(`${origin}${path}`, { form, headers })).status).toBe(403)
      expect(browser.setCookies).toEqual([])
    }
  })

  test('over https with a cookie of this host alone, and never over http of another machine', async () => {
    const { origin, key } = await serveSignIn()
    const { port } = new URL(origin)
    const send = async (host: string): Promise<{ status: number; cookies: readonly string[] }> => {
      const { promise, resolve, reject } = Promise.withResolvers<{
        status: number
        cookies: readonly string[]
      }>()
      const headers = {
        host,
        origin: `https://${host}`,
        'content-type': 'application/x-www-form-urlencoded',
      }
      sendRaw({ port, host: '127.0.0.1', path: '/sign-in', method: 'POST', headers }, (answer) => {
        answer.resume()
        const { statusCode: status = 0, headers: got } = answer
        resolve({ status, cookies: got['set-cookie'] ?? [] })
      })
        .on('error', reject)
        .end('token=token-of-ann')
      return await promise
    }
    const { status, cookies } = await send('tools.example')
    expect(status).toBe(303)
    expect(cookies.join('')).toMatch(/^__Host-toolblocks=[\w-]+; Path=\/; .*SameSite=Lax; Secure$/)
    expect((await send('evil.example')).status).toBe(403)
    const open = createSignIn({ key, listClients: () => [ANN] })
    const insecure = await open.answer(new Request('http://10.0.0.5:8080/sign-in'))
    expect(insecure?.status).toBe(403)
  })
})

test.for<[string, string]>([
  ['/pages/question?id=1', '/pages/question?id=1'],
  ['/a#b', '/a#b'],
  ['//evil.example', '/sign-in'],
  ['/\\evil.example', '/sign-in'],
  ['/\t/evil.example', '/sign-in'],
  ['/.//evil.example', '/sign-in'],
  ['/x/..//evil.example', '/sign-in'],
  ['https://evil.example/', '/sign-in'],
  ['javascript:alert(1)', '/sign-in'],
  ['pages', '/sign-in'],
  ['', '/sign-in'],
])('after %j, the page %s is opened', ([next, opened]) => {
  expect(readOwnAddress(next)).toBe(opened)
})

describe('a person signs in at the issuer', () => {
  const audience = 'https://tools.example/mcp'

  async function startAuthorization(redirectUri: string) {
    const authorization = await startAuthorizationServer(() => ({
      clients: [
        {
          client_id: 'pages',
          client_secret: 'a secret of the pages',
          redirect_uris: [redirectUri],
        },
      ],
      scopes: ['openid', 'mcp:read'],
      features: {
        devInteractions: { enabled: false },
        resourceIndicators: createResourceIndicators('jwt'),
      },
    }))
    onTestFinished(authorization.close)
    const { issuer } = authorization
    const scopes = ['mcp:read']
    const { authenticate } = createOAuthResource({ issuer, audience, scopes })
    const createIssuer = (more: Partial<IssuerSettings> = {}) =>
      createIssuerSignIn({
        issuer,
        clientId: 'pages',
        clientSecret: 'a secret of the pages',
        audience,
        scopes,
        groups: [],
        authenticate,
        ...more,
      })
    return { authorization, createIssuer }
  }

  async function prepare(settings: Partial<IssuerSettings> = {}) {
    const { promise, resolve } =
      Promise.withResolvers<Awaited<ReturnType<typeof startAuthorization>>>()
    const stage = await serveSignIn(async (origin) => {
      const started = await startAuthorization(`${origin}/sign-in/return`)
      resolve(started)
      return { issuer: started.createIssuer(settings) }
    })
    return { ...stage, ...(await promise) }
  }

  test('and has the identity that her access tokens have', async () => {
    const { origin, authorization, key, createIssuer } = await prepare()
    const browser = startBrowser()
    const { text } = await browser.open(`${origin}/sign-in?next=/who`)
    const [, link = ''] = /href="(\/sign-in\?issuer=[^"]+)"/.exec(text) ?? []
    const back = await browser.open(`${origin}${link.replaceAll('&amp;', '&')}`)
    expect(back.url.pathname).toBe('/who')
    const identity = {
      id: JSON.stringify(['oauth', authorization.issuer, 'ada']),
      name: 'ada',
      groups: [],
      scopes: ['mcp:read'],
    }
    expect(JSON.parse(back.text)).toEqual(identity)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const request = new Request(`${origin}/who`, { headers: { cookie } })
    const replica = createSignIn({ key, listClients: () => [], issuer: createIssuer() })
    expect(await replica.find(request)).toEqual(identity)
    const later = createSignIn({
      key,
      listClients: () => [],
      issuer: createIssuer(),
      now: () => Date.now() + 61 * 60_000,
    })
    expect(await later.find(request)).toBeUndefined()
    // Who signed in with other settings, or at an issuer that is gone, signs in again.
    for (const issuer of [
      createIssuer({ clientId: 'other' }),
      createIssuer({ audience: 'https://b.example' }),
    ])
      expect(
        await createSignIn({ key, listClients: () => [], issuer }).find(request),
      ).toBeUndefined()
    expect(await createSignIn({ key, listClients: () => [] }).find(request)).toBeUndefined()
  })

  test.for<
    [
      string,
      (
        stage: Awaited<ReturnType<typeof prepare>> & { returned: URL },
        browser: ReturnType<typeof startBrowser>,
      ) => Promise<void> | void,
    ]
  >([
    ['the answer comes to another browser', (_stage, browser) => browser.cookies.clear()],
    [
      'the answer is that of another sign-in',
      ({ returned }) => returned.searchParams.set('state', 'x'),
    ],
    [
      'the answer is that of another issuer',
      ({ returned }) => returned.searchParams.set('iss', 'https://evil.example'),
    ],
    [
      'the issuer is asked again with another code',
      ({ returned }) => returned.searchParams.set('code', 'x'),
    ],
    ['the ID token is for another nonce', (stage, browser) => change(stage, browser, 'nonce')],
    ['the code is for another verifier', (stage, browser) => change(stage, browser, 'verifier')],
    [
      'the ID token is signed with another key',
      ({ authorization }) => {
        let count = 0
        authorization.intercept = (request, response) => {
          if (request.url !== '/jwks' || count++ > 0) return false
          response.writeHead(200, { 'content-type': 'application/json' }).end('{"keys":[]}')
          return true
        }
      },
    ],
  ])('but not if %s', async ([, spoil]) => {
    const stage = await prepare()
    const { origin } = stage
    const browser = startBrowser()
    const isEnd = ({ pathname }: URL): boolean => pathname === '/sign-in/return'
    const { url } = await browser.open(`${origin}/sign-in?issuer=&next=/who`, { isEnd })
    expect(url.pathname).toBe('/sign-in/return')
    await spoil({ ...stage, returned: url }, browser)
    const back = await browser.open(url.href)
    expect(back.text).toContain('Not signed in')
    expect(back.status).toBeGreaterThanOrEqual(400)
    expect((await browser.open(`${origin}/who`)).text).toBe('null')
  })

  test('but not without the scopes that every client needs', async () => {
    const { origin } = await prepare({ scopes: [] })
    const browser = startBrowser()
    const back = await browser.open(`${origin}/sign-in?issuer=&next=/who`)
    expect(back.text).toContain('The access token needs mcp:read.')
    expect((await browser.open(`${origin}/who`)).text).toBe('null')
  })

  test('once with each answer, and not if another site begins it', async () => {
    const { origin } = await prepare()
    const browser = startBrowser()
    const isEnd = ({ pathname }: URL): boolean => pathname === '/sign-in/return'
    const { url } = await browser.open(`${origin}/sign-in?issuer=&next=/who`, { isEnd })
    const kept = new Map(browser.cookies)
    expect((await browser.open(url.href)).url.pathname).toBe('/who')
    const again = startBrowser()
    for (const [name, value] of kept) again.cookies.set(name, value)
    expect((await again.open(url.href)).status).toBe(403)
    const headers = { 'sec-fetch-site': 'cross-site' }
    const begun = await startBrowser().open(`${origin}/sign-in?issuer=`, { headers })
    expect(begun.text).toContain('Sign in at')
  })

  test('and is told if the issuer is away', async () => {
    const { origin, authorization } = await prepare()
    await authorization.close()
    const page = await startBrowser().open(`${origin}/sign-in?issuer=`)
    expect(page.status).toBe(502)
    expect(page.text).toContain('did not sign you in')
  })

  /** Replaces a value that the browser keeps during a sign-in, as somebody with the key could. */
  function change(
    { origin, key }: { origin: string; key: Uint8Array },
    browser: ReturnType<typeof startBrowser>,
    name: string,
  ): void {
    const cookie = createSealedCookie(createValueSealer(key, 'sign-in'), {
      name: 'toolblocks-begun',
      maxSeconds: 60,
    })
    const sent = [...browser.cookies].map(([each, value]) => `${each}=${value}`).join('; ')
    const request = new Request(origin, { headers: { cookie: sent } })
    const line = cookie.write(request, { ...cookie.read(request), [name]: 'x'.repeat(43) })
    const [, full = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    browser.cookies.set(full, value)
  }
})
