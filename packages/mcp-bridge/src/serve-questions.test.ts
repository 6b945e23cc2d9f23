import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  booleanQuestion,
  type CallContext,
  type ContentBlock,
  createFailure,
  type InputRequest,
  type QuestionContext,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toElicitation } from './server/elicitation.ts'
import { getServerConfig, bearer, type Execute, serve, text } from './testing/served.support.ts'
import { answering, call, connect, firstText } from './testing/servers.support.ts'

/** A tool that asks its question, and returns the answer as text. */
const asks =
  (request: InputRequest, blocks: readonly ContentBlock[] = []): Execute =>
  async (toolCall, { ask, signal }) => {
    const source = { kind: 'question', call: toolCall } as const
    const answer = await ask?.user?.(request, { blocks, source, signal })
    return text(JSON.stringify(answer ?? 'nobody'))
  }

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
        getServerConfig(await serve(asks(request, [{ type: 'text', text: 'The plan.' }]))),
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

  test('that is asked through a call which has its result already reaches the client through another call that runs', async () => {
    const request: InputRequest = { id: 'q', text: 'Sure?', schema: { type: 'boolean' } }
    let askThroughFirst: (() => Promise<unknown>) | undefined
    const served = await serve(async (toolCall, { ask, signal }) => {
      const source = { kind: 'question', call: toolCall } as const
      if (askThroughFirst) return text(JSON.stringify(await askThroughFirst()))
      askThroughFirst = async () => await ask?.user?.(request, { blocks: [], source, signal })
      return text('first')
    })
    const server = await connect(getServerConfig(served), { canAsk: true })
    const { ask } = answering(() => ({ action: 'accept', value: { value: true } }))
    await call(server, 'tool', {}, { ask })
    expect(firstText(await call(server, 'tool', {}, { ask }))).toBe(
      '{"action":"accept","value":true}',
    )
  })

  test('about a page to visit is passed to the client', async () => {
    const request = { id: 'q', text: 'Log in', schema: true, url: 'https://example.com/' }
    const server = await connect(getServerConfig(await serve(asks(request))), { canAsk: true })
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
      getServerConfig(await serve(asks({ id: 'q', text: '?', schema: { type: 'string' } }))),
      { canAsk: true },
    )
    expect(JSON.parse(firstText(await call(server, 'tool', {}, answering(answer))))).toEqual(came)
  })

  test('for a secret is never shown in a form', async () => {
    const server = await connect(
      getServerConfig(await serve(asks({ id: 'password', text: '?', schema: { type: 'string' } }))),
      { canAsk: true },
    )
    expect(firstText(await call(server, 'tool'))).toContain('"reason":"nobody"')
  })

  test('that the client cannot ask is an error which says how to answer it', async () => {
    const execute = async (_call: ToolCall, { ask }: CallContext): Promise<ToolResult> =>
      createFailure(`asked: ${ask !== undefined}`, 'unanswered')
    const result = await call(await connect(getServerConfig(await serve(execute))), 'tool')
    expect(result).toMatchObject({
      isError: true,
      content: [
        { text: 'asked: false' },
        { text: expect.stringContaining('Answer it in the configuration') },
      ],
    })
  })
})

test('a client receives the blocks and the question in their order, without those it has received', () => {
  const [seen, before, after] = ['seen', 'before', 'after'].map((value): ContentBlock => ({
    type: 'text',
    text: value,
  })) as [ContentBlock, ContentBlock, ContentBlock]
  const question = booleanQuestion({ id: 'go', text: 'Go on?' })
  const context: QuestionContext = {
    blocks: [seen, before],
    shown: 1,
    after: [after],
    problems: [{ path: '', message: 'expected boolean' }],
    source: { kind: 'question', call: { id: 'c', name: 't', arguments: {} } },
    signal: AbortSignal.abort(),
  }
  const { params } = toElicitation(question, context, { form: true, url: false }) as {
    params: { message: string }
  }
  expect(params.message).toBe('before\n\nGo on?\n\nafter\n\nexpected boolean')
})

test('a client that does not ask gives no answer, with the reason', async () => {
  const served = await serve(asks({ id: 'q', text: '?', schema: { type: 'boolean' } }))
  const client = new Client({ name: 'x', version: '1' }, { capabilities: { elicitation: {} } })
  client.fallbackRequestHandler = async () => await Promise.reject(new Error('there is no screen'))
  onTestFinished(async () => await client.close())
  const requestInit = { headers: bearer(served) }
  await client.connect(new StreamableHTTPClientTransport(new URL(served.url), { requestInit }))
  expect((await client.callTool({ name: 'tool' })).content).toMatchObject([
    {
      text: JSON.stringify({
        action: 'cancel',
        reason: 'failed',
        message: 'the client did not ask: there is no screen',
      }),
    },
  ])
})
