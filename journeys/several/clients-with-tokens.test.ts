import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  Client as LaterClient,
  StreamableHTTPClientTransport as LaterTransport,
} from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { startToolblocks, toolblocks, withoutTrust } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { INITIALIZE, postMessage } from '../stage/post-message.ts'
import { ASKS, SWEEP } from '../stage/waiting.ts'

const TOOLS = `[store]
url = "sqlite:calls.db"

[budget]
per_result = 500
${ASKS}${tool('count', ['seq', '1', '20000'])}`

/** A service whose clients have tokens of their own. */
async function serveClients(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ url: URL; end(): Promise<unknown> }> {
  const running = startToolblocks(
    folder,
    ['serve', '--http', '0', '--answer-within', '1'],
    environment,
  )
  const [, address = ''] = await running.said(
    /at (http:\S+)[^]*Clients with tokens of their own: ann, ben/,
  )
  return { url: new URL(address), end: async () => await running.end('SIGTERM') }
}

/** Begins a session, and returns its headers. */
async function begin(url: URL, token: string): Promise<Record<string, string>> {
  const begun = await postMessage(url, token, INITIALIZE)
  expect(begun.status).toBe(200)
  await begun.text()
  return { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
}

async function call(
  url: URL,
  token: string,
  [name, values]: readonly [string, object],
  session: Readonly<Record<string, string>>,
): Promise<string> {
  const params = { name, arguments: values }
  const body = { jsonrpc: '2.0', id: 2, method: 'tools/call', params }
  return await (await postMessage(url, token, body, session)).text()
}

/** Adds a token of a client, and returns it. */
async function addToken(folder: string, name: string): Promise<string> {
  const added = await toolblocks(folder, 'serve', 'tokens', 'add', name, '--expires', '90d')
  const [expiry = 'none'] = / expires [\d-]{10}(?=\. )/.exec(added.stderr) ?? []
  expect((await toolblocks(folder, 'serve', 'tokens', 'list')).stdout).toContain(expiry)
  const token = added.stdout.trim()
  expect(token).toMatch(/^toolblocks_[\w-]{43}$/)
  return token
}

/** Returns the text of all files of a folder. */
function readAll(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('node_modules'))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n')
}

