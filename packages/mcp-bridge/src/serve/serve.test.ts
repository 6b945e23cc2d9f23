import { request as httpRequest } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  type CallContext,
  type ContentBlock,
  createFailure,
  createSuccessResult,
  type InputRequest,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { answering, call, connect, firstText } from '../testing/servers.suite.ts'
import { serveHttp, type HttpOptions, type ServedHttp } from './serve-http.ts'
import type { ToolService } from './tool-service.ts'

type Execute = (call: ToolCall, context: CallContext) => Promise<ToolResult>

const tool = (definition: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name: 'tool',
  inputSchema: { type: 'object' },
  ...definition,
})

async function serve(
  callTool: Execute,
  service: Partial<ToolService> = {},
  options: Partial<HttpOptions> = {},
): Promise<ServedHttp> {
  const served = await serveHttp(
    { name: 'ours', version: '1', root: '/w', definitions: () => [tool()], callTool, ...service },
    { port: 0, ...options },
  )
  onTestFinished(async () => await served.close({ graceMs: 0 }))
  return served
}

const text = (said: string): ToolResult => createSuccessResult([{ type: 'text', text: said }])
const at = (served: ServedHttp, headers: Record<string, string> = {}) => ({
  name: 'ours',
  transport: { kind: 'http' as const, url: served.url, headers },
})

/** Asks its question, and answers with what came of it. */
const asks =
  (request: InputRequest, blocks: readonly ContentBlock[] = []): Execute =>
  async (given, { ask, signal }) => {
    const source = { kind: 'question', call: given } as const
    const answer = await ask?.user?.(request, { blocks, source, signal })
    return text(JSON.stringify(answer ?? 'nobody'))
  }

describe('a definition', () => {
  test('keeps all its fields for our own client; others see the summary before the description', async () => {
    const definition = tool({
      title: 'T',
      summary: 'Short.',
      description: 'Long.',
      examples: '`x`',
      annotations: { readOnlyHint: true },
      outputSchema: { type: 'object' },
      icons: [{ src: 'data:,' }],
      _meta: { a: 1 },
    })
    const served = await serve(async () => text(''), { definitions: () => [definition] })
    const { execute: _execute, ...ours } = (await connect(at(served))).tools()[0] ?? {
      execute: undefined,
    }
    expect(ours).toEqual({ ...definition, name: 'ours__tool' })
    const client = new Client({ name: 'other', version: '1' })
    onTestFinished(async () => await client.close())
    await client.connect(new StreamableHTTPClientTransport(new URL(served.url)) as never)
    expect((await client.listTools()).tools).toMatchObject([
      { name: 'tool', description: 'Short.\n\nLong.' },
    ])
  })

  test('that appears later is announced', async () => {
    let announce = (): void => undefined
    const definitions: ToolDefinition[] = []
    const served = await serve(async () => text(''), {
      definitions: () => definitions,
      onDefinitionsChanged: (changed) => {
        announce = changed
        return () => undefined
      },
    })
    const { promise: changed, resolve } = Promise.withResolvers<number>()
    const server = await connect(at(served), {
      onToolsChanged: ({ tools }) => resolve(tools().length),
    })
    expect(server.tools()).toEqual([])
    definitions.push(tool())
    // The stream on which a server speaks unasked is opened after hello.
    const again = setInterval(announce, 50)
    onTestFinished(() => clearInterval(again))
    expect(await changed).toBe(1)
  })
})

