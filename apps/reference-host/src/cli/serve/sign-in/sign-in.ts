import {
  type ClientIdentity,
  findClientOfToken,
  hashToken,
  type TokenClient,
} from '@toolblocks/mcp-bridge/identity'
import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { limitFailures } from '@toolblocks/viewer'
import type { IssuerSignIn } from './issuer-sign-in.ts'
import { redirect } from './page-frame.ts'
import { checkPost, readOwnAddress } from './page-requests.ts'
import { createValueSealer } from './seal-values.ts'
import { createSealedCookie } from './sign-in-cookies.ts'
import { showProblem, showSignedIn, showSignIn, showSignOut } from './sign-in-pages.ts'

/** Signs people in on the pages of a service: with a token of their client, or at the issuer of `[serve.oauth]`. */
export interface SignIn {
  /** Who has signed in on the browser that sends a request. */
  find(request: Request): Promise<ClientIdentity | undefined>
  /** Answers the pages of the sign-in (`/sign-in`, `/sign-in/return`, `/sign-out`). `undefined`: another address. */
  answer(request: Request): Promise<Response | undefined>
  /** The address that signs in and then opens a page of the service. */
  getAddress(next: string): string
}

/** Options of `createSignIn`. */
export interface SignInOptions {
  /** 32 bytes that every replica has. */
  key: Uint8Array
  /** Returns the clients with their tokens at this moment. */
  listClients: () => readonly TokenClient[]
  /** The sign-in at the issuer. Absent: only tokens. */
  issuer?: IssuerSignIn
  /** The origin of `--public-url`. */
  publicOrigin?: string
  /** Milliseconds since 1970. Default: the clock of the system. */
  now?: () => number
}

const HOURS_8 = 8 * 60 * 60
/** What an issuer takes from a person is known at her next sign-in, so that one is soon. */
const HOUR_MS = 60 * 60 * 1000
const TEN_MINUTES = 10 * 60
const MAX_TOKEN_LENGTH = 1024
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Creates the sign-in. With a token, a person is signed in for 8 hours, and no longer than it is valid; at the issuer, for one hour, and no longer than it is configured. */
export function createSignIn(options: SignInOptions): SignIn {
  const { key, listClients, issuer, publicOrigin, now = Date.now } = options
  const sealer = createValueSealer(key, 'sign-in')
  const signedIn = createSealedCookie(sealer, { name: 'toolblocks', maxSeconds: HOURS_8, now })
  const begun = createSealedCookie(sealer, {
    name: 'toolblocks-begun',
    maxSeconds: TEN_MINUTES,
    now,
  })
  const mayTry = limitFailures(now)

  async function find(request: Request): Promise<ClientIdentity | undefined> {
    const { token, at: about, since, identity } = signedIn.read(request) ?? {}
    if (typeof token === 'string') return findClientOfToken(listClients(), token)
    const isRecent = typeof since === 'number' && now() < since + HOUR_MS
    return issuer && about === issuer.about && isRecent ? readIdentity(identity) : undefined
  }

  async function showPage(request: Request, next: string): Promise<Response> {
    const identity = await find(request)
    if (identity) return showSignedIn(identity, next)
    return showSignIn({ next, hasTokens: listClients().length > 0, issuer: issuer?.name })
  }

  /** Sends the browser to the issuer. Only a link of this page does, so that no other site begins a sign-in. */
  async function begin(request: Request, issuing: IssuerSignIn, next: string): Promise<Response> {
    const { origin } = new URL(request.url)
    const site = request.headers.get('sec-fetch-site') ?? 'same-origin'
    if (site !== 'same-origin' && site !== 'none') return await showPage(request, next)
    // The issuer knows one address.
    if (publicOrigin !== undefined && origin !== publicOrigin)
      return redirect(`${publicOrigin}${getAddress(next)}`)
    try {
      const { address, kept } = await issuing.begin(`${origin}/sign-in/return`)
      return redirect(address, [begun.write(request, { ...kept, next })])
    } catch (error) {
      return showProblem(issuing.explain(error), { status: 502, next })
    }
  }

  async function finish(request: Request, issuing: IssuerSignIn): Promise<Response> {
    const { next: kept, ...flow } = begun.read(request) ?? {}
    const next = readOwnAddress(kept)
    const cookies = [begun.remove(request)]
    if (typeof flow['state'] !== 'string')
      return showProblem('This sign-in was not begun in this browser, or it took too long.', {
        status: 400,
        next,
        cookies,
      })
    try {
      const identity = await issuing.finish(new URL(request.url), flow)
      const value: JsonObject = { at: issuing.about, since: now(), identity: { ...identity } }
      return redirect(next, [...cookies, signedIn.write(request, value)])
    } catch (error) {
      return showProblem(issuing.explain(error), { status: 403, next, cookies })
    }
  }

  async function enter(request: Request): Promise<Response> {
    const form = await checkPost(request)
    if (form instanceof Response) return form
    const next = readOwnAddress(form.get('next'))
    const token = (form.get('token') ?? '').trim()
    const hash = hashToken(token)
    const isToken = token !== '' && token.length <= MAX_TOKEN_LENGTH
    // A person with a right token always gets in, so that others cannot lock her out with wrong ones.
    if (isToken && findClientOfToken(listClients(), hash))
      return redirect(next, [signedIn.write(request, { token: hash })])
    const isTried = mayTry()
    return showSignIn({
      next,
      hasTokens: true,
      issuer: issuer?.name,
      status: isTried ? 401 : 429,
      problem: isTried
        ? 'This token is unknown, has expired or was revoked.'
        : 'Too many wrong tokens. Try again in a minute.',
    })
  }

  return {
    find,
    getAddress,
    answer: async (request) => {
      const { pathname, searchParams, protocol, hostname } = new URL(request.url)
      if (!['/sign-in', '/sign-in/return', '/sign-out'].includes(pathname)) return undefined
      if (protocol !== 'https:' && !LOOPBACK.test(hostname))
        return showProblem(
          'Signing in needs https: others on the network could read the token. Ask the operator for the address of the service.',
          { status: 403 },
        )
      const isPost = request.method === 'POST'
      const isReading = request.method === 'GET' || request.method === 'HEAD'
      if (pathname === '/sign-in/return' && isReading && issuer)
        return await finish(request, issuer)
      if (pathname === '/sign-in' && isPost) return await enter(request)
      if (pathname === '/sign-in' && isReading) {
        const next = readOwnAddress(searchParams.get('next'))
        return issuer && searchParams.has('issuer')
          ? await begin(request, issuer, next)
          : await showPage(request, next)
      }
      if (pathname === '/sign-out' && isPost) {
        const form = await checkPost(request)
        if (form instanceof Response) return form
        return redirect('/sign-in', [signedIn.remove(request)])
      }
      if (pathname === '/sign-out' && isReading) return showSignOut(await find(request))
      return new Response('This method is not allowed here.\n', { status: 405 })
    },
  }
}

function getAddress(next: string): string {
  return `/sign-in?${new URLSearchParams({ next: readOwnAddress(next) }).toString()}`
}

function readIdentity(value: unknown): ClientIdentity | undefined {
  if (!isJsonObject(value)) return undefined
  const { id, name, groups, scopes } = value
  if (typeof id !== 'string' || typeof name !== 'string') return undefined
  return { id, name, groups: readTexts(groups), scopes: readTexts(scopes) }
}

function readTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
