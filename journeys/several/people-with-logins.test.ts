import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import {
  type PageBrowser,
  startBrowser,
} from '../../apps/reference-host/src/cli/serve/clients/page-browser.support.ts'
import { startLoginServers } from '../stage/login-servers.ts'
import { startToolblocks, toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { listen } from '../stage/listen.ts'

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

/** Returns a port that is free now. */
async function findPort(): Promise<number> {
  const server = createServer()
  const { port } = new URL(await listen(server))
  server.close()
  return Number(port)
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
) {
  const completed: string[] = []
  const asked: string[] = []
  const announced: string[] = []
  const client = new Client(
    { name: 'editor', version: '1' },
    { capabilities: visit ? { elicitation: { url: {} } } : {} },
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
  const { origin, running } = await serve(folder, { port: await findPort() })
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
  const told = await ben.call('desk__log_in')
  expect(told).toContain(`${origin}/servers/desk/login`)
  expect(told).toContain('"isError":true')
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
