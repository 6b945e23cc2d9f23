import { createHash } from 'node:crypto'
import { openStore, type StoredEvent } from '@toolblocks/conversation-store'
import type { ModelProfile, ModelRequest } from '@toolblocks/formatter'
import { openAiResponsesProfile } from '@toolblocks/formatter/openai'
import {
  type CallContext,
  createSuccessResult,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { type ModelRequestNotice, type Model, ModelError, askModel } from './model.ts'
import { openConversation } from './open-conversation.ts'
import { runTurn, type TurnEvent } from './run-turn.ts'

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const PICTURE = {
  type: 'resource',
  resource: { uri: 'file:///w/sub/../a.png', mimeType: 'image/png', blob: PNG },
} as const
const PROFILE: ModelProfile = openAiResponsesProfile

const makeResult = (id: string, text: string): ToolResult => ({
  id,
  ...createSuccessResult([{ type: 'text', text }]),
})

/** What a person took for calls: 0 before a call, and less than nothing after it, so that it can be told from the time of the call. */
function createPersonTime(after: Readonly<Record<string, number>>): (call: string) => number {
  const begun = new Set(['b.answer-1'])
  return (call) => {
    if (begun.has(call)) return -(after[call] ?? 0)
    begun.add(call)
    return 0
  }
}

test('each option of a turn reaches its user: the model, the executor, the delivery or the display', async () => {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const seen: StoredEvent[] = []
  const conversation = await openConversation(store, 'c', {
    onEvent: (event) => void seen.push(event),
  })
  const definitions = [{ name: 'read', inputSchema: { type: 'object' } }]
  const settings = { instructions: 'Be brief.', maxOutputTokens: 12 }
  const turn = new AbortController()
  const requests: (readonly [ModelRequest, AbortSignal])[] = []
  const calls = [
    { id: 'a', name: 'read', arguments: { path: 'x' } },
    { id: 'b', name: 'ask', arguments: {} },
  ]
  const model: Model = async function* say(request, signal) {
    requests.push([request, signal])
    const _meta = { 'ai-sdk': ['signed'] }
    const first = { reasoning: 'Hm.', calls, _meta }
    yield {
      type: 'message',
      message: {
        role: 'assistant',
        content: [],
        calls: [],
        ...(requests.length === 1 && first),
      },
      model: `m-${requests.length}`,
      usage: { inputTokens: 3, outputTokens: requests.length },
    }
  }
  const contexts: CallContext[] = []
  const ended: unknown[] = []
  const answers: ToolCall[] = [{ id: 'b.answer-1', name: 'ask', arguments: { go: true } }]
  const executor = {
    definitions: () => definitions,
    execute: async (call: ToolCall, context: CallContext) => {
      contexts.push(context)
      return makeResult(call.id, `of ${call.name}`)
    },
    answerWaiting: async (result: ToolResult, context: CallContext) => {
      contexts.push(context)
      const call = result.id === 'b' ? answers.shift() : undefined
      return call && { call, result: makeResult(call.id, 'answered') }
    },
    endTurn: async (id?: string) => void ended.push(id),
  }
  const context: CallContext = {
    signal: turn.signal,
    root: '/w',
    conversationId: 'c',
    keepBytes: async () => ({ sha256: '0', bytes: 0 }),
    answers: { known: 1 },
    unanswered: 'return',
    ask: { user: async () => ({ action: 'decline' }) },
  }
  const delivered: unknown[] = []
  const moments: TurnEvent[] = []
  const end = await runTurn(
    [{ type: 'text', text: 'Look.' }, PICTURE],
    {
      model,
      profile: PROFILE,
      executor,
      conversation,
      deliverAs: (tool) => {
        delivered.push(tool)
        return undefined
      },
      context,
      settings,
      personTime: createPersonTime({ a: 1_000_000, b: 2_000_000, 'b.answer-1': 3_000_000 }),
    },
    (moment) => void moments.push(moment),
  )

  expect(end).toBe('completed')
  expect(requests).toMatchObject([
    [{ ...settings, tools: definitions, messages: [{ role: 'user' }] }, {}],
    [{ ...settings, tools: definitions, messages: { length: 5 } }, {}],
  ])
  expect(requests.map(([, signal]) => signal === turn.signal)).toEqual([true, true])
  const waiting = { ...context, signal: expect.any(AbortSignal) }
  const called = { ...waiting, onProgress: expect.any(Function) }
  expect(contexts).toEqual([called, called, waiting, waiting, waiting])
  turn.abort('over')
  expect(contexts.map(({ signal }): unknown => signal.reason)).toEqual(Array(5).fill('over'))
  expect(ended).toEqual(['c'])

  const sha256 = createHash('sha256').update(Buffer.from(PNG, 'base64')).digest('hex')
  const attached = { callId: '', block: 1, uri: 'file:///w/a.png', sha256, turn: 1, form: 'full' }
  expect(delivered).toEqual(['read', 'ask', 'ask'])

  const withoutAsking = moments.filter(({ type }) => type !== 'asking')
  const result = (call: ToolCall, text: string): object => ({
    type: 'result',
    call,
    milliseconds: expect.any(Number),
    result: makeResult(call.id, text),
    delivered: {
      text,
      event: expect.objectContaining({ type: 'delivery', callId: call.id, text }),
    },
  })
  const [a, b] = calls
  const answer = { id: 'b.answer-1', name: 'ask', arguments: { go: true } }
  expect(withoutAsking).toEqual([
    {
      type: 'message',
      message: {
        role: 'assistant',
        content: [],
        reasoning: 'Hm.',
        calls,
        _meta: { 'ai-sdk': ['signed'] },
      },
      model: 'm-1',
      usage: { inputTokens: 3, outputTokens: 1 },
    },
    { type: 'call', call: a },
    { type: 'ended', call: a },
    { type: 'ended', call: b },
    result(a!, 'of read'),
    { type: 'call', call: b },
    result(b!, 'of ask'),
    { type: 'call', call: answer },
    result(answer, 'answered'),
    {
      type: 'message',
      message: { role: 'assistant', content: [], calls: [] },
      model: 'm-2',
      usage: { inputTokens: 3, outputTokens: 2 },
    },
  ])
  const times = withoutAsking.flatMap((moment) =>
    moment.type === 'result' ? [Math.round(moment.milliseconds / 1_000_000)] : [],
  )
  // A person took less and less time, so that each call took longer by a different time.
  expect(times).toEqual([1, 2, 3])

  const { events } = await store.read('c')
  expect(events.map(({ event }) => event)).toMatchObject([
    { type: 'turn_start', turn: 1 },
    { type: 'user_message', content: [{ text: 'Look.' }, PICTURE] },
    { type: 'delivery', deliveries: [attached] },
    {
      type: 'assistant_message',
      content: [],
      reasoning: 'Hm.',
      model: 'm-1',
      usage: { inputTokens: 3, outputTokens: 1 },
      _meta: { 'ai-sdk': ['signed'] },
    },
    { type: 'tool_call', call: a! },
    { type: 'tool_call', call: b! },
    { type: 'tool_result', result: { id: 'a' } },
    { type: 'tool_result', result: { id: 'b' } },
    { type: 'delivery', callId: 'a' },
    { type: 'delivery', callId: 'b' },
    { type: 'tool_call', call: answer },
    { type: 'tool_result', result: { id: 'b.answer-1' } },
    { type: 'delivery', callId: 'b.answer-1' },
    { type: 'assistant_message', content: [], usage: { outputTokens: 2 } },
  ])
  expect(seen.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq))
  expect(seen.map(({ event }) => event)).toEqual(events.map(({ event }) => event))
  expect(seen.every(({ at }) => Math.abs(Date.now() - Date.parse(at)) < 60_000)).toBe(true)
  expect(conversation.events()).toEqual(seen)
})

