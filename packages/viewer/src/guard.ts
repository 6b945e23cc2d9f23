import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { getCookie, setCookie } from 'hono/cookie'
import { renderSignIn, renderLayout } from './pages/render-pages.ts'

/** Headers of every response: only this page's own style and script run, nothing is cached, nothing is fetched from elsewhere. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types toolblocks",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

/** Failed tokens in a minute, after which no more are compared for the rest of it. */
const MAX_FAILURES = 10
const MINUTE = 60_000

/** Files that anyone may load, because they contain nothing of a conversation. */
const OPEN_FILES: ReadonlySet<string> = new Set(['page.css', 'view.css', 'page.js', 'view.js'])
/** A token is shorter. */
const MAX_BYTES = 1024

/** Pages that only a client with the token can read. */
export interface GuardedPages {
  /** Answers a request: `404` outside `path`. */
  fetch: (request: Request) => Promise<Response>
  /** 256 bits as hexadecimal digits. The page at `path` takes it from the address, after `#t=`. */
  token: string
  /** The path of all pages, such as `/0f…/`. It is secret, so that no other port of this machine receives the cookie. */
  path: string
}

/**
 * Guards the pages of a viewer on a port of this machine, for one user. A client with the token gets a cookie; without it there is only the sign-in
 * page. `port` returns the port once the server listens on 127.0.0.1.
 */
export function guardPages(
  pages: (request: Request) => Promise<Response>,
  { port, now = () => performance.now() }: { port: () => number; now?: () => number },
): GuardedPages {
  const token = randomBytes(32).toString('hex')
  const secret = randomBytes(32).toString('hex')
  // A browser sends cookies to all ports of a host, but only below their path.
  const path = `/${randomBytes(16).toString('hex')}/`
  const cookie = (): string => `toolblocks-${port()}`
  const isIn = (context: Context): boolean => isSame(getCookie(context, cookie()) ?? '', secret)
  const mayTry = limitFailures(now)

  const server = new Hono()
  server.use(async (context, next) => {
    const refusal = refuse(context, { port: port(), path })
    if (refusal) context.res = context.text(refusal.text, refusal.status)
    else await next()
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value)
  })
  server.notFound((context) => context.text('Open the address that was printed last.\n', 404))
  const guarded = server.basePath(path)
  guarded.post('/enter', bodyLimit({ maxSize: MAX_BYTES }), async (context) => {
    const given = readToken(await context.req.json().catch(() => null))
    // A client with the right token always gets access, so that others cannot lock it out with wrong ones.
    if (isSame(given, token)) {
      setCookie(context, cookie(), secret, { httpOnly: true, sameSite: 'Strict', path })
      return context.body(null, 204)
    }
    return mayTry()
      ? context.text(
          'This token belongs to another server. Open the address that was printed last.',
          401,
        )
      : context.text('Too many wrong tokens. Try again in a minute.', 429)
  })
  guarded.all('*', async (context) => {
    const { pathname, search } = new URL(context.req.url)
    const file = pathname.slice(path.length)
    if (OPEN_FILES.has(file) || isIn(context))
      return await pages(
        new Request(new URL(`/${file}${search}`, context.req.url), context.req.raw),
      )
    const isPage = context.req.header('sec-fetch-mode') === 'navigate'
    return context.html(renderLayout(renderSignIn(), { title: 'Toolblocks' }), isPage ? 200 : 401)
  })
  return { fetch: async (request) => await server.fetch(request), token, path }
}

/** Returns a function that counts failures and tells whether the limit of the minute is reached. */
function limitFailures(now: () => number): () => boolean {
  let failures: number[] = []
  return () => {
    failures = failures.filter((at) => at > now() - MINUTE)
    if (failures.length >= MAX_FAILURES) return false
    failures.push(now())
    return true
  }
}

function readToken(given: unknown): string {
  const isToken = typeof given === 'object' && given !== null && 'token' in given
  return isToken ? String(given.token) : ''
}

/** Takes the same time for every difference. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}

interface Refusal {
  status: 403 | 405 | 415 | 421
  text: string
}

function refuse(
  { req }: Context,
  { port, path }: { port: number; path: string },
): Refusal | undefined {
  const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${port}`)
  const host = req.header('host') ?? ''
  // Another host name for this address may be an attack by DNS rebinding.
  if (!hosts.includes(host)) return { status: 421, text: 'This host name is not allowed.\n' }
  const origin = req.header('origin')
  const site = req.header('sec-fetch-site') ?? 'none'
  const isOwn = site === 'none' || site === 'same-origin'
  const isReading = req.method === 'GET' || req.method === 'HEAD'
  const isNavigation = isReading && req.header('sec-fetch-mode') === 'navigate'
  if ((origin !== undefined && origin !== `http://${host}`) || !(isOwn || isNavigation))
    return { status: 403, text: 'Requests of other pages are not allowed.\n' }
  if (isReading) return undefined
  if (req.method !== 'POST' || req.path !== `${path}enter`)
    return { status: 405, text: 'These pages are read-only.\n' }
  if (origin === undefined)
    return { status: 403, text: 'Requests of other pages are not allowed.\n' }
  const isJson = req.header('content-type') === 'application/json'
  return isJson ? undefined : { status: 415, text: 'Expected application/json.\n' }
}
