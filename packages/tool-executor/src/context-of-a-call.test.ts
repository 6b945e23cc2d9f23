import { afterEach, expect, test } from 'vitest'
import {
  booleanQuestion,
  type CallContext,
  createErrorResult,
  createSuccessResult,
  type InquiryEvent,
  type JsonObject,
  type QuestionContext,
  type Tool,
  type ToolCall,
  type ToolContext,
} from '@toolblocks/protocol'
import { createToolExecutor, type ToolExecutorOptions } from './create-tool-executor.ts'
import { getText } from './executor.support.ts'
import {
  closeExecutors,
  liveTool,
  question,
  says,
  text,
  withExecutor,
} from './live-tool.support.ts'
import type { ToolEntry } from './tool-entry.ts'

afterEach(closeExecutors)

const signal = new AbortController().signal
const call: ToolCall = { id: 'call-7', name: 'moor', arguments: { berth: 4 }, _meta: { a: 1 } }

/** Every member that a host can set, each with a value that is not the default. */
const fullContext: CallContext = {
  signal,
  root: '/harbour',
  workspaceId: 'w-1',
  conversationId: 'c-1',
  keepBytes: async () => ({ sha256: 'a'.repeat(64), bytes: 1 }),
  onProgress: () => undefined,
  ask: {
    user: async () => ({ action: 'accept', value: true }),
    assistant: async () => ({ action: 'accept', value: 'by the model' }),
  },
  answers: { known: 'before' },
  unanswered: 'return',
}

const { ask: _ports, answers: _known, unanswered: _unanswered, ...shared } = fullContext

interface Seen {
  contexts: ToolContext[]
  formatted: [ToolCall, ToolContext][]
  calls: ToolCall[]
}

function recorder(seen: Seen, more: Partial<Tool> = {}): Tool {
  return {
    name: 'moor',
    inputSchema: { type: 'object', properties: { berth: { type: 'integer' } } },
    formatArguments: async (formattedCall, context) => {
      seen.formatted.push([formattedCall, context])
      return createSuccessResult([text('Moor at 4?')])
    },
    execute: async (made, context) => {
      seen.calls.push(made)
      seen.contexts.push(context)
      return createSuccessResult([])
    },
    ...more,
  }
}

const newSeen = (): Seen => ({ contexts: [], formatted: [], calls: [] })

test('a tool, and its presentation of a call, receive all context that the host shares, and the tool’s own options', async () => {
  const seen = newSeen()
  const asked: unknown[] = []
  const entry: ToolEntry = { tool: recorder(seen), policy: 'ask', options: { depth: 2 } }
  const executor = createToolExecutor({
    tools: [entry],
    decide: async (made, material) => {
      asked.push(['decide', made, material])
      return { effect: 'ask', rule: 'r*', source: 'here' }
    },
    approve: async (made, material) => {
      asked.push(['approve', made, material])
      return { decision: 'allowed' }
    },
  })
  expect(await executor.execute(call, fullContext)).toMatchObject({ id: 'call-7', isError: false })
  const own = { ...shared, options: { depth: 2 } }
  expect(seen.formatted).toEqual([[call, { ...own, answers: {} }]])
  expect(seen.calls).toEqual([call])
  expect(seen.contexts).toEqual([{ ...own, answers: {}, ask: expect.any(Function) }])
  const { conversationId } = shared
  const formatted = createSuccessResult([text('Moor at 4?')])
  const verdict = { effect: 'ask', rule: 'r*', source: 'here' }
  expect(asked).toEqual([
    ['decide', call, { entry, conversationId }],
    ['approve', call, { entry, conversationId, verdict, formatted, signal }],
  ])
})

