import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ServerTransport } from './client/server-config.ts'
import { createModernServer } from './testing/modern-server.suite.ts'
import { startEndpoint } from './testing/odd-endpoint.suite.ts'
import {
  answering,
  call,
  connect,
  connectOdd,
  getContext,
  firstText,
} from './testing/servers.suite.ts'

const program = fileURLToPath(new URL('testing/modern-server.suite.ts', import.meta.url))

async function serveModern(): Promise<ServerTransport> {
  const handler = createMcpHandler(() => createModernServer())
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' ? [[name, value]] : [],
      )
      const body =
        chunks.length > 0 && request.method === 'POST' ? { body: Buffer.concat(chunks) } : {}
      const answer = await handler.fetch(
        new Request(`http://127.0.0.1${request.url}`, {
          method: request.method ?? 'GET',
          headers,
          ...body,
        }),
      )
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      for await (const chunk of answer.body ?? []) response.write(chunk)
      response.end()
    })()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { kind: 'http', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` }
}

const transports: [string, () => Promise<ServerTransport>][] = [
  ['stdio', async () => ({ kind: 'stdio', command: process.execPath, args: [program] })],
  ['HTTP', serveModern],
]

describe.for(transports)('a server of the modern era over %s', ([, transport]) => {
  test.for(['modern', 'auto'] as const)(
    'is spoken to in its own words with era "%s"',
    async (era) => {
      const server = await connect({ name: 'm', transport: await transport(), era })
      expect(server).toMatchObject({
        era: 'modern',
        protocolVersion: '2026-07-28',
        info: { name: 'modern', title: 'Modern' },
        instructions: 'Be modern.',
        problems: [],
      })
      expect(await call(server, 'echo', { a: 1 })).toEqual({
        content: [{ type: 'text', text: '{"a":1}' }],
        structuredContent: [1, null],
        _meta: { 'a.b/c': 1 },
        resultType: 'complete',
        isError: false,
      })
      expect(await server.readResource('a:b', getContext())).toMatchObject({
        content: [{ resource: { uri: 'a:b', text: 'read' } }],
      })
    },
  )

  test('asks in rounds, and gets back the state as it was', async () => {
    const server = await connect(
      { name: 'm', transport: await transport(), era: 'modern' },
      { canAsk: true },
    )
    const { ask, asked } = answering(() => ({ action: 'accept', value: { name: 'Ann' } }))
    expect(JSON.parse(firstText(await call(server, 'ask', {}, { ask })))).toEqual([
      { who: { action: 'accept', content: { name: 'Ann' } } },
      'sealed',
    ])
    expect(asked[0]).toMatchObject({
      request: { id: 'who', text: 'Who?' },
      context: { source: { server: 'm' } },
    })
  })
})

describe('a server of the legacy era', () => {
  test('is spoken to as such with era "auto", over stdio and HTTP', async () => {
    const odd = await connectOdd({ era: 'auto' })
    expect(odd.era).toBe('legacy')
    expect(firstText(await call(odd, 'echo', { a: 1 }))).toBe('{"a":1}')
    const { url } = await startEndpoint({})
    const endpoint = await connect({ name: 'web', transport: { kind: 'http', url }, era: 'auto' })
    expect([endpoint.era, firstText(await call(endpoint, 'echo', { a: 1 }))]).toEqual([
      'legacy',
      '{"a":1}',
    ])
  })

  test('cannot be connected with era "modern"', async () => {
    await expect(connectOdd({ era: 'modern' })).rejects.toMatchObject({
      name: 'McpServerError',
      code: 'not-understood',
    })
  })
})

/** A program that answers its requests with these replies, one after the other, and any further request with an empty list of tools. */
const answers = (...told: readonly object[]): ServerTransport => ({
  kind: 'stdio',
  command: process.execPath,
  args: [
    '-e',
    `const told = JSON.parse(process.argv[1])
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id } = JSON.parse(line)
      const answer = told.shift() ?? { result: { tools: [] } }
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    })`,
    JSON.stringify(told),
  ],
})

const discovered = { result: { supportedVersions: ['2026-07-28'], capabilities: {} } }
const refused = (supported: readonly string[]) => ({
  error: { code: -32_022, message: 'Unsupported', data: { supported } },
})

describe('a hello', () => {
  test.for<['legacy' | 'modern', object, string]>([
    ['legacy', { result: { protocolVersion: '1999-01-01' } }, 'its version is "1999-01-01"'],
    ['legacy', { result: {} }, 'its version is undefined'],
    ['legacy', { result: 'hello' }, 'its answer to hello is "hello"'],
    ['modern', { result: { supportedVersions: ['2099-01-01'] } }, 'it speaks ["2099-01-01"]'],
    ['modern', refused(['2099-01-01']), 'Unsupported'],
  ])('of the %s era that is answered with %j is not understood', async ([era, answer, said]) => {
    const connecting = connect({ name: 'x', transport: answers(answer), era })
    await expect(connecting).rejects.toMatchObject({ code: 'not-understood', said })
  })

  test('that is refused by a server which lists its version is said once more', async () => {
    const transport = answers(refused(['2026-07-28']), discovered)
    const server = await connect({ name: 'x', transport, era: 'modern' })
    expect([server.protocolVersion, server.tools()]).toEqual(['2026-07-28', []])
  })
})