test('a conversation continues after its last event, under its id, with the next turn', async () => {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const started = Array.from({ length: 250 }, (_, index) => ({
    type: 'turn_start' as const,
    turn: index + 1,
  }))
  await store.append('c', 0, started)
  const conversation = await openConversation(store, 'c')
  expect([conversation.id, conversation.events().length]).toEqual(['c', 250])
  const model: Model = async function* say() {
    yield { type: 'message', message: { role: 'assistant', content: [], calls: [] } }
  }
  const signal = new AbortController().signal
  const executor = {
    definitions: () => [],
    execute: async () => makeResult('', ''),
    answerWaiting: async () => undefined,
    endTurn: async () => {},
  }
  const context = { signal, root: '/w' }
  await runTurn([], { model, executor, conversation, context })
  const { events } = await store.read('c', { limit: Infinity })
  expect(events[250]).toMatchObject({ seq: 251, event: { type: 'turn_start', turn: 251 } })
})

/** Returns the first notice of a retry while an unavailable model is asked. */
async function firstRetry(error: ModelError): Promise<ModelRequestNotice | undefined> {
  const end = new AbortController()
  const notices: ModelRequestNotice[] = []
  // oxlint-disable-next-line require-yield -- it says nothing
  const model: Model = async function* fail() {
    throw error
  }
  const answer = await askModel(
    model,
    { messages: [], tools: [] },
    {
      signal: end.signal,
      show: (notice) => {
        notices.push(notice)
        if (notice.type === 'retry') setImmediate(() => end.abort())
      },
    },
  )
  expect(answer).toBeUndefined()
  return notices.at(-1)
}

test('a request is repeated after the time that the provider asks for, by default after a second, and at most after a minute', async () => {
  const busy = (retryAfterMs?: number): ModelError =>
    new ModelError('unavailable', 'too busy', retryAfterMs === undefined ? {} : { retryAfterMs })
  const retry = { type: 'retry', reason: 'too busy' }
  expect(await firstRetry(busy(7000))).toEqual({ ...retry, waitMs: 7000 })
  expect(await firstRetry(busy())).toEqual({ ...retry, waitMs: 1000 })
  expect(await firstRetry(busy(600_000))).toEqual({ ...retry, waitMs: 60_000 })
})
