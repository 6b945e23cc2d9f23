import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { openStore } from '@toolblocks/conversation-store'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { revokeApprovals } from '../approvals/approvals.ts'
import { storeRule } from '../approvals/store-rule.ts'
import { openRules, rulesFile } from '../../workspace/consent/stored-rules.ts'
import { createContext } from './command-context.support.ts'
import { serveTools } from './serve.ts'

const TOML = `[store]
url = "sqlite:kept.db"

[tools.look]
source = "local"
command = ["echo", "{{tool.arguments.path}}"]
run = "ask"

[tools.look.parameters.path]
type = "string"
`

test('a rule that a person made allows calls of clients that cannot ask, only within it, until it is revoked', async () => {
  const made = createContext({ 'toolblocks.toml': TOML })
  const { folder, readStderr } = made
  const ending = new AbortController()
  const context = { ...made.context, signal: ending.signal }
  const ended = serveTools(context, [], { http: 0, trust: true, park: false })
  onTestFinished(async () => {
    ending.abort()
    await ended
  })
  let text = ''
  const [, url = '', token = ''] = await vi.waitFor(
    () => {
      text += readStderr()
      const read = /Serving .* at (\S+)[^]*Bearer (\S+)/.exec(text)
      if (!read) throw new Error(`nothing is served: ${text}`)
      return read
    },
    { timeout: 50_000 },
  )
  const client = new Client({ name: 'editor', version: '3' })
  onTestFinished(async () => await client.close())
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  const look = async (path: string): Promise<unknown> =>
    (await client.callTool({ name: 'look', arguments: { path } })).isError ?? false

  expect(await look('docs')).toBe(true)
  expect(await storeRule(made.context, ['allow', 'look(path=docs)'], { trust: true })).toBe(0)
  expect(await look('docs')).toBe(false)
  expect(await look('elsewhere')).toBe(true)
  const [rule] = openRules(rulesFile()).list()
  expect(await revokeApprovals(made.context, [rule?.id ?? ''])).toBe(0)
  expect(await look('docs')).toBe(true)

  await client.close()
  ending.abort()
  await ended
  const store = await openStore(`sqlite:${join(folder, 'kept.db')}`)
  onTestFinished(async () => await store.close())
  const { conversations } = await store.list()
  const { events } = await store.read(conversations[0]?.id ?? '')
  const decisions = events.flatMap(({ event }) =>
    event.type === 'approval' ? [[event.decision, event.by]] : [],
  )
  expect(decisions).toEqual([
    ['denied', 'user'],
    ['allowed', 'rule'],
    ['denied', 'user'],
    ['denied', 'user'],
  ])
})
