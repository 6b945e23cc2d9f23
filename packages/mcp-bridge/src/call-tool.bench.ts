import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { startProgram } from '@toolblocks/local-executor'
import { afterAll, test } from 'vitest'
import type * as connecting from './connect-server.ts'
import type * as inMemory from './testing/in-memory.suite.ts'

// Node itself loads the bridge, as it loads the SDK: the test runner would replace every import with a proxy.
const require = createRequire(import.meta.url)
const { connectServer }: typeof connecting = require('./connect-server.ts')
const { connectBare, connectBridge }: typeof inMemory = require('./testing/in-memory.suite.ts')

const SIZES: readonly [what: string, count: number, bytes: number][] = [
  ['a small result', 1, 1],
  ['800 KB of images', 10, 60_000],
]
// Long enough that both have a heap of the same age.
const times = { warmupTime: 1000, time: 3000 }
const context = { signal: new AbortController().signal, root: '/', answers: {} }

// The same server twice: once through the SDK's client and once through the bridge.
const bare = await connectBare()
const bridged = await connectBridge()

test.for(SIZES)('in memory: %s', async ([, count, bytes], { bench }) => {
  const given = { count, bytes }
  const call = { id: 'c', name: bridged.name, arguments: given }
  await bench.compare(
    bench('the SDK', async () => void (await bare.callTool({ name: 'images', arguments: given }))),
    bench('the bridge', async () => void (await bridged.execute(call, context))),
    times,
  )
})

const args = [fileURLToPath(new URL('testing/odd-server.suite.ts', import.meta.url))]
const client = new Client({ name: 'bare', version: '1' })
await client.connect(new StdioClientTransport({ command: process.execPath, args }))
const transport = { kind: 'stdio', command: process.execPath, args } as const
const server = await connectServer({ name: 'odd', transport }, {}, { startProgram })
const tool = server.tools().find(({ name }) => name === 'odd__images')

test.for(SIZES)('over stdio: %s', async ([, count, bytes], { bench }) => {
  const given = { count, bytes }
  const call = { id: 'c', name: 'odd__images', arguments: given }
  await bench.compare(
    bench('the SDK', async () =>
      void (await client.callTool({ name: 'images', arguments: given }))),
    bench('the bridge', async () => void (await tool?.execute(call, context))),
  )
})

afterAll(async () => {
  await bare.close()
  await client.close()
  await server.close()
})