test('the answerer of a tool’s question receives the complete question, and its events are recorded under the call', async () => {
  const put: [string, string, QuestionContext][] = []
  const events: InquiryEvent[] = []
  const record = (who: string) => async (request: { id: string }, context: QuestionContext) => {
    put.push([who, request.id, context])
    return { action: 'accept', value: who === 'user' } as const
  }
  const askAll: Tool['execute'] = async (_call, { answers }) =>
    'person' in answers
      ? createSuccessResult([text(JSON.stringify(answers))])
      : createSuccessResult([
          text('the plan'),
          ...['person', 'model', 'known'].map((id) => question(id)),
        ])
  const executor = createToolExecutor({
    tools: [
      {
        tool: recorder(newSeen(), { execute: askAll }),
        policy: 'unattended',
        routes: { model: { target: { settings: { model: 'small' } } } },
      },
    ],
    recordInquiry: (event) => void events.push(event),
  })
  const result = await executor.execute(call, {
    ...fullContext,
    ask: { user: record('user'), assistant: record('assistant') },
    answers: { known: false },
  })
  expect(JSON.parse(getText(result))).toEqual({ person: true, model: false, known: false })
  const source = { kind: 'question', call }
  expect(put).toMatchObject([
    ['user', 'person', { blocks: [text('the plan')], source, signal }],
    ['assistant', 'model', { source, signal, settings: { model: 'small' } }],
  ])
  expect(
    events.map((event) => [event.id, event.callId, 'asked' in event ? event.asked : event.action]),
  ).toEqual([
    ['call-7.person.1', 'call-7', 'user'],
    ['call-7.person.1', 'call-7', 'accept'],
    ['call-7.model.1', 'call-7', 'assistant'],
    ['call-7.model.1', 'call-7', 'accept'],
    ['call-7.known.1', 'call-7', 'static'],
    ['call-7.known.1', 'call-7', 'accept'],
  ])
})

test('a live tool is started with the same context, under the signal of its handle', async () => {
  const spawned: [ToolCall, ToolContext][] = []
  const live = liveTool([])
  const spawn: Tool['spawn'] = async (made, context) => {
    spawned.push([made, context])
    return await live.spawn!(made, context)
  }
  const entry: ToolEntry = {
    tool: { ...live, name: 'moor', inputSchema: recorder(newSeen()).inputSchema, spawn },
    policy: 'unattended',
    options: { depth: 2 },
  }
  const executor = createToolExecutor({ tools: [entry] })
  const start = { ...call, arguments: { action: 'spawn', id: 'a', berth: 4 } }
  expect(await executor.execute(start, fullContext)).toMatchObject({
    id: 'call-7',
    metadata: { handle: { id: 'a', status: 'running' } },
  })
  const [made, context] = spawned[0] ?? []
  expect(made).toEqual(call)
  expect(context).toEqual({
    ...shared,
    options: { depth: 2 },
    answers: {},
    ask: expect.any(Function),
    signal: expect.any(AbortSignal),
  })
  expect(context?.signal).not.toBe(signal)
  await executor.close()
})

test('each interaction with a live call passes on its own input and signal, and returns the complete output', async () => {
  const inputs: unknown[] = []
  const answer = (name: string) => ({
    ...says('running', text(name)),
    structuredContent: { name } as JsonObject,
    metadata: { warnings: [{ path: '', message: `odd ${name}`, code: 'odd' }] },
  })
  const { act } = withExecutor(
    liveTool([], {
      spawn: async () => ({
        started: answer('started'),
        fetch: async ({ signal: ending }) => (inputs.push(['fetch', ending]), answer('fetched')),
        apply: async (input, { signal: ending }) => (
          inputs.push(['apply', input, ending]),
          answer('applied')
        ),
        abort: async () => answer('aborted'),
      }),
    }),
  )
  const results = [
    await act({ action: 'spawn', id: 'a' }),
    await act({ action: 'fetch', id: 'a' }, { signal }),
    await act({ action: 'apply', id: 'a', input: { deep: 3 } }, { signal }),
    await act({ action: 'abort', id: 'a' }),
  ]
  expect(inputs).toEqual([
    ['fetch', signal],
    ['apply', { input: { deep: 3 } }, signal],
  ])
  expect(
    results.map(({ structuredContent, metadata }) => [
      structuredContent,
      metadata?.warnings?.map(({ message }) => message),
    ]),
  ).toEqual(['started', 'fetched', 'applied', 'aborted'].map((name) => [{ name }, [`odd ${name}`]]))
})

