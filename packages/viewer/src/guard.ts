import { requireArguments, requireChoices } from '@toolblocks/protocol/internal'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { getCookie, setCookie } from 'hono/cookie'
import { limitFailures } from './limit-failures.ts'
import { renderSignIn, renderLayout } from './pages/render-pages.ts'

/** Headers of every response: only this page's own style and script run, nothing is cached, nothing is fetched from elsewhere. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types toolblocks",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // With "no-referrer", a browser would send the form for an answer without its origin. Other sites receive no address.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

/** Files that anyone may load, because they contain nothing of a conversation. */
const OPEN_FILES: ReadonlySet<string> = new Set(['page.css', 'view.css', 'page.js', 'view.js'])
/** A token is shorter. */
const MAX_TOKEN_BYTES = 1024
/** Maximum bytes of an answer with its form: 1 MiB. */
const MAX_ANSWER_FORM_BYTES = 1024 * 1024

/** Pages that only a client with the token can read. */
export interface GuardedPages {
  /** Answers a request: `404` outside `path`. */
  fetch: (request: Request) => Promise<Response>
  /** 256 bits in base64url. The page at `path` takes it from the address, after `#t=`. */
  token: string
  /** The path of all pages, such as `/0f…/`. It is secret, so that no other port of this machine receives the cookie. */
  path: string
}

/** Options of `guardPages`. */
export interface GuardOptions {
  /** Returns the port once the server listens on 127.0.0.1. */
  port: () => number
  /**
   * The origin at which the user's own proxy offers the pages, as `readOrigin` returns it. Requests with exactly this host and origin are accepted, too.
   * Default: only addresses of this machine.
   */
  origin?: string
  /** Whether a client with the token can send answers to the pages: `POST answer`. Default: `refuse`. */
  answers?: 'accept' | 'refuse'
  /** Milliseconds of a clock. Default: the clock of the process. */
  now?: () => number
}

/**
 * Guards the pages of a viewer on a port of this machine, for one user. A client with the token gets a cookie; without it there is only the sign-in
 * page.
 */
export function guardPages(
  pages: (request: Request) => Promise<Response>,
  options: GuardOptions,
): GuardedPages {
  requireArguments(
    'guardPages(pages, options)',
    [pages, 'function'],
    [options, { port: 'function' }],
  )
  requireChoices('guardPages(pages, options)', 'options', options, {
    answers: ['accept', 'refuse'],
  })
  const { port, origin, answers = 'refuse', now = () => performance.now() } = options
  const token = randomBytes(32).toString('base64url')
  const secret = randomBytes(32).toString('hex')
  // A browser sends cookies to all ports of a host, but only below their path.
  const path = `/${randomBytes(16).toString('base64url')}/`
  const cookie = (): string => `toolblocks-${port()}`
  const isIn = (context: Context): boolean => isSame(getCookie(context, cookie()) ?? '', secret)
  const mayTry = limitFailures(now)

  const server = new Hono()
  server.use(async (context, next) => {
    const own = listOrigins(port(), origin).get(context.req.header('host') ?? '')
    const refusal = refuse(context.req.raw, { own, path, answers })
    if (refusal) context.res = context.text(refusal.text, refusal.status)
    else await next()
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value)
  })
  server.notFound((context) => context.text('Open the address that was printed last.\n', 404))
  const guarded = server.basePath(path)
  guarded.post('/enter', bodyLimit({ maxSize: MAX_TOKEN_BYTES }), async (context) => {
    const candidate = readToken(await context.req.json().catch(() => null))
    if (candidate === undefined) return context.text('Expected {"token": "…"} as JSON.', 400)
    // A client with the right token always gets access, so that others cannot lock it out with wrong ones.
    if (isSame(candidate, token)) {
      // The proxy receives it over TLS; a browser keeps it from every other connection.
      const isSecure = origin?.startsWith('https:') && context.req.header('origin') === origin
      setCookie(context, cookie(), secret, {
        httpOnly: true,
        sameSite: 'Strict',
        path,
        ...(isSecure && { secure: true }),
      })
      return context.body(null, 204)
    }
    return mayTry()
      ? context.text(
          'This token belongs to another server. Open the address that was printed last.',
          401,
        )
      : context.text('Too many wrong tokens. Try again in a minute.', 429)
  })
  guarded.post('/answer', bodyLimit({ maxSize: MAX_ANSWER_FORM_BYTES }))
  guarded.all('*', async (context) => {
    const { pathname, search } = new URL(context.req.url)
    const file = pathname.slice(path.length)
    if (OPEN_FILES.has(file) || isIn(context)) {
      const { method, raw } = context.req
      const { headers, signal } = raw
      return await pages(
        new Request(new URL(`/${file}${search}`, context.req.url), {
          method,
          headers,
          signal,
          ...(method === 'POST' && { body: await context.req.text() }),
        }),
      )
    }
    const isPage = context.req.header('sec-fetch-mode') === 'navigate'
    return context.html(renderLayout(renderSignIn(), { title: 'Toolblocks' }), isPage ? 200 : 401)
  })
  return { fetch: async (request) => await server.fetch(request), token, path }
}

function readToken(body: unknown): string | undefined {
  const isObject = typeof body === 'object' && body !== null && 'token' in body
  return isObject && typeof body.token === 'string' ? body.token : undefined
}

