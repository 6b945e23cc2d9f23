import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import {
  type PageBrowser,
  startBrowser,
} from '../../apps/reference-host/src/cli/serve/sign-in/page-browser.support.ts'
import { startLoginServers } from '../stage/login-servers.ts'
import { startToolblocks, toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { findFreePort, findFreePorts } from '../stage/free-ports.ts'

const TOKENS = { ANN: 'the-token-of-ann', BEN: 'the-token-of-ben' }
const KEY = randomBytes(32).toString('base64')

/** A folder whose server has a login of each person, with people who have tokens. */
async function makePeople(more = '') {
  const { authorization, server } = await startLoginServers()
  const folder = makeFolder({
    'toolblocks.toml': `[store]
url = "sqlite:kept.db"
[mcp.servers.desk]
url = "${server.url}"
login = "each"
run = "unattended"
[serve.clients.ann]
token_env = "ANN"
[serve.clients.ben]
token_env = "BEN"
${more}`,
  })
  return { authorization, server, folder }
}

async function serve(
  folder: string,
  { port, args = [], key = KEY }: { port: number; args?: readonly string[]; key?: string },
) {
  const origin = `http://127.0.0.1:${port}`
  const running = startToolblocks(
    folder,
    ['serve', '--http', `${port}`, '--public-url', origin, ...args],
    { ...TOKENS, TOOLBLOCKS_CREDENTIALS_KEY: key },
  )
  await running.said(/Clients with tokens of their own/)
  return { origin, running }
}

/** A client of one person. `visit`: opens the address of a question, or nothing if the client cannot. */
async function connect(
  origin: string,
  token: string,
  visit?: (address: string) => Promise<'accept' | 'decline'>,
  version?: '2026-07-28',
) {
  const completed: string[] = []
  const asked: string[] = []
  const announced: string[] = []
  const client = new Client(
    { name: 'editor', version: '1' },
    {
      capabilities: visit ? { elicitation: { url: {} } } : {},
      ...(version && { versionNegotiation: { mode: { pin: version } } }),
    },
  )
  onTestFinished(async () => await client.close())
  if (visit)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const { url, elicitationId } = Object(params)
      asked.push(url)
      announced.push(elicitationId)
      return { action: await visit(url) }
    })
  client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
    completed.push(params.elicitationId)
  })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit: { headers } }),
  )
  const call = async (name: string): Promise<string> =>
    JSON.stringify(await client.callTool({ name, arguments: {} }))
  const names = async (): Promise<readonly string[]> =>
    (await client.listTools()).tools
      .map(({ name }) => name)
      .filter((name) => name.startsWith('desk'))
  return { client, call, names, completed, asked, announced }
}

/** Opens an address of the service at one of its processes, as a proxy does. */
async function openAt(
  port: number,
  { host, pathname, search }: URL,
  browser: PageBrowser,
): Promise<string> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = get({
    port,
    host: '127.0.0.1',
    path: `${pathname}${search}`,
    headers: { host, cookie },
  })
  const [response] = await once(request, 'response')
  return await text(response)
}

/** A browser of a person who has signed in at the service, and has an account elsewhere. */
async function signIn(origin: string, token: string, account: string): Promise<PageBrowser> {
  const browser = startBrowser()
  browser.cookies.set('account', account)
  await browser.open(`${origin}/sign-in`, { form: { token } })
  return browser
}

/** Logs in on the page of a server: a click here, and one at the authorization server. */
async function logIn(browser: PageBrowser, address: string): Promise<string> {
  const page = await browser.open(address)
  expect(page.text).toContain('Signed in here as')
  const begun = await browser.open(address, { form: { do: 'begin' } })
  const [, next = ''] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(begun.text) ?? []
  return (await browser.open(next.replaceAll('&amp;', '&'))).text
}

