import { hash } from 'node:crypto'
import type { Documents } from '@toolblocks/conversation-store'
import type { ClientIdentity } from '@toolblocks/mcp-bridge/identity'
import { AuthorizationError } from '@toolblocks/mcp-bridge'
import type { BegunLogin, LoginStatus } from '@toolblocks/mcp-bridge/oauth'
import { isJsonObject, type SafeHtml } from '@toolblocks/protocol'
import { encodeHtml, encodePageLine, markup } from '@toolblocks/renderer/internal/html'
import type { WrittenServer } from '../../../workspace/servers/written-servers.ts'
import { framePage, redirect } from '../sign-in/page-frame.ts'
import { checkPost } from '../sign-in/page-requests.ts'
import type { ValueSealer } from '../sign-in/seal-values.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { ServiceLogins } from './person-logins.ts'

/** A server at which each person has a login of her own. */
export interface PersonalServer {
  written: WrittenServer
  url: string
}

/** The collection of logins that have begun. */
const BEGUN = 'server-login-begun'
const BEGUN_MS = 10 * 60 * 1000
/** The number of forgotten logins for each one that begins, so that their number does not grow without limit. */
const FORGOTTEN = 2
const PATH = /^\/servers\/([^/]+)\/(login|return(?:\/[\w/-]*)?)$/

/** Creates the pages on which people log in at servers. `undefined`: another address. */
export function createLoginPages({
  signIn,
  logins,
  servers,
  origin,
  maySee,
  documents,
  sealer,
  now = Date.now,
}: {
  signIn: SignIn
  logins: ServiceLogins
  servers: readonly PersonalServer[]
  /** That of `--public-url`. */
  origin: string
  /** Whether a person may use a server. */
  maySee: (person: ClientIdentity, server: string) => boolean
  documents: Pick<Documents, 'read' | 'list' | 'write' | 'remove'>
  sealer: ValueSealer
  now?: () => number
}): (request: Request) => Promise<Response | undefined> {
  /** Keeps what a login needs until the browser comes back, for this person alone. */
  async function keep(person: ClientIdentity, server: string, begun: BegunLogin): Promise<void> {
    const { documents: oldest } = await documents.list(BEGUN, { limit: FORGOTTEN })
    for (const { id, version, value } of oldest) {
      const until = isJsonObject(value) ? value['until'] : undefined
      if (typeof until !== 'number' || until < now()) await documents.remove(BEGUN, id, version)
    }
    await documents.write({
      collection: BEGUN,
      id: hash('sha256', begun.state),
      version: 0,
      state: 'begun',
      value: {
        until: now() + BEGUN_MS,
        sealed: sealer.seal(
          { ...begun, discovered: { ...begun.discovered } },
          about(person, server),
        ),
      },
    })
  }

  /** Takes what was kept, once. */
  async function take(
    person: ClientIdentity,
    server: string,
    state: string,
  ): Promise<BegunLogin | undefined> {
    const id = hash('sha256', state)
    const document = await documents.read(BEGUN, id)
    const { until, sealed } = isJsonObject(document?.value) ? document.value : {}
    if (!document || typeof sealed !== 'string' || typeof until !== 'number') return undefined
    const begun = sealer.open(sealed, about(person, server))
    if (!begun || until < now()) return undefined
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody else has the key
    const own = begun as unknown as BegunLogin
    return (await documents.remove(BEGUN, id, document.version)) ? own : undefined
  }

  async function show(
    request: Request,
    person: ClientIdentity,
    { written, url }: PersonalServer,
  ): Promise<Response> {
    const { name } = written
    const status = await (await logins.open(person, written, url)).getStatus()
    const scope = new URL(request.url).searchParams.get('scope') ?? ''
    const isIn = status !== undefined && status.unusable === undefined
    const facts = describePlace(person, { name, url, scope })
    const state = status ? markup`<p>${describeStatus(status)}</p>` : markup``
    const log = isIn ? markup`Log in again` : markup`Log in at ${encodePageLine(name)}`
    const out = status
      ? markup`<form method="post"><button class="other" name="do" value="remove">Log out at ${encodePageLine(name)}</button></form>`
      : markup``
    return framePage(
      markup`${facts}${state}<form method="post"><input type="hidden" name="scope" value="${encodeHtml(scope)}"><button name="do" value="begin">${log}</button></form>${out}<p class="note">Log in only if you wanted to. Calls that you make with this service then use your login at ${encodePageLine(name)}. Nobody else uses it.</p>${OTHER_PERSON}`,
      { title: `Log in at ${name}` },
    )
  }

  async function begin(
    person: ClientIdentity,
    { written, url }: PersonalServer,
    scope: string,
  ): Promise<Response> {
    const { name } = written
    const oauth = await logins.open(person, written, url)
    const scopes = scope.split(' ').filter((each) => /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/.test(each))
    const { address, begun } = await oauth.beginLogin(
      ({ path }) => `${origin}/servers/${encodeURIComponent(name)}/return${path}`,
      { scopes: scopes.slice(0, 64) },
    )
    await keep(person, name, begun)
    // A redirect after a form would need every page of the authorization server in "form-action".
    const content = markup`<meta http-equiv="refresh" content="0;url=${encodeHtml(address.href)}"><p><a class="way" href="${encodeHtml(address.href)}">Continue at ${encodePageLine(address.host)}</a></p>`
    return framePage(content, { title: `Log in at ${name}` })
  }

  async function finish(
    request: Request,
    person: ClientIdentity,
    { written, url }: PersonalServer,
  ): Promise<Response> {
    const { name } = written
    const { search, searchParams } = new URL(request.url)
    const begun = await take(person, name, searchParams.get('state') ?? '')
    if (!begun)
      return showFailure(name, 'This login was begun by somebody else, or it is already over.', 400)
    const oauth = await logins.open(person, written, url)
    await oauth.finishLogin(begun, `${begun.redirectUrl}${search}`)
    return framePage(
      markup`${describePlace(person, { name, url, scope: '' })}<p>You can close this page. Calls that waited for the login continue.</p>`,
      { title: `Logged in at ${name}` },
    )
  }

  return async (request) => {
    const address = new URL(request.url)
    const [, encoded = '', page = ''] = PATH.exec(address.pathname) ?? []
    if (page === '') return undefined
    if (address.origin !== origin)
      return request.method === 'GET'
        ? redirect(`${origin}${address.pathname}${address.search}`)
        : new Response('Open the address of the service.\n', { status: 421 })
    const person = await signIn.find(request)
    if (!person) return redirect(signIn.getAddress(`${address.pathname}${address.search}`))
    const server = servers.find(({ written: { name } }) => encodeURIComponent(name) === encoded)
    if (!server || !maySee(person, server.written.name))
      return framePage(markup`<p>There is no such server.</p>${OTHER_PERSON}`, {
        title: 'Not found',
        status: 404,
      })
    const { name } = server.written
    try {
      if (page !== 'login')
        return request.method === 'GET' ? await finish(request, person, server) : refuseMethod()
      if (request.method === 'GET' || request.method === 'HEAD')
        return await show(request, person, server)
      if (request.method !== 'POST') return refuseMethod()
      const form = await checkPost(request)
      if (form instanceof Response) return form
      if (form.get('do') !== 'remove') return await begin(person, server, form.get('scope') ?? '')
      await (await logins.open(person, server.written, server.url)).logOut()
      return redirect(address.pathname)
    } catch (error) {
      if (!(error instanceof AuthorizationError)) throw error
      return showFailure(name, error.message, 502)
    }
  }
}