/** Takes the same time for every difference. */
function isSame(candidate: string, expected: string): boolean {
  const [one, other] = [candidate, expected].map((text) =>
    createHash('sha256').update(text).digest(),
  )
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}

/** Returns the origins of the pages, each with the host name that a request to it has. */
function listOrigins(port: number, origin: string | undefined): ReadonlyMap<string, string> {
  const local = ['127.0.0.1', 'localhost'].map((name) => `${name}:${port}`)
  return new Map([
    ...local.map((host) => [host, `http://${host}`] as const),
    ...(origin === undefined ? [] : [[new URL(origin).host, origin] as const]),
  ])
}

interface PageRefusal {
  status: 403 | 405 | 415 | 421
  text: string
}

const OTHER_PAGE: PageRefusal = { status: 403, text: 'Requests of other pages are not allowed.\n' }

/** What a client may send, with the type of its content. Only pages of the same origin can send it. */
const SENT = {
  enter: 'application/json',
  answer: 'application/x-www-form-urlencoded',
} as const

/** `own`: the origin of the pages; absent: the request has another host name. `path`: the path of the pages. */
function refuse(
  { method, url, headers }: Request,
  { own, path, answers }: { own: string | undefined; path: string; answers: 'accept' | 'refuse' },
): PageRefusal | undefined {
  // Another host name for this address may be an attack by DNS rebinding.
  if (own === undefined) return { status: 421, text: 'This host name is not allowed.\n' }
  const origin = headers.get('origin') ?? undefined
  const site = headers.get('sec-fetch-site') ?? 'none'
  const isOwn = site === 'none' || site === 'same-origin'
  const isReading = method === 'GET' || method === 'HEAD'
  const isNavigation = isReading && headers.get('sec-fetch-mode') === 'navigate'
  if ((origin !== undefined && origin !== own) || !(isOwn || isNavigation)) return OTHER_PAGE
  if (isReading) return undefined
  const { pathname } = new URL(url)
  const isEntering = pathname === `${path}enter`
  const isAnswering = answers === 'accept' && pathname === `${path}answer`
  if (method !== 'POST' || !(isEntering || isAnswering))
    return {
      status: 405,
      text: answers === 'accept' ? 'Only answers can be sent.\n' : 'These pages are read-only.\n',
    }
  if (origin === undefined) return OTHER_PAGE
  const expected = isEntering ? SENT.enter : SENT.answer
  return headers.get('content-type') === expected
    ? undefined
    : { status: 415, text: `Expected ${expected}.\n` }
}

/** Options of `guardServicePages`. */
export interface ServiceGuardOptions {
  /** The path below which the service offers the pages, such as `/pages/`. */
  path: string
  /** Whether the pages get answers: `POST answer`. */
  answers: 'accept' | 'refuse'
}

/**
 * Guards the pages of a service for a person who has signed in there. The service must have checked the host name of the request, and who sends it. Requests of other pages, and
 * other ones than for reading and answers, are refused.
 */
export function guardServicePages(
  pages: (request: Request) => Promise<Response>,
  options: ServiceGuardOptions,
): (request: Request) => Promise<Response> {
  requireArguments(
    'guardServicePages(pages, options)',
    [pages, 'function'],
    [options, { path: 'string' }],
  )
  requireChoices('guardServicePages(pages, options)', 'options', options, {
    answers: ['accept', 'refuse'],
  })
  const { path, answers } = options

  async function answer(request: Request): Promise<Response> {
    const { pathname, search, origin } = new URL(request.url)
    const refusal = refuse(request, { own: origin, path, answers })
    if (refusal) return new Response(refusal.text, { status: refusal.status })
    const isEntering = pathname === `${path}enter`
    if (!pathname.startsWith(path) || isEntering)
      return new Response('Not found.\n', { status: 404 })
    const { method, headers, signal } = request
    const body = method === 'POST' ? await request.text() : undefined
    if (body !== undefined && Buffer.byteLength(body) > MAX_ANSWER_FORM_BYTES)
      return new Response('The answer is too large.\n', { status: 413 })
    const inner = new URL(search, origin)
    inner.pathname = `/${pathname.slice(path.length)}`
    return await pages(
      new Request(inner, { method, headers, signal, ...(body !== undefined && { body }) }),
    )
  }

  return async (request) => {
    const { body, status, headers } = await answer(request)
    const guarded = new Response(body, { status, headers })
    for (const [name, value] of Object.entries(HEADERS)) guarded.headers.set(name, value)
    return guarded
  }
}

/** The origin of a proxy, or why it is refused. */
type ReadOrigin = { ok: true; origin: string } | { ok: false; problem: string }

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Reads the origin at which a proxy offers the pages: https, or http on this machine, without a path. */
export function readOrigin(text: string): ReadOrigin {
  const url = URL.parse(text)
  const isOrigin = url && [url.origin, `${url.origin}/`].includes(text.toLowerCase())
  if (!isOrigin)
    return { ok: false, problem: 'expected a scheme and a host, such as https://answers.example' }
  const { protocol, hostname, origin } = url
  if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname)))
    return { ok: true, origin }
  const problem =
    protocol === 'http:'
      ? 'others on the network could read answers over http; expected https'
      : 'expected https'
  return { ok: false, problem }
}
