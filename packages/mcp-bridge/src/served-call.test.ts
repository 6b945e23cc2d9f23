import {
  type CallContext,
  createSuccessResult,
  type InputRequest,
  type JsonObject,
  type Progress,
  type QuestionContext,
  type ToolCall,
  type ToolContext,
  type ToolResult,
} from '@toolblocks/protocol'
import { describe, expect, test, vi } from 'vitest'
import type { ServerHooks } from './client/mcp-server.ts'
import { getServerConfig, type Execute, serve, text, tool } from './testing/served.support.ts'
import { answering, call, connect, getContext, firstText } from './testing/servers.support.ts'
import type { WireMessage } from './wire/peer.ts'
import type { ToolService } from './server/tool-service.ts'

const VERSIONS = ['2025-11-25', '2026-07-28'] as const

const SERVICE = { name: 'harbour', version: '7.3', root: '/berths', instructions: 'Ask the pilot.' }

async function connectTo(
  protocolVersion: (typeof VERSIONS)[number],
  execute: Execute,
  { service = {}, hooks = {} }: { service?: Partial<ToolService>; hooks?: ServerHooks } = {},
) {
  return await connect(
    { ...getServerConfig(await serve(execute, { ...SERVICE, ...service })), protocolVersion },
    hooks,
  )
}