test('a live call asks under its handle, and uses an answer known before without asking', async () => {
  const asked: [string, QuestionContext][] = []
  const user = async (request: { id: string }, context: QuestionContext) => {
    asked.push([request.id, context])
    return { action: 'accept', value: true } as const
  }
  const tool = liveTool([
    says('waiting', text('two hunks'), question('one'), question('two')),
    says('stopped', text('done')),
  ])
  const { act, answer } = withExecutor(tool, { routes: { two: { answer: false } } })
  const waiting = await act({ action: 'spawn', id: 'a' })
  const answered = await answer(waiting, { ask: { user }, answers: { two: true } })
  expect(asked).toEqual([
    [
      'one',
      {
        blocks: [text('two hunks')],
        shown: 0,
        after: expect.any(Array),
        more: 1,
        source: {
          kind: 'handle',
          call: expect.objectContaining({ id: 'call-1', name: 'staging' }),
          handle: 'a',
        },
        signal: expect.any(AbortSignal),
      },
    ],
  ])
  expect(tool.received.at(-1)).toEqual({ answers: { one: true, two: true } })
  expect(answered).toMatchObject({
    call: {
      id: 'call-1.answer-1',
      name: 'staging',
      arguments: { action: 'apply', id: 'a', input: { one: true, two: true } },
    },
    result: { id: 'call-1.answer-1', isError: false },
  })
})

test('the limits of an executor apply to its handles', async () => {
  const open = (limits: ToolExecutorOptions['limits']) =>
    withExecutor(liveTool([]), limits ? { limits } : {}).act
  const few = open({ handles: 1 })
  await few({ action: 'spawn', id: 'a' })
  expect(getText(await few({ action: 'spawn', id: 'b' }))).toContain(
    '1 handles are running, which is the maximum ("a")',
  )
  const short = open({ interactions: 1 })
  await short({ action: 'spawn', id: 'a' })
  expect((await short({ action: 'apply', id: 'a', input: 1 })).isError).toBe(false)
  expect((await short({ action: 'apply', id: 'a', input: 2 })).isError).toBe(true)
})

test('a call that cannot be shown keeps the message of its tool', async () => {
  const failure = {
    ...createErrorResult('no chart'),
    metadata: {
      outcome: 'failed' as const,
      warnings: [{ path: '/chart', message: 'torn', code: 'torn' }],
    },
  }
  const tool = recorder(newSeen(), { formatArguments: async () => failure })
  const executor = createToolExecutor({
    tools: [{ tool, policy: 'ask' }],
    approve: async () => ({ decision: 'allowed' }),
  })
  const result = await executor.execute(call, fullContext)
  expect(result.metadata).toEqual({
    outcome: 'failed',
    warnings: [{ path: '/chart', message: 'torn', code: 'torn' }],
  })
})

test('of several answers the nearest is used: the call’s, then its route’s, then a person’s, and the default if no answerer is available', async () => {
  const put = booleanQuestion({ id: 'go', text: 'Go?', default: true })
  const askOnce: Tool['execute'] = async (_call, { answers }) =>
    createSuccessResult(
      'go' in answers
        ? [text(JSON.stringify(answers['go']))]
        : [{ type: 'question', question: put }],
    )
  const resultWith = async (entry: Partial<ToolEntry>, more: Partial<CallContext>) =>
    getText(
      await createToolExecutor({
        tools: [
          { tool: recorder(newSeen(), { execute: askOnce }), policy: 'unattended', ...entry },
        ],
      }).execute(call, { signal, root: '/', ...more }),
    )
  const user = async () => ({ action: 'accept', value: true }) as const
  const routes = { go: { answer: false } }
  expect(await resultWith({ routes }, { ask: { user }, answers: { go: true } })).toBe('true')
  expect(await resultWith({ routes }, { ask: { user } })).toBe('false')
  expect(await resultWith({}, { ask: { user }, answers: { go: false } })).toBe('false')
  expect(await resultWith({ routes: { go: { fallback: 'default' } } }, {})).toBe('true')
})

test('the files of a result are named within the workspace of the call, also after an answer to its live call', async () => {
  const file = { uri: 'file:///berths/a', text: 'x' }
  const named = [{ uri: 'file:///C:/berths/a' }]
  const root = 'C:\\harbour'
  const execute: Tool['execute'] = async () =>
    createSuccessResult([{ type: 'resource', resource: file }])
  const executor = createToolExecutor({
    tools: [{ tool: recorder(newSeen(), { execute }), policy: 'unattended' }],
  })
  const result = await executor.execute(call, { ...fullContext, root })
  expect(result.metadata?.resources).toMatchObject(named)
  const user = async () => ({ action: 'accept', value: true }) as const
  const { act, answer } = withExecutor(
    liveTool([
      says('waiting', question('go')),
      says('stopped', { type: 'resource', resource: file }),
    ]),
  )
  const waiting = await act({ action: 'spawn', id: 'a' })
  const answered = await answer(waiting, { ask: { user }, root })
  expect(answered?.result.metadata?.resources?.filter((each) => each !== null)).toMatchObject(named)
})
