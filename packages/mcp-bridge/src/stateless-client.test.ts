import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ServerTransport } from './client/server-config.ts'
import { createStatelessServer } from './testing/stateless-server.support.ts'
import { startEndpoint } from './testing/odd-endpoint.support.ts'
import {
  answering,
  call,
  connect,
  connectOdd,
  getContext,
  firstText,
} from './testing/servers.support.ts'

const program = fileURLToPath(new URL('testing/stateless-server.support.ts', import.meta.url))

async function serveOverHttp(legacy?: 'reject'): Promise<ServerTransport> {
  const handler = createMcpHandler(() => createStatelessServer(), legacy && { legacy })
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

const transports: [string, (legacy?: 'reject') => Promise<ServerTransport>][] = [
  [
    'stdio',
    async (...legacy) => ({
      kind: 'stdio',
      command: process.execPath,
      args: [program, ...legacy.filter((each) => each !== undefined)],
    }),
  ],
  ['HTTP', serveOverHttp],
]

describe.for(transports)('a server of MCP 2026-07-28 over %s', ([, transport]) => {
  test.for(['2026-07-28', 'auto'] as const)(
    'is connected in its own version with protocolVersion "%s"',
    async (protocolVersion) => {
      const server = await connect({ name: 'm', transport: await transport(), protocolVersion })
      expect(server).toMatchObject({
        protocolVersion: '2026-07-28',
        info: { name: 'stateless', title: 'Stateless' },
        instructions: 'Use no session.',
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

  test('is connected in its own version without a protocolVersion, if it refuses earlier ones', async () => {
    const server = await connect({ name: 'm', transport: await transport('reject') })
    expect(server.protocolVersion).toBe('2026-07-28')
    expect(firstText(await call(server, 'echo', { a: 1 }))).toBe('{"a":1}')
  })

  test('asks in rounds, and gets its state back unchanged', async () => {
    const server = await connect(
      { name: 'm', transport: await transport(), protocolVersion: '2026-07-28' },
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

describe('a server of MCP 2025-11-25', () => {
  test('is connected in that version with protocolVersion "auto", over stdio and HTTP', async () => {
    const odd = await connectOdd({ protocolVersion: 'auto' })
    expect(odd.protocolVersion).toBe('2025-11-25')
    expect(firstText(await call(odd, 'echo', { a: 1 }))).toBe('{"a":1}')
    const { url } = await startEndpoint({})
    const endpoint = await connect({
      name: 'web',
      transport: { kind: 'http', url },
      protocolVersion: 'auto',
    })
    expect([endpoint.protocolVersion, firstText(await call(endpoint, 'echo', { a: 1 }))]).toEqual([
      '2025-11-25',
      '{"a":1}',
    ])
  })

  test('cannot be connected with protocolVersion "2026-07-28"', async () => {
    await expect(connectOdd({ protocolVersion: '2026-07-28' })).rejects.toMatchObject({
      name: 'McpServerError',
      code: 'not-understood',
    })
  })
})

/** A program that answers its requests with these replies, one after the other, and any further request with an empty list of tools. */
const answers = (...replies: readonly object[]): ServerTransport => ({
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
    JSON.stringify(replies),
  ],
})

const discovered = { result: { supportedVersions: ['2026-07-28'], capabilities: {} } }
const refused = (supported: readonly string[]) => ({
  error: { code: -32_022, message: 'Unsupported', data: { supported } },
})

describe('the first request', () => {
  test.for<['2025-11-25' | '2026-07-28', object, string]>([
    ['2025-11-25', { result: { protocolVersion: '1999-01-01' } }, 'its version is "1999-01-01"'],
    ['2025-11-25', { result: {} }, 'its version is undefined'],
    ['2025-11-25', { result: 'hello' }, 'its answer to the first request is "hello"'],
    ['2026-07-28', { result: { supportedVersions: ['2099-01-01'] } }, 'it speaks ["2099-01-01"]'],
  ])(
    'of MCP %s that is answered with %j is not understood',
    async ([protocolVersion, answer, serverText]) => {
      const connecting = connect({ name: 'x', transport: answers(answer), protocolVersion })
      await expect(connecting).rejects.toMatchObject({
        code: 'not-understood',
        serverText,
      })
    },
  )

  test.for(['2025-11-25', '2026-07-28'] as const)(
    'of MCP %s that is refused by a server which lists only an unknown version is not repeated without end',
    async (protocolVersion) => {
      const transport = answers(refused(['2099-01-01']), refused(['2099-01-01']))
      const connecting = connect({ name: 'x', transport, protocolVersion })
      await expect(connecting).rejects.toMatchObject({
        code: 'unsupported-version',
        serverText: 'Unsupported',
        fix: 'Set "protocol_version" to a version that the server supports.',
      })
    },
  )

  test('that is refused by a server which lists its version is sent once more', async () => {
    const transport = answers(refused(['2026-07-28']), discovered)
    const server = await connect({ name: 'x', transport, protocolVersion: '2026-07-28' })
    expect([server.protocolVersion, server.tools()]).toEqual(['2026-07-28', []])
  })
})