describe('a call', () => {
  test('gets the arguments, the workspace and a signal; its progress is reported', async () => {
    const served = await serve(async ({ arguments: given }, { root, onProgress }) => {
      onProgress?.({ progress: 1, total: 2, message: 'half' })
      return text(`${root} ${JSON.stringify(given)}`)
    })
    const seen: unknown[] = []
    const result = await call(
      await connect(at(served)),
      'tool',
      { a: 1 },
      { onProgress: (progress) => void seen.push(progress) },
    )
    expect(firstText(result)).toBe('/w {"a":1}')
    expect(seen).toEqual([{ progress: 1, total: 2, message: 'half' }])
  })

  test('is aborted when its client gives up', async () => {
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const { promise: aborted, resolve: abort } = Promise.withResolvers<void>()
    const served = await serve(async (_call, { signal }) => {
      signal.addEventListener('abort', () => abort(), { once: true })
      start()
      await aborted
      return text('')
    })
    const controller = new AbortController()
    const result = call(await connect(at(served)), 'tool', {}, { signal: controller.signal })
    await started
    controller.abort()
    await aborted
    expect((await result).metadata?.outcome).toBe('cancelled')
  })

  test('of a tool that is not offered is error -32602', async () => {
    let offered = [tool()]
    const served = await serve(async () => text('ran'), { definitions: () => offered })
    const server = await connect(at(served))
    offered = []
    expect(firstText(await call(server, 'tool'))).toContain(
      'Unknown tool: tool (error -32602). It was not executed.',
    )
  })

  test('says more than MCP has words for, and our own client gets all of it', async () => {
    const given: ToolResult = {
      isError: false,
      content: [
        {
          type: 'text',
          text: 'a',
          mimeType: 'text/markdown',
          annotations: { priority: 1, audience: ['user'] },
        },
        {
          type: 'resource',
          formatted: '1: x',
          resource: { uri: 'file:///a', text: 'x', name: 'A', title: 'The A' },
          _meta: { b: 1 },
        },
      ],
      structuredContent: [1, null],
      _meta: { 'computer.jp/status': 'stopped' },
    }
    const { isError: _isError, ...same } = await call(
      await connect(at(await serve(async () => given))),
      'tool',
    )
    expect({ ...same, isError: false }).toEqual(given)
  })

  test('is understood by other clients: nothing that they would refuse is on the wire', async () => {
    const given: ToolResult = {
      isError: false,
      content: [
        { type: 'question', question: { id: 'q', text: 'Really?', schema: true } },
        { type: 'text', text: 'a', mimeType: 'x/y' },
      ],
      structuredContent: 3,
    }
    const client = new Client({ name: 'other', version: '1' })
    onTestFinished(async () => await client.close())
    await client.connect(
      new StreamableHTTPClientTransport(new URL((await serve(async () => given)).url)) as never,
    )
    expect((await client.callTool({ name: 'tool' })).content).toMatchObject([
      { type: 'text', text: 'Really?' },
      { type: 'text', text: 'a' },
    ])
  })
})

describe('a question', () => {
  test.for<[string, InputRequest, unknown, unknown]>([
    ['a yes or no', { id: 'q', text: 'Sure?', schema: { type: 'boolean' } }, { value: true }, true],
    [
      'a choice',
      { id: 'q', text: 'Which?', schema: { type: 'string', enum: ['a', 'b'] } },
      { value: 'b' },
      'b',
    ],
    [
      'a flat form',
      {
        id: 'q',
        text: 'Who?',
        schema: { type: 'object', properties: { name: { type: 'string' } } },
      },
      { name: 'Ann' },
      { name: 'Ann' },
    ],
    [
      'anything else, as JSON',
      { id: 'q', text: 'What?', schema: { type: 'object', properties: { a: { type: 'object' } } } },
      { value: '{"a":{}}' },
      { a: {} },
    ],
    [
      'a text that is no JSON',
      { id: 'q', text: 'What?', schema: { anyOf: [{ type: 'object' }, { type: 'string' }] } },
      { value: 'x' },
      'x',
    ],
  ])(
    'for %s becomes a form, and its answer the question’s',
    async ([, request, content, value]) => {
      const server = await connect(
        at(await serve(asks(request, [{ type: 'text', text: 'The plan.' }]))),
        { canAsk: true },
      )
      const { ask, asked } = answering(() => ({ action: 'accept', value: content as never }))
      expect(JSON.parse(firstText(await call(server, 'tool', {}, { ask })))).toEqual({
        action: 'accept',
        value,
      })
      expect(asked[0]?.request.text).toBe(`The plan.\n\n${request.text}`)
    },
  )

  test('for a page to visit is one for the client', async () => {
    const request = { id: 'q', text: 'Log in', schema: true, url: 'https://example.com/' }
    const server = await connect(at(await serve(asks(request))), { canAsk: true })
    const { ask, asked } = answering(() => ({ action: 'accept', value: true }))
    expect(JSON.parse(firstText(await call(server, 'tool', {}, { ask })))).toEqual({
      action: 'accept',
      value: true,
    })
    expect(asked[0]?.request.url).toBe('https://example.com/')
  })

  test.for<[Parameters<typeof answering>[0], object]>([
    [() => ({ action: 'decline' }), { action: 'decline' }],
    [() => ({ action: 'cancel', reason: 'user' }), { action: 'cancel', reason: 'user' }],
  ])('may be declined and cancelled', async ([answer, came]) => {
    const server = await connect(
      at(await serve(asks({ id: 'q', text: '?', schema: { type: 'string' } }))),
      { canAsk: true },
    )
    expect(JSON.parse(firstText(await call(server, 'tool', {}, answering(answer))))).toEqual(came)
  })

  test('for a secret is never put into a form', async () => {
    const server = await connect(
      at(await serve(asks({ id: 'password', text: '?', schema: { type: 'string' } }))),
      { canAsk: true },
    )
    expect(firstText(await call(server, 'tool'))).toContain('"reason":"nobody"')
  })

  test('that nobody can be asked is an error which says how to settle it', async () => {
    const execute = async (_call: ToolCall, { ask }: CallContext): Promise<ToolResult> =>
      createFailure(`asked: ${ask !== undefined}`, 'unanswered')
    const result = await call(await connect(at(await serve(execute))), 'tool')
    expect(result).toMatchObject({
      isError: true,
      content: [
        { text: 'asked: false' },
        { text: expect.stringContaining('Answer it in the configuration') },
      ],
    })
  })
})

