import type { ClientIdentity } from '@toolblocks/mcp-bridge/identity'
import { encodeHtml, encodePageLine, markup } from '@toolblocks/renderer/internal/html'
import { framePage } from './page-frame.ts'

/** Shows the ways to sign in. */
export function showSignIn({
  next,
  hasTokens,
  issuer,
  problem,
  status = 200,
}: {
  /** The page that is opened afterwards. */
  next: string
  hasTokens: boolean
  /** The name of the issuer. */
  issuer: string | undefined
  problem?: string
  status?: number
}): Response {
  const query = new URLSearchParams({ issuer: '', next }).toString()
  const failed =
    problem === undefined
      ? markup``
      : markup`<p class="bad" role="alert">${encodePageLine(problem)}</p>`
  const atIssuer =
    issuer === undefined
      ? markup``
      : markup`<p><a class="way" href="/sign-in?${encodeHtml(query)}">Sign in at ${encodePageLine(issuer)}</a></p>`
  const withToken = hasTokens
    ? markup`<form method="post" action="/sign-in"><label for="token">Your token</label><input id="token" name="token" type="password" autocomplete="current-password" required><input type="hidden" name="next" value="${encodeHtml(next)}"><button${issuer === undefined ? markup`` : markup` class="other"`}>Sign in with a token</button></form><p class="note">The operator of this service gave you the token. Your client sends the same one.</p>`
    : markup``
  const none =
    issuer === undefined && !hasTokens
      ? markup`<p>No client of this service has a token now. Ask its operator.</p>`
      : markup``
  return framePage(markup`${failed}${atIssuer}${withToken}${none}`, { title: 'Sign in', status })
}

/** Shows who is signed in. */
export function showSignedIn({ name }: ClientIdentity, next: string): Response {
  const on =
    next === '/sign-in'
      ? markup``
      : markup`<p><a class="way" href="${encodeHtml(next)}">Continue</a></p>`
  return framePage(
    markup`<p>You are signed in as <strong>${encodePageLine(name)}</strong>.</p>${on}${SIGN_OUT}`,
    { title: 'Signed in' },
  )
}

/** Asks for the click that signs out. */
export function showSignOut(identity: ClientIdentity | undefined): Response {
  const content = identity
    ? markup`<p>You are signed in as <strong>${encodePageLine(identity.name)}</strong>.</p>${SIGN_OUT}`
    : markup`<p>You are not signed in.</p><p><a href="/sign-in">Sign in</a></p>`
  return framePage(content, { title: 'Sign out' })
}

/** The form that signs out. */
const SIGN_OUT = markup`<form method="post" action="/sign-out"><button class="other">Sign out</button></form>`

/** Shows why somebody is not signed in. */
export function showProblem(
  problem: string,
  {
    status,
    next = '/sign-in',
    cookies = [],
  }: { status: number; next?: string; cookies?: readonly string[] },
): Response {
  const query = new URLSearchParams({ next }).toString()
  return framePage(
    markup`<p class="bad" role="alert">${encodePageLine(problem)}</p><p><a class="way" href="/sign-in?${encodeHtml(query)}">Sign in again</a></p>`,
    { title: 'Not signed in', status, cookies },
  )
}
