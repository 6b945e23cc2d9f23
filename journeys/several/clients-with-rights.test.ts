import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, onTestFinished, test } from 'vitest'
import { startToolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { connectClient, connectOverHttp, serveOverHttp } from '../stage/mcp-client.ts'
import { SERVER_FILE } from '../stage/mcp-server.ts'
import { readStoredRows, STORE } from '../stage/rows.ts'

/** A server with a tool, a prompt and a resource. */
const SERVER = `
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
const server = new McpServer({ name: 'secrets', version: '1' })
server.registerTool('open', { description: 'Opens the vault' }, async () => ({ content: [{ type: 'text', text: 'gold' }] }))
server.registerPrompt('plan', { description: 'A plan' }, () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'the plan' } }] }))
server.registerResource('map', 'vault://map', {}, async (uri) => ({ contents: [{ uri: uri.href, text: 'the map' }] }))
await server.connect(new StdioServerTransport())
`

const CONFIGURATION = `[mcp.servers.vault]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(SERVER_FILE)}]
${tool('count', ['seq', '1', '3'])}${tool('shout', ['echo', 'LOUD'])}
[approvals]
rules = ["allow vault__*"]

[prompts.mine]
file = "mine.md"

[serve.clients.ann]
token_env = "ANN"

[serve.clients.ben]
token_env = "BEN"
groups = ["guests"]
calls_a_minute = 4

[serve.groups.guests]
deny = ["vault__*", "mine"]
rules = ["deny shout"]
`

/** Serves the folder, and connects a client for each token. */
async function connectBoth(...args: readonly string[]): Promise<readonly [Client, Client]> {
  const folder = makeFolder({
    [SERVER_FILE]: SERVER,
    'mine.md': 'Mine.',
    'toolblocks.toml': CONFIGURATION,
  })
  const tokens = { ANN: 'the-token-of-ann', BEN: 'the-token-of-ben' }
  const running = startToolblocks(
    folder,
    ['serve', '--http', '0', '--start-wait', '30', ...args],
    tokens,
  )
  const [, address = ''] = await running.said(/at (http:\S+)/)
  const connect = async (token: string): Promise<Client> => {
    const client = new Client({ name: 'same', version: '1' })
    onTestFinished(async () => await client.close())
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }))
    return client
  }
  return [await connect(tokens.ANN), await connect(tokens.BEN)]
}

const call = async (client: Client, name: string, values = {}): Promise<string> =>
  JSON.stringify(await client.callTool({ name, arguments: values }))

test('promise several clients: what a client may not see is not listed and not found, and cannot be called or read', async () => {
  const [ann, ben] = await connectBoth()
  const names = async (client: Client): Promise<readonly string[]> =>
    (await client.listTools()).tools.map(({ name }) => name)
  expect(await names(ann)).toEqual(expect.arrayContaining(['count', 'vault__open']))
  expect(await names(ben)).toEqual(['count', 'shout'])
  expect(await call(ann, 'vault__open')).toContain('gold')
  await expect(call(ben, 'vault__open')).rejects.toThrow('Unknown tool: vault__open')
  await expect(call(ben, 'read_resource', { uri: 'vault://map' })).rejects.toThrow('Unknown tool')

  const first = await ann.listPrompts()
  const second = await ann.listPrompts({ cursor: first.nextCursor })
  const prompts = [...first.prompts, ...second.prompts].map(({ name }) => name)
  expect(prompts).toEqual(['mine', 'vault__plan'])
  expect(JSON.stringify(await ann.readResource({ uri: 'vault://map' }))).toContain('the map')
  for (const name of ['mine', 'vault__plan', 'plan'])
    await expect(ben.getPrompt({ name })).rejects.toThrow(/not found|Unknown prompt/)
  await expect(ben.listPrompts()).rejects.toThrow('Method not found')
  await expect(ben.listResources()).rejects.toThrow('Method not found')
  await expect(ben.readResource({ uri: 'vault://map' })).rejects.toThrow(/Method not found|No tool/)

  // Its rules, and its limit, for which the calls of tools that it may not see count, too.
  expect(await call(ann, 'shout')).toContain('LOUD')
  expect(await call(ben, 'shout')).not.toContain('LOUD')
  expect(await call(ben, 'count')).toContain('3')
  expect(await call(ben, 'count')).toContain('may make 4 a minute')
  expect(await call(ann, 'count')).toContain('3')
})

test('promise several clients: what a client may not see is not found with search_tools, and not called with call_tool', async () => {
  const [ann, ben] = await connectBoth('--defer-above', '1')
  expect(await call(ann, 'search_tools', { query: 'vault' })).toContain('vault__open')
  expect(await call(ann, 'call_tool', { name: 'vault__open', arguments: {} })).toContain('gold')
  expect(await call(ben, 'search_tools', { query: 'vault' })).not.toContain('vault__open')
  expect(await call(ben, 'call_tool', { name: 'vault__open', arguments: {} })).not.toContain('gold')
})

test('promise several clients: the limits of a client hold for all processes together', async () => {
  const folder = makeFolder({
    'toolblocks.toml': `[store]
url = "sqlite:calls.db"
${tool('count', ['seq', '1', '3'])}
[serve.clients.ann]
token_env = "ANN"
calls_a_minute = 3
`,
  })
  const connect = async (address: string): Promise<Client> => {
    const running = startToolblocks(
      folder,
      ['serve', '--http', '0', '--replica-address', address],
      { ANN: 'the-token-of-ann' },
    )
    const [, url = ''] = await running.said(/at (http:\S+)/)
    const client = new Client({ name: 'same', version: '1' })
    onTestFinished(async () => await client.close())
    const requestInit = { headers: { authorization: 'Bearer the-token-of-ann' } }
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
    return client
  }
  const first = await connect('http://127.0.0.1:1')
  const second = await connect('http://127.0.0.1:2')
  const count = async (client: Client): Promise<string> =>
    JSON.stringify(await client.callTool({ name: 'count' }))
  for (let time = 0; time < 3; time += 1) expect(await count(first)).not.toContain('Too many calls')
  // The second process has counted nothing, and knows within a second what the first one has.
  await expect
    .poll(async () => await count(second), { timeout: 20_000 })
    .toMatch(/may make 3 a minute, and has made [3-9]\. .*make it again in \d+ s\./)
  expect(await count(first)).toContain('Too many calls')
})

test('promise serve: a call of a tool that does not exist is in the record, without its arguments, over standard streams and HTTP', async () => {
  for (const isOverHttp of [false, true]) {
    const folder = makeFolder({ 'toolblocks.toml': `${STORE}${tool('count', ['seq', '1', '3'])}` })
    const client = isOverHttp
      ? await connectOverHttp(await serveOverHttp(folder, []))
      : await connectClient(folder)
    const calling = client.callTool({ name: 'cuont', arguments: { to: 'mark-argument' } })
    await expect(calling).rejects.toThrow('Unknown tool: cuont')
    const find = (wanted: string): string =>
      JSON.stringify(readStoredRows(folder).filter(({ type }) => type === wanted))
    await expect
      .poll(() => find('tool_result'), { timeout: 20_000 })
      .toContain('is not offered a tool \\"cuont\\"')
    expect(find('tool_call')).toContain('"name":"cuont","arguments":{}')
    expect(JSON.stringify(readStoredRows(folder))).not.toContain('mark-argument')
  }
})