/** The status of a request that was written by hand. */
async function statusOf(
  served: ServedHttp,
  headers: Record<string, string>,
  body: string | Buffer = '{}',
  method = 'POST',
): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const sent = httpRequest(
    served.url,
    {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    },
    (response) => {
      response.resume()
      resolve(response.statusCode)
    },
  )
  sent.once('error', reject)
  sent.end(method === 'POST' ? body : undefined)
  return await promise
}

describe('over HTTP', () => {
  const hello = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    },
  })

  test.for<[string, Record<string, string>, number]>([
    ['its own address', {}, 200],
    ['a page of its own origin', { origin: 'http://localhost:PORT', host: 'localhost:PORT' }, 200],
    ['a name that leads here', { host: 'evil.example:PORT' }, 403],
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
    ['a page of another port', { origin: 'http://localhost:1' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
  ])('a request through %s has the status %s', async ([, headers, status]) => {
    const served = await serve(async () => text(''))
    const { port } = new URL(served.url)
    const own = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', port)]),
    )
    expect(await statusOf(served, own, hello)).toBe(status)
  })

  test('a token is wanted where others could reach it, and checked', async () => {
    await expect(serve(async () => text(''), {}, { host: '0.0.0.0' })).rejects.toMatchObject({
      code: 'token-required',
    })
    const served = await serve(async () => text('in'), {}, { token: 'abc' })
    expect(await statusOf(served, {}, hello)).toBe(401)
    expect(await statusOf(served, { authorization: 'Bearer abd' }, hello)).toBe(401)
    await expect(connect(at(served))).rejects.toMatchObject({ code: 'unauthorized' })
    expect(
      firstText(await call(await connect(at(served, { Authorization: 'Bearer abc' })), 'tool')),
    ).toBe('in')
  })

  test('what is too large, no JSON, without hello, of an unknown session or elsewhere is refused', async () => {
    const served = await serve(async () => text(''), {}, { maxBodyBytes: 1000 })
    expect(await statusOf(served, {}, Buffer.alloc(2000, 'x'))).toBe(413)
    expect(await statusOf(served, {}, 'no')).toBe(400)
    expect(await statusOf(served, {}, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')).toBe(400)
    expect(await statusOf(served, { 'mcp-session-id': 'x' }, hello)).toBe(404)
    expect(await statusOf(served, {}, '', 'GET')).toBe(400)
    expect(await statusOf({ ...served, url: served.url.replace('/mcp', '/') }, {}, hello)).toBe(404)
  })

  test('closing waits for the calls that run, then aborts them', async () => {
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const { promise: go, resolve: proceed } = Promise.withResolvers<void>()
    const served = await serve(async () => {
      start()
      await go
      return text('ended well')
    })
    const result = call(await connect(at(served)), 'tool')
    await started
    const closing = served.close()
    proceed()
    expect(firstText(await result)).toBe('ended well')
    await closing
    await served.closed
  })

  test('one client too many ends the first', async () => {
    const served = await serve(async () => text('x'), {}, { maxSessions: 1 })
    const first = await connect(at(served))
    await connect(at(served))
    // Its session is forgotten, so it says hello again.
    expect(firstText(await call(first, 'tool'))).toBe('x')
  })
})

test('links of served results can be read, where the service can', async () => {
  const resource = { uri: 'a:b', text: 'x', name: 'N' }
  const served = await serve(
    async () => createSuccessResult([{ type: 'resource_link', uri: 'a:b', name: 'b' }]),
    {
      readResource: async (uri) =>
        uri === 'a:b'
          ? createSuccessResult([{ type: 'resource', resource }])
          : createFailure('gone'),
    },
  )
  const server = await connect(at(served))
  const context = { signal: new AbortController().signal }
  expect((await server.readResource('a:b', context)).content).toEqual([
    { type: 'resource', resource },
  ])
  expect(firstText(await server.readResource('a:c', context))).toContain('gone')
})
