import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'

/** Headers of every answer: nothing but our own style and script acts, nothing is kept, nothing is fetched from elsewhere. */
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

/** Wrong tokens of a minute, after which no further one is compared for the rest of it. */
const MOST_FAILURES = 10
const MINUTE = 60_000

/** Who may read the pages: whoever has the token that the command printed. */
export interface Guard {
  /** 256 bits, as hexadecimal digits. */
  token: string
  /** Every page lies below this path, such as `/0f…/`; nobody else knows it, so no other port of this machine is sent the cookie. */
  path: string
  /** Refuses what no page of ours asks for, before anything is looked up. */
  check: MiddlewareHandler
  /** Whether a request brings the cookie that `enter` gave. */
  isIn(context: Context): boolean
  /** Takes a token for a cookie. */
  enter(context: Context, token: string): 'in' | 'wrong' | 'too-often'
}

/** Guards the pages on a port of this machine; the port is known once the server listens. */
export function createGuard(port: () => number, now: () => number = Date.now): Guard {
  const token = randomBytes(32).toString('hex')
  const secret = randomBytes(32).toString('hex')
  // A browser sends cookies to all ports of a host, but only below their path.
  const path = `/${randomBytes(16).toString('hex')}/`
  const cookie = (): string => `toolblocks-${port()}`
  let failures: number[] = []
  return {
    token,
    path,
    check: async (context, next) => {
      const refusal = refuse(context, { port: port(), path })
      for (const [name, value] of Object.entries(HEADERS)) context.header(name, value)
      if (refusal) return context.text(refusal.text, refusal.status)
      return await next()
    },
    isIn: (context) => isSame(getCookie(context, cookie()) ?? '', secret),
    enter: (context, given) => {
      // Whoever has the token is let in at any time: others cannot lock them out by wrong ones.
      if (isSame(given, token)) {
        setCookie(context, cookie(), secret, { httpOnly: true, sameSite: 'Strict', path })
        return 'in'
      }
      failures = failures.filter((at) => at > now() - MINUTE)
      if (failures.length >= MOST_FAILURES) return 'too-often'
      failures.push(now())
      return 'wrong'
    },
  }
}

/** Takes as long whatever differs. */
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
  // A name that leads here, but is not ours, is a page that wants to pass for us.
  if (!hosts.includes(host)) return { status: 421, text: 'This host is not served here.\n' }
  const origin = req.header('origin')
  const site = req.header('sec-fetch-site') ?? 'none'
  const isOwn = site === 'none' || site === 'same-origin'
  const isReading = req.method === 'GET' || req.method === 'HEAD'
  const isNavigation = isReading && req.header('sec-fetch-mode') === 'navigate'
  if ((origin !== undefined && origin !== `http://${host}`) || !(isOwn || isNavigation))
    return { status: 403, text: 'Other pages may not ask here.\n' }
  if (isReading) return undefined
  if (req.method !== 'POST' || req.path !== `${path}enter`)
    return { status: 405, text: 'Nothing can be changed here.\n' }
  if (origin === undefined) return { status: 403, text: 'Other pages may not ask here.\n' }
  const isJson = req.header('content-type') === 'application/json'
  return isJson ? undefined : { status: 415, text: 'Expected application/json.\n' }
}