test('promise several clients: each person has a login of her own at a server, and calls wait for it', async () => {
  const { server, folder } = await makePeople()
  const { origin, running } = await serve(folder, { port: await findFreePort() })
  const browsers = {
    ann: await signIn(origin, TOKENS.ANN, 'annas'),
    ben: await signIn(origin, TOKENS.BEN, 'bens'),
  }
  const ann = await connect(origin, TOKENS.ANN, async (address) => {
    expect(await logIn(browsers.ann, address)).toContain('Logged in at desk')
    return 'accept'
  })
  const ben = await connect(origin, TOKENS.BEN)
  expect(await ann.names()).toEqual(['desk__log_in'])
  // A client that cannot ask gets the address.
  const answered = await ben.call('desk__log_in')
  expect(answered).toContain(`${origin}/servers/desk/login`)
  expect(answered).toContain('"isError":true')
  expect(server.tokens).toEqual([])

  expect(await ann.call('desk__log_in')).toContain('is logged in at \\"desk\\"')
  expect(ann.asked).toEqual([`${origin}/servers/desk/login`])
  await expect.poll(() => ann.completed).toEqual(ann.announced)
  await expect.poll(ann.names).toContain('desk__greet')
  expect(await ann.call('desk__greet')).toContain('Hello annas')
  expect(await ben.names()).toEqual(['desk__log_in'])

  expect(await logIn(browsers.ben, `${origin}/servers/desk/login`)).toContain('Logged in at desk')
  await expect.poll(ben.names).toContain('desk__greet')
  const both = await Promise.all(
    Array.from({ length: 10 }, async (_, index) =>
      index % 2 === 0
        ? { call: await ann.call('desk__greet'), of: 'annas' }
        : { call: await ben.call('desk__greet'), of: 'bens' },
    ),
  )
  for (const { call, of } of both) expect(call).toContain(`Hello ${of}`)

  // A restart keeps both.
  await running.end('SIGTERM')
  const again = await serve(folder, { port: Number(new URL(origin).port) })
  expect(await (await connect(origin, TOKENS.BEN)).call('desk__greet')).toContain('Hello bens')

  // With another key, there is no login, and nothing of it is shown.
  await again.running.end('SIGTERM')
  const key = randomBytes(32).toString('base64')
  const other = await serve(folder, { port: Number(new URL(origin).port), key })
  const without = await connect(origin, TOKENS.BEN)
  expect(await without.names()).toEqual(['desk__log_in'])
  await other.running.said(/the login of ben at desk cannot be opened/)
  const stored = await toolblocks(folder, 'conversations', 'list', '--output', 'json')
  for (const token of server.tokens) expect(stored.stdout).not.toContain(token)
})

test('promise several clients: a login is attached to nobody but the person who began it, and it ends', async () => {
  const { authorization, server, folder } = await makePeople()
  const [port = 0, second = 0] = await findFreePorts(2)
  const { origin, running } = await serve(folder, { port })
  // A second process with the same store, behind the same address as far as a browser knows.
  const other = startToolblocks(folder, ['serve', '--http', `${second}`, '--public-url', origin], {
    ...TOKENS,
    TOOLBLOCKS_CREDENTIALS_KEY: KEY,
  })
  await other.said(/Clients with tokens of their own/)
  const address = `${origin}/servers/desk/login`
  const ann = await signIn(origin, TOKENS.ANN, 'annas')
  const ben = await signIn(origin, TOKENS.BEN, 'bens')
  const begin = async (browser: PageBrowser): Promise<string> => {
    const begun = await browser.open(address, { form: { do: 'begin' } })
    const [, next = ''] = /content="0;url=([^"]+)"/.exec(begun.text) ?? []
    return next.replaceAll('&amp;', '&')
  }
  const isBack = (url: URL): boolean => url.origin === origin
  const listed = async (): Promise<{ id: string; name: string; server: string }[]> =>
    JSON.parse((await toolblocks(folder, 'serve', 'logins', 'list', '--output', 'json')).stdout)
      .logins

  // Nobody without a sign-in, or from another site, begins anything.
  expect((await startBrowser().open(address)).url.pathname).toBe('/sign-in')
  const headers = { origin: 'https://evil.example' }
  expect((await ann.open(address, { form: { do: 'begin' }, headers })).status).toBe(403)

  // Ben sends Ann the address at the authorization server, and she agrees there with her account.
  const stolen = await ann.open(await begin(ben), { isEnd: isBack })
  expect((await ann.open(stolen.url.href)).text).toContain('begun by somebody else')
  // Ben sends Ann the end of a login with his account.
  const sent = await ben.open(await begin(ben), { isEnd: isBack })
  expect((await ann.open(sent.url.href)).text).toContain('begun by somebody else')
  expect(await listed()).toEqual([])
  // A login of one server does not end at another one, and each ends once.
  const own = await ann.open(await begin(ann), { isEnd: isBack })
  const elsewhere = new URL(own.url.href.replace('/servers/desk/', '/servers/none/'))
  expect((await ann.open(elsewhere.href)).status).toBe(404)
  // The other process finishes it, as behind a load balancer.
  expect(await openAt(second, own.url, ann)).toContain('Logged in at desk')
  expect((await ann.open(own.url.href)).text).toContain('already over')
  expect(await listed()).toMatchObject([{ name: 'ann', server: 'desk' }])

  // Both processes use it.
  const client = await connect(origin, TOKENS.ANN)
  const atOther = await connect(`http://127.0.0.1:${second}`, TOKENS.ANN)
  expect(await client.call('desk__greet')).toContain('Hello annas')
  expect(await atOther.call('desk__greet')).toContain('Hello annas')

  // The authorization server revokes everything: the call says where to log in again.
  authorization.intercept = (request, response) => {
    if (request.url !== '/token') return false
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end('{"error":"invalid_grant"}')
    return true
  }
  for (const token of server.tokens)
    await (await authorization.provider.AccessToken.find(token))?.destroy()
  const refused = await client.call('desk__greet')
  expect(refused).toContain(address)
  expect(refused).toContain('"isError":true')
  authorization.intercept = undefined
  expect(await logIn(ann, address)).toContain('Logged in at desk')
  expect(await client.call('desk__greet')).toContain('Hello annas')
  expect(await atOther.call('desk__greet')).toContain('Hello annas')

  // The operator removes the login: it counts at once, also at the other process.
  const [login] = await listed()
  const removed = await toolblocks(folder, 'serve', 'logins', 'remove', login?.id ?? '')
  expect([removed.code, removed.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^Removed the login \w+ of \S+ at desk\. Services use it no more from the next request on/,
    ),
  ])
  expect(await client.call('desk__greet')).toContain(address)
  expect(await atOther.call('desk__greet')).toContain(address)
  expect(await logIn(ann, address)).toContain('Logged in at desk')
  // Ann logs out on the page.
  await ann.open(address, { form: { do: 'remove' } })
  expect(await listed()).toEqual([])
  expect(await client.call('desk__greet')).toContain(address)

  await running.end('SIGTERM')
  await other.end('SIGTERM')
  // No file of the folder has a token: neither the logins nor the records.
  expect(server.tokens.length).toBeGreaterThan(3)
  const files = readdirSync(folder, { withFileTypes: true })
  const revealing = files.filter((file) => {
    if (!file.isFile()) return false
    const bytes = readFileSync(join(file.parentPath, file.name))
    return server.tokens.some((token) => bytes.includes(token))
  })
  expect(revealing.map(({ name }) => name)).toEqual([])
})

