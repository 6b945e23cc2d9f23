import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  createFailure,
  createSuccessResult,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { getServerConfig, bearer, serve, text, tool } from './testing/served.support.ts'
import { call, connect, firstText, getTexts } from './testing/servers.support.ts'

describe('a definition', () => {
  test('keeps all its fields for this project’s client; others receive the summary before the description', async () => {
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
    const { execute: _execute, ...ours } = (await connect(getServerConfig(served))).tools()[0] ?? {
      execute: undefined,
    }
    expect(ours).toEqual({ ...definition, name: 'ours__tool' })
    const client = new Client({ name: 'other', version: '1' })
    onTestFinished(async () => await client.close())
    await client.connect(
      new StreamableHTTPClientTransport(new URL(served.url), {
        requestInit: { headers: bearer(served) },
      }),
    )
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
    const server = await connect(getServerConfig(served), {
      onToolsChanged: ({ tools }) => resolve(tools().length),
    })
    expect(server.tools()).toEqual([])
    definitions.push(tool())
    // The stream for notifications of the server is opened after `initialize`.
    const again = setInterval(announce, 50)
    onTestFinished(() => clearInterval(again))
    expect(await changed).toBe(1)
  })
})

describe('a call', () => {
  test('receives the arguments, the workspace and a signal; its progress is reported', async () => {
    const served = await serve(async ({ arguments: values }, { root, onProgress }) => {
      onProgress?.({ progress: 1, total: 2, message: 'half' })
      return text(`${root} ${JSON.stringify(values)}`)
    })
    const seen: unknown[] = []
    const result = await call(
      await connect(getServerConfig(served)),
      'tool',
      { a: 1 },
      { onProgress: (progress) => void seen.push(progress) },
    )
    expect(firstText(result)).toBe('/w {"a":1}')
    expect(seen).toEqual([{ progress: 1, total: 2, message: 'half' }])
  })

  test('is cancelled when its client cancels it', async () => {
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const { promise: aborted, resolve: abort } = Promise.withResolvers<void>()
    const served = await serve(async (_call, { signal }) => {
      signal.addEventListener('abort', () => abort(), { once: true })
      start()
      await aborted
      return text('')
    })
    const controller = new AbortController()
    const result = call(
      await connect(getServerConfig(served)),
      'tool',
      {},
      { signal: controller.signal },
    )
    await started
    controller.abort()
    await aborted
    expect((await result).metadata?.outcome).toBe('cancelled')
  })

  test('of a tool that is not offered is error -32602', async () => {
    let offered = [tool()]
    const served = await serve(async () => text('ran'), { definitions: () => offered })
    const server = await connect(getServerConfig(served))
    offered = []
    expect(getTexts(await call(server, 'tool')).join('\n')).toContain(
      'failed: the server answered with error -32602. It was not executed.\nUnknown tool: tool',
    )
  })

  test('has more data than MCP defines, and this project’s client receives all of it', async () => {
    const toolResult: ToolResult = {
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
      await connect(getServerConfig(await serve(async () => toolResult))),
      'tool',
    )
    expect({ ...same, isError: false }).toEqual(toolResult)
  })

  test('is understood by other clients: no message contains data that they would refuse', async () => {
    const toolResult: ToolResult = {
      isError: false,
      content: [
        { type: 'question', question: { id: 'q', text: 'Really?', schema: true } },
        { type: 'text', text: 'a', mimeType: 'x/y' },
      ],
      structuredContent: 3,
    }
    const client = new Client({ name: 'other', version: '1' })
    onTestFinished(async () => await client.close())
    const served = await serve(async () => toolResult)
    await client.connect(
      new StreamableHTTPClientTransport(new URL(served.url), {
        requestInit: { headers: bearer(served) },
      }),
    )
    expect((await client.callTool({ name: 'tool' })).content).toMatchObject([
      { type: 'text', text: expect.stringContaining('"Really?"') as string },
      { type: 'text', text: 'a' },
      { type: 'text', text: '3' },
    ])
  })

  test('repeats structured content as text only where a client would not see it', async () => {
    const data = Buffer.alloc(100).toString('base64')
    const results: ToolResult[] = [
      { isError: false, content: [], structuredContent: { a: 1 } },
      { isError: false, content: [{ type: 'text', text: 'a' }], structuredContent: { a: 1 } },
      { isError: false, content: [{ type: 'text', text: '[1]' }], structuredContent: [1] },
      {
        isError: false,
        content: [],
        structuredContent: [{ type: 'image', data, mimeType: 'image/png' }],
      },
    ]
    const served = await serve(async ({ arguments: { index } }) => {
      return results[Number(index)] ?? text('none')
    })
    const client = new Client({ name: 'other', version: '1' })
    onTestFinished(async () => await client.close())
    await client.connect(
      new StreamableHTTPClientTransport(new URL(served.url), {
        requestInit: { headers: bearer(served) },
      }),
    )
    const texts: unknown[] = []
    for (const index of results.keys())
      texts.push(
        getTexts((await client.callTool({ name: 'tool', arguments: { index } })) as ToolResult),
      )
    expect(texts).toEqual([
      ['{"a":1}'],
      ['a'],
      ['[1]'],
      [
        '[{"type":"image","data":"[image/png, 100 bytes, in structuredContent]","mimeType":"image/png"}]',
      ],
    ])
  })
})

test('links of served results can be read if the service can read them', async () => {
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
  const server = await connect(getServerConfig(served))
  const context = { signal: new AbortController().signal }
  expect((await server.readResource('a:b', context)).content).toEqual([
    { type: 'resource', resource },
  ])
  expect(getTexts(await server.readResource('a:c', context)).join('\n')).toContain('gone')
})

const program = fileURLToPath(new URL('testing/stdio-service.support.ts', import.meta.url))

test('a service on standard streams is a server like any other', async () => {
  const server = await connect({
    name: 'own',
    transport: { kind: 'stdio', command: process.execPath, args: [program] },
  })
  expect(server).toMatchObject({
    protocolVersion: '2025-11-25',
    info: { name: 'stdio' },
    instructions: 'Use it well.',
  })
  expect(firstText(await call(server, 'echo', { a: 1 }))).toBe('{"a":1}')
})

test('it ends with its input', async () => {
  const running = promisify(execFile)(process.execPath, [program])
  running.child.stdin?.end()
  expect((await running).stdout).toBe('')
})
