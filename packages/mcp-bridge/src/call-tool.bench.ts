import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, test } from 'vitest'
import { connectServer } from './connect-server.ts'

// The same server twice: once through the SDK's own client and once through the bridge.
const args = [fileURLToPath(new URL('testing/odd-server.suite.ts', import.meta.url))]
const client = new Client({ name: 'bare', version: '1' })
await client.connect(new StdioClientTransport({ command: process.execPath, args }))
const server = await connectServer({
  name: 'odd',
  transport: { kind: 'stdio', command: process.execPath, args },
})
const tool = server.tools().find(({ name }) => name === 'odd__images')
const context = { signal: new AbortController().signal, root: '/', answers: {} }

test.for<[string, number, number]>([
  ['a small result', 1, 1],
  ['800 KB of images', 10, 60_000],
])('%s, through the SDK alone and through the bridge', async ([, count, bytes], { bench }) => {
  const given = { count, bytes }
  const call = { id: 'c', name: 'odd__images', arguments: given }
  await bench.compare(
    bench('the SDK', async () =>
      void (await client.callTool({ name: 'images', arguments: given }))),
    bench('the bridge', async () => void (await tool?.execute(call, context))),
  )
})

afterAll(async () => {
  await client.close()
  await server.close()
})
