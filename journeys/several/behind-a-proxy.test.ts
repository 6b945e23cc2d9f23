import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startToolblocks, toolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { SERVER_FILE } from '../stage/mcp-server.ts'

const TOKEN = 'the-token-of-all'

const post = async (url: string, body: object, headers: Record<string, string>) =>
  await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
  })

const INITIALIZE = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'editor', version: '1' },
  },
}

test.for([
  ['of a trusted proxy', ['--trusted-proxy', '127.0.0.0/8'], '192.0.2.7'],
  [
    'of a proxy of the configuration',
    [],
    '192.0.2.7',
    '[serve]\ntrusted_proxies = ["127.0.0.1"]\n',
  ],
  ['of nobody who is trusted', ['--trusted-proxy', '10.0.0.0/8'], '127.0.0.1'],
  ['without proxies', [], '127.0.0.1'],
] as const)(
  'promise several clients: the log and the record have the address of a client behind a header %s',
  async ([, args, expected, serve = '']) => {
    const folder = makeFolder({
      'toolblocks.toml': `[store]\nurl = "sqlite:calls.db"\n${serve}${tool('count', ['seq', '1', '3'])}`,
    })
    const running = startToolblocks(
      folder,
      ['serve', '--http', '0', '--token-env', 'OURS', '--log', 'json', ...args],
      { OURS: TOKEN },
    )
    const [, url = ''] = await running.said(/at (http:\S+)/)
    const forwarded = { 'x-forwarded-for': '8.8.8.8, 192.0.2.7' }
    const begun = await post(url, INITIALIZE, forwarded)
    await begun.text()
    const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
    const call = { method: 'tools/call', params: { name: 'count', arguments: {} } }
    await (await post(url, call, { ...forwarded, ...session })).text()
    const [line = ''] = await running.said(/\{.*"tools\/call".*\}/)
    expect(JSON.parse(line)).toMatchObject({ tool: 'count', address: expected })
    await running.end('SIGTERM')
    const listed = await toolblocks(folder, 'conversations', 'list', '--output', 'json')
    const [, id = ''] = /"id": ?"([^"]+)"/.exec(listed.stdout) ?? []
    const exported = await toolblocks(folder, 'conversations', 'export', id)
    expect(exported.stdout).toContain(`"address":"${expected}"`)
  },
)

test('promise several clients: what is no network is an error', async () => {
  const folder = makeFolder({ 'toolblocks.toml': tool('count', ['seq', '1', '3']) })
  const running = startToolblocks(folder, ['serve', '--http', '0', '--trusted-proxy', 'proxy'])
  await running.said(/"proxy" is no address and no network/)
  expect(await running.ended()).toBe(2)
})

test('promise several clients: a process is not ready until a required server is connected, and says nobody which', async () => {
  const folder = makeFolder({
    'toolblocks.toml': `[mcp.servers.vault]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(SERVER_FILE)}]
required = true
`,
  })
  const running = startToolblocks(folder, ['serve', '--http', '0', '--start-wait', '1'])
  const [, url = ''] = await running.said(/at (http:\S+)\/mcp/)
  const ready = async (): Promise<string> => {
    const answer = await fetch(`${url}/readyz`)
    return `${answer.status} ${await answer.text()}`
  }
  expect(await ready()).toBe('503 a required server is not connected\n')
  writeFileSync(
    join(folder, SERVER_FILE),
    `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
const server = new McpServer({ name: 'vault', version: '1' })
server.registerTool('open', {}, async () => ({ content: [{ type: 'text', text: String(process.pid) }] }))
await server.connect(new StdioServerTransport())
`,
  )
  await expect.poll(ready, { timeout: 40_000 }).toBe('200 ready\n')
})