test.for([['2025-11-25'], ['2026-07-28']] as const)(
  'promise several clients: a call of MCP %s whose login is over asks the person, and runs',
  async ([version]) => {
    const { server, folder } = await makePeople()
    const { origin } = await serve(folder, { port: await findFreePort() })
    const address = `${origin}/servers/desk/login`
    const browser = await signIn(origin, TOKENS.ANN, 'annas')
    await logIn(browser, address)
    let answer: 'accept' | 'decline' = 'decline'
    const ann = await connect(
      origin,
      TOKENS.ANN,
      async (url) => {
        if (answer === 'accept') await logIn(browser, url)
        return answer
      },
      version === '2026-07-28' ? version : undefined,
    )
    expect(await ann.call('desk__greet')).toContain('Hello annas')
    await browser.open(address, { form: { do: 'remove' } })
    const before = server.tokens.length
    expect(await ann.call('desk__greet')).toContain('not logged in at the server')
    expect(server.tokens.length).toBe(before)
    answer = 'accept'
    expect(await ann.call('desk__greet')).toContain('Hello annas')
    expect(ann.asked).toEqual([address, address])
  },
)

test.for<[string, { args?: readonly string[]; key?: string; more?: string }, RegExp]>([
  ['a key', { key: '' }, /needs a key for the logins of people/],
  ['a whole key', { key: 'c2hvcnQ=' }, /expected 32 bytes in base64 or hexadecimal digits, got 5/],
  ['an address', { args: [] }, /login = "each" needs --public-url/],
  [
    'an optional server',
    {
      more: '[mcp.servers.hall]\nurl = "http://127.0.0.1:1/mcp"\nlogin = "each"\nrequired = true\n',
    },
    /\[mcp\.servers\.hall\] cannot be required and have login = "each"/,
  ],
])(
  'promise several clients: a service without %s for logins of people is an error',
  async ([, { args = ['--public-url', 'http://127.0.0.1:1'], key = KEY, more }, message]) => {
    const { folder } = await makePeople(more)
    const environment = { ...TOKENS, TOOLBLOCKS_CREDENTIALS_KEY: key }
    const running = startToolblocks(folder, ['serve', '--http', '0', ...args], environment)
    await running.said(message)
    expect(await running.ended()).toBe(2)
  },
)