/** What is kept while a person logs in belongs to her, and to one server. */
function about(person: ClientIdentity, server: string): readonly string[] {
  return ['begun', person.id, server]
}

function refuseMethod(): Response {
  return new Response('This method is not allowed here.\n', { status: 405 })
}

const OTHER_PERSON = markup`<p class="note"><a href="/sign-out">That is not me</a></p>`

function describePlace(
  person: ClientIdentity,
  { name, url, scope }: { name: string; url: string; scope: string },
): SafeHtml {
  const scopes =
    scope === '' ? markup`` : markup`<dt>Further scopes</dt><dd>${encodePageLine(scope)}</dd>`
  return markup`<dl><dt>Signed in here as</dt><dd>${encodePageLine(person.name)}</dd><dt>Server</dt><dd>${encodePageLine(name)}, ${encodePageLine(new URL(url).host)}</dd>${scopes}</dl>`
}

function describeStatus({ issuer, unusable }: LoginStatus): SafeHtml {
  return unusable === undefined
    ? markup`You are logged in there, at ${encodePageLine(issuer)}.`
    : markup`Your login there is over.`
}

function showFailure(name: string, problem: string, status: number): Response {
  return framePage(
    markup`<p class="bad" role="alert">${encodePageLine(problem)}</p><p><a class="way" href="/servers/${encodeHtml(encodeURIComponent(name))}/login">Try again</a></p>`,
    { title: `Not logged in at ${name}`, status },
  )
}