describe.for(VERSIONS)('a client of MCP %s', (protocolVersion) => {
  test('receives the server’s name, instructions and tools', async () => {
    const messages: WireMessage[] = []
    const hooks: ServerHooks = { onMessage: (message) => void messages.push(message) }
    const capabilitiesWith = async (service: Partial<ToolService>): Promise<unknown> => {
      messages.length = 0
      const server = await connectTo(protocolVersion, async () => text(''), { service, hooks })
      const { info, instructions } = server
      expect({ info, instructions }).toEqual({
        info: { name: 'harbour', version: '7.3' },
        instructions: 'Ask the pilot.',
      })
      const results = messages.flatMap(({ message }) => {
        const result = message['result'] as JsonObject | undefined
        return result && 'capabilities' in result ? [result['capabilities']] : []
      })
      return results[0]
    }
    const always = { tools: { listChanged: true } }
    const tasks = {
      ...always,
      ...(protocolVersion === '2025-11-25'
        ? { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }
        : { extensions: { 'io.modelcontextprotocol/tasks': {} } }),
    }
    expect(await capabilitiesWith({})).toEqual(always)
    const readResource = async (): Promise<ToolResult> => createSuccessResult([])
    expect(await capabilitiesWith({ readResource })).toEqual({ ...always, resources: {} })
    const long = {
      name: 'build',
      inputSchema: { type: 'object' },
      execution: { taskSupport: 'optional' },
    }
    expect(await capabilitiesWith({ definitions: () => [long] })).toEqual(tasks)
    const starting = { names: () => ['late'], wait: async () => undefined }
    expect(await capabilitiesWith({ starting })).toEqual(tasks)
  })

  const anyFunction: unknown = expect.any(Function)

  test('has its call run with exactly the values that it sent', async () => {
    const calls: [ToolCall, CallContext][] = []
    const execute: Execute = async (toolCall, context) => {
      calls.push([toolCall, context])
      context.onProgress?.({ progress: 3, total: 9, message: 'a third' })
      context.onProgress?.({ message: 'no count' })
      return text('ran')
    }
    const bare = await connectTo(protocolVersion, execute)
    await call(bare, 'tool', { a: [1, { b: null }] })
    const asking = await connectTo(protocolVersion, execute, { hooks: { canAsk: true } })
    const seen: Progress[] = []
    await call(asking, 'tool', {}, { onProgress: (progress) => void seen.push(progress) })
    expect(calls).toEqual([
      [
        { id: expect.any(String), name: 'tool', arguments: { a: [1, { b: null }] } },
        {
          signal: expect.any(AbortSignal),
          root: '/berths',
          // A client that can follow the call as a task sees its progress there.
          ...(protocolVersion === '2026-07-28' && { onProgress: anyFunction }),
        },
      ],
      [
        { id: expect.any(String), name: 'tool', arguments: {} },
        {
          signal: expect.any(AbortSignal),
          root: '/berths',
          ask: { user: expect.any(Function) },
          onProgress: expect.any(Function),
        },
      ],
    ])
    expect(calls[0]?.[0].id).not.toBe(calls[1]?.[0].id)
    expect(seen).toEqual([
      { progress: 3, total: 9, message: 'a third' },
      { progress: 4, message: 'no count' },
    ])
  })

  test.for<[string, InputRequest, Partial<QuestionContext>, object]>([
    [
      'a simple question with its material, its default and what was wrong before',
      { id: 'berth', text: 'Which berth?', schema: { type: 'integer', minimum: 2 }, default: 4 },
      {
        blocks: [
          { type: 'text', text: 'Shown before.' },
          { type: 'text', text: 'The plan.' },
          { type: 'resource_link', uri: 'a:b', name: 'chart' },
        ],
        shown: 1,
        after: [{ type: 'image', data: '', mimeType: 'image/png' }],
        problems: [{ path: '/berth', message: 'too small', code: 'minimum' }],
      },
      {
        text: 'The plan.\n\nchart: a:b\n\nWhich berth?\n\n[image, image/png]\n\n/berth: too small',
        schema: {
          type: 'object',
          properties: {
            value: { title: 'Which berth?', type: 'integer', minimum: 2, default: 4 },
          },
          required: ['value'],
        },
        default: { value: 4 },
      },
    ],
    [
      'a question for JSON',
      { id: 'plan', text: 'What plan?', schema: { type: 'array', items: {} }, default: [1] },
      {},
      {
        text: 'What plan?',
        schema: {
          type: 'object',
          properties: {
            value: {
              type: 'string',
              title: 'What plan?',
              description: 'JSON that matches the schema {"type":"array","items":{}}',
              default: '[1]',
            },
          },
          required: ['value'],
        },
        default: { value: '[1]' },
      },
    ],
  ])('is asked %s', async ([, request, material, put]) => {
    const server = await connectTo(
      protocolVersion,
      async (toolCall, { ask, signal }) => {
        const source = { kind: 'question', call: toolCall } as const
        const answer = await ask?.user?.(request, { blocks: [], source, signal, ...material })
        return text(JSON.stringify(answer))
      },
      { hooks: { canAsk: true } },
    )
    const { ask, asked } = answering(() => ({ action: 'decline' }))
    expect(firstText(await call(server, 'tool', {}, { ask }))).toBe('{"action":"decline"}')
    const { id: _id, ...rest } = asked[0]?.request ?? { id: '' }
    expect(rest).toEqual(put)
    expect(asked[0]?.context).toEqual({
      blocks: [],
      source: {
        kind: 'elicitation',
        server: 'ours',
        call: { id: 'call-1', name: 'ours__tool', arguments: {} },
        ...(protocolVersion === '2026-07-28' && { isRepeated: true }),
      },
      signal: expect.any(AbortSignal),
    })
  })

  test('is asked for the call that asks, also while another one asks', async () => {
    const server = await connectTo(
      protocolVersion,
      async (toolCall, { ask, signal }) => {
        const put: InputRequest = {
          id: 'q',
          text: String(toolCall.arguments['berth']),
          schema: true,
        }
        const source = { kind: 'question', call: toolCall } as const
        const answer = await ask?.user?.(put, { blocks: [], source, signal })
        return text(JSON.stringify(answer))
      },
      { hooks: { canAsk: true } },
    )
    const both = Promise.withResolvers<void>()
    const asked: string[] = []
    const askFor =
      (id: string): NonNullable<ToolContext['ask']> =>
      async (request, { source }) => {
        const calling = source.kind === 'elicitation' ? source.call?.id : undefined
        if (asked.push(`${id}: ${request.text}, of ${calling}`) === 2) both.resolve()
        await both.promise
        return { action: 'decline' }
      }
    const [served] = server.tools()
    await Promise.all(
      ['one', 'two'].map(async (id) => {
        const toolCall = { id, name: 'ours__tool', arguments: { berth: `berth ${id}` } }
        return await served?.execute(toolCall, getContext({ ask: askFor(id) }))
      }),
    )
    expect(asked.toSorted()).toEqual(['one: berth one, of one', 'two: berth two, of two'])
  })

  test('reads by its own uri, until it cancels', async () => {
    const reads: [string, AbortSignal][] = []
    const server = await connectTo(protocolVersion, async () => text(''), {
      service: {
        readResource: async (uri, signal) => {
          reads.push([uri, signal])
          if (uri === 'a:wait')
            await new Promise((resolve) => signal.addEventListener('abort', resolve))
          return createSuccessResult([{ type: 'resource', resource: { uri, text: 'read' } }])
        },
      },
    })
    expect(await server.readResource('a:one', getContext())).toEqual(
      createSuccessResult([{ type: 'resource', resource: { uri: 'a:one', text: 'read' } }]),
    )
    const giving = new AbortController()
    const waiting = server.readResource('a:wait', { signal: giving.signal })
    await vi.waitFor(() => expect(reads.map(([uri]) => uri)).toEqual(['a:one', 'a:wait']))
    giving.abort()
    expect(await waiting).toMatchObject({ isError: true, metadata: { outcome: 'cancelled' } })
    await vi.waitFor(() => expect(reads[1]?.[1].aborted).toBe(true))
  })

  test('receives the result of a failed call, with its structured content and its own metadata', async () => {
    const toolResult: ToolResult = {
      isError: true,
      content: [{ type: 'text', text: 'aground' }],
      structuredContent: { depth: 0 },
      _meta: { 'example.com/chart': 12 },
    }
    const server = await connectTo(protocolVersion, async () => toolResult)
    const { isError, content, structuredContent, _meta } = await call(server, 'tool')
    expect({ isError, content, structuredContent, _meta }).toEqual(toolResult)
  })
})

test('a client of MCP 2026-07-28 sends the arguments in headers that a definition marks', async () => {
  const seen: unknown[] = []
  const inputSchema = {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  }
  const server = await connectTo(
    '2026-07-28',
    async (toolCall) => (seen.push(toolCall.arguments), text('ran')),
    {
      service: { definitions: () => [tool({ inputSchema })] },
    },
  )
  // The server refuses a call if its header is missing or has another value.
  expect(firstText(await call(server, 'tool', { region: 'north' }))).toBe('ran')
  expect(seen).toEqual([{ region: 'north' }])
})