test('promise several clients: two clients with tokens of their own neither see nor use nor continue what the other has', async () => {
  const clients = '\n[serve.clients.ann]\ntoken_env = "ANN"\n[serve.clients.ben]\n'
  const folder = makeFolder({ 'sweep.mjs': SWEEP, 'toolblocks.toml': TOOLS + clients })
  const ben = await addToken(folder, 'ben')
  const ann = 'the-first-token-of-ann'
  const { url, end } = await serveClients(folder, { ANN: ann })
  // A token that is added later counts at once.
  const annLater = await addToken(folder, 'ann')
  const ofAnn = await begin(url, ann)
  const ofBen = await begin(url, ben)
  expect((await postMessage(url, 'nobody', INITIALIZE)).status).toBe(401)

  // Her session: with each of her tokens, and not with his.
  expect(await call(url, annLater, ['count', {}], ofAnn)).toContain('20000')
  for (const method of ['POST', 'GET', 'DELETE']) {
    const headers = {
      ...ofAnn,
      authorization: `Bearer ${ben}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    }
    const body =
      method === 'POST' ? { body: JSON.stringify({ ...INITIALIZE, method: 'ping' }) } : {}
    expect((await fetch(url, { method, headers, ...body })).status).toBe(404)
  }

  // Her result, which was too long.
  const cut = await call(url, ann, ['count', {}], ofAnn)
  const [, id = ''] = /read_tool_result reads all of it: call \\+"([^\\]+)/.exec(cut) ?? []
  const read = ['read_tool_result', { call: id, from: 1000, lines: 2 }] as const
  expect(await call(url, ann, read, ofAnn)).toContain('1000')
  expect(await call(url, ben, read, ofBen)).toContain('has no result for the call')

  // Her question, which waits in the store: his same call is another one.
  const waits = await call(url, ann, ['sweep', {}], ofAnn)
  const hers = /question (\w+)/.exec(waits)?.[1] ?? ''
  const his = /question (\w+)/.exec(await call(url, ben, ['sweep', {}], ofBen))?.[1] ?? ''
  expect([hers, his]).toEqual([expect.stringMatching(/\w/), expect.not.stringMatching(hers)])
  await toolblocks(folder, 'questions', 'answer', hers, '--yes')
  expect(await call(url, ben, ['sweep', {}], ofBen)).toContain(`question ${his}`)
  expect(await call(url, ann, ['sweep', {}], ofAnn)).toContain('swept: true')

  // A token that is revoked is refused at once, also in the session that it has begun.
  const { stdout } = await toolblocks(folder, 'serve', 'tokens', 'list', '--output', 'json')
  const stream = await fetch(url, {
    headers: { ...ofBen, authorization: `Bearer ${ben}`, accept: 'text/event-stream' },
  })
  expect(stream.status).toBe(200)
  const listed: { id: string; name: string }[] = Object(JSON.parse(stdout)).tokens
  expect(listed.map(({ name }) => name)).toEqual(['ben', 'ann'])
  const revoked = await toolblocks(folder, 'serve', 'tokens', 'revoke', listed[0]?.id ?? '')
  expect(revoked.stdout).toMatch(
    /^Revoked the token \w+ of ben for \/.+\. Services refuse it from the next request on\.\n$/,
  )
  expect((await postMessage(url, ben, { ...INITIALIZE, method: 'ping' }, ofBen)).status).toBe(401)
  await expect(stream.text()).rejects.toThrow(/terminated/)
  expect(await call(url, ann, ['count', {}], ofAnn)).toContain('20000')
  await end()

  // The record says who has called, and with which program.
  const conversations = (await toolblocks(folder, 'conversations', 'list')).stdout
  expect(conversations).toContain('for ann with editor')
  expect(conversations).toContain('for ben with editor')
  // No token is written anywhere.
  const written = readAll(folder)
  for (const token of [ann, annLater, ben]) expect(written).not.toContain(token)
})

test('promise several clients: clients without sessions that call themselves the same are separated by their tokens', async () => {
  const clients =
    '\n[serve.clients.ann]\ntoken_env = "ANN"\n[serve.clients.ben]\ntoken_env = "BEN"\n'
  const folder = makeFolder({ 'sweep.mjs': SWEEP, 'toolblocks.toml': TOOLS + clients })
  const tokens = { ANN: 'the-token-of-ann', BEN: 'the-token-of-ben' }
  const { url } = await serveClients(folder, tokens)
  const connect = async (token: string): Promise<LaterClient> => {
    const client = new LaterClient(
      { name: 'same', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    onTestFinished(async () => await client.close())
    const headers = { authorization: `Bearer ${token}` }
    await client.connect(new LaterTransport(url, { requestInit: { headers } }))
    return client
  }
  const [ann, ben] = [await connect(tokens.ANN), await connect(tokens.BEN)]
  const ask = async (client: LaterClient, name: string, values = {}): Promise<string> =>
    JSON.stringify(await client.callTool({ name, arguments: values }))
  let cut = await ask(ann, 'count')
  // A busy machine takes longer than the second after which a call is still running.
  while (cut.includes('is still running')) cut = await ask(ann, 'count')
  const [, id = ''] = /read_tool_result reads all of it: call \\"([^\\]+)/.exec(cut) ?? []
  const read = { call: id, from: 1000, lines: 2 }
  expect(await ask(ann, 'read_tool_result', read)).toContain('1000')
  expect(await ask(ben, 'read_tool_result', read)).toContain('has no result for the call')
  const question = async (client: LaterClient): Promise<string | undefined> =>
    /question (\w+)/.exec(await ask(client, 'sweep'))?.[1]
  const [hers, his] = [await question(ann), await question(ben)]
  expect(hers).toEqual(expect.any(String))
  expect(his).not.toBe(hers)
})

test.for([
  ['whose variable is not set', '[serve.clients.ann]\ntoken_env = "UNSET"\n', [], /UNSET.*not set/],
  [
    'beside a token of all',
    '[serve.clients.ann]\n',
    ['--token-env', 'ANN'],
    /--token-env cannot be used here/,
  ],
  [
    'with the token of another',
    '[serve.clients.ann]\ntoken_env = "ANN"\n[serve.clients.ben]\ntoken_env = "ANN"\n',
    [],
    /the client ann has the same token/,
  ],
] as const)('promise several clients: a client %s is an error', async ([, toml, args, message]) => {
  const folder = makeFolder({ 'toolblocks.toml': toml })
  const running = startToolblocks(folder, ['serve', '--http', '0', ...args], { ANN: 'x' })
  await running.said(message)
  expect(await running.ended()).toBe(2)
})

test('promise several clients: without agreement to its clients, a folder is not served over HTTP', async () => {
  const folder = makeFolder({ 'toolblocks.toml': '[serve.clients.ann]\n' })
  const { code, stderr } = await withoutTrust(folder, 'serve', '--http', '0')
  expect(code).toBe(2)
  expect(stderr).toContain('you have not agreed to it')
  const stray = await toolblocks(folder, 'serve', 'tokens', 'add', 'anm')
  expect(stray.code).toBe(2)
  expect(stray.stderr).toContain('no client "anm"')
  expect((await toolblocks(folder, 'serve', 'tokens', 'revoke', 'none')).code).toBe(2)
})
