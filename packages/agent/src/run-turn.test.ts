import { once } from 'node:events'
import { openStore, type ConversationStore } from '@toolblocks/conversation-store'
import type { ModelCall, ModelMessage } from '@toolblocks/formatter'
import {
  type AnswerQuestion,
  booleanQuestion,
  createSuccessResult,
  type CallContext,
  type Tool,
  type ToolResult,
  withStatus,
} from '@toolblocks/protocol'
import { MAX_CALLS_PER_MESSAGE, MAX_KEPT_CALLS_PER_MESSAGE } from '@toolblocks/protocol/internal'
import { createToolExecutor } from '@toolblocks/tool-executor'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Model, ModelError, type ModelEvent } from './model.ts'
import { ConversationConflict, openConversation } from './open-conversation.ts'
import { runTurn, type TurnEvent, type TurnOptions } from './run-turn.ts'

let store: ConversationStore
beforeEach(async () => {
  store = await openStore('memory:')
})
afterEach(async () => await store.close())

/** Streams these responses in order, and records the requests. */
function modelThatSays(...answers: readonly (readonly (ModelEvent | Error)[])[]): {
  model: Model
  asked: (readonly ModelMessage[])[]
} {
  const asked: (readonly ModelMessage[])[] = []
  return {
    asked,
    model: async function* say({ messages }) {
      const next = answers[asked.length] ?? []
      asked.push(messages)
      for (const event of next) {
        if (event instanceof Error) throw event
        yield event
      }
    },
  }
}

function says(text: string, ...calls: readonly string[]): readonly ModelEvent[] {
  return [
    { type: 'text', text },
    {
      type: 'message',
      message: {
        role: 'assistant',
        content: [{ type: 'text', text }],
        calls: calls.map((name) => ({ id: `of ${name}`, name, arguments: {} })),
      },
    },
  ]
}

function tool(name: string, execute: Tool['execute']): Tool {
  return { name, inputSchema: { type: 'object' }, execute }
}

const answer = (text: string): ToolResult => createSuccessResult([{ type: 'text', text }])
const echo = tool('echo', async () => answer('heard'))

interface Played {
  end: string | Error
  moments: TurnEvent[]
  types: readonly string[]
}

async function play(
  model: Model,
  tools: readonly Tool[] = [echo],
  more: Pick<TurnOptions, 'callCancellation'> & {
    signal?: AbortSignal
    user?: AnswerQuestion
  } = {},
): Promise<Played> {
  const conversation = await openConversation(store, 'c')
  const executor = createToolExecutor({
    tools: tools.map((each) => ({ tool: each, policy: 'unattended' })),
    recordInquiry: async (event) => await conversation.record(event),
  })
  const { signal = new AbortController().signal, callCancellation, user } = more
  const ask = { ...(user && { user }) }
  const context: CallContext = { signal, root: '/', conversationId: 'c', ask }
  const parts: TurnOptions = {
    model,
    executor,
    conversation,
    context,
    ...(callCancellation && { callCancellation }),
  }
  const moments: TurnEvent[] = []
  const content = [{ type: 'text', text: 'Go.' }] as const
  const end = await runTurn(content, parts, (moment) => void moments.push(moment)).catch(
    (error: Error) => error,
  )
  await executor.close()
  const { events } = await store.read('c')
  return { end, moments, types: events.map(({ event }) => event.type) }
}

test('the model is asked again with the results of its calls, until it makes no more calls', async () => {
  const { model, asked } = modelThatSays(says('First.', 'echo'), says('Done.'))
  const { end, types } = await play(model)
  expect(end).toBe('completed')
  expect(types).toEqual([
    'turn_start',
    'user_message',
    'assistant_message',
    'tool_call',
    'tool_result',
    'delivery',
    'assistant_message',
  ])
  expect(asked[1]).toMatchObject([
    { role: 'user', content: [{ text: 'Go.' }] },
    { role: 'assistant', content: [{ text: 'First.' }], calls: [{ id: 'of echo' }] },
    { role: 'tool', results: [{ call: { id: 'of echo' }, text: 'heard' }] },
  ])
})

test('a call is stored before it runs, and its result before the model receives it', async () => {
  const seen: string[][] = []
  const spy = tool('spy', async () => {
    seen.push((await store.read('c')).events.map(({ event }) => event.type))
    return answer('')
  })
  const { model } = modelThatSays(says('', 'spy'), says('Done.'))
  await play(model, [spy])
  expect(seen[0]?.at(-1)).toBe('tool_call')
})

test('calls run in parallel; results are delivered in the order of the calls, whichever ended first', async () => {
  const { promise: echoed, resolve } = Promise.withResolvers<void>()
  const slow = tool('slow', async () => {
    await echoed
    return answer('late')
  })
  const quick = tool('quick', async () => {
    resolve()
    return answer('early')
  })
  const { model, asked } = modelThatSays(says('', 'slow', 'quick'), says('Done.'))
  await play(model, [slow, quick])
  expect(asked[1]?.at(-1)).toMatchObject({ results: [{ text: 'late' }, { text: 'early' }] })
})

test('a call of an unknown tool gets a failed result, which the model receives', async () => {
  const { model, asked } = modelThatSays(says('', 'invented'), says('Done.'))
  const { end } = await play(model)
  expect(end).toBe('completed')
  expect(asked[1]?.at(-1)).toMatchObject({
    results: [{ result: { isError: true }, text: expect.stringContaining('no tool "invented"') }],
  })
})

test('a call with unreadable arguments is stored unchanged and gets a failed result; the others run', async () => {
  const response = says('', 'echo', 'quiet')
  const broken = response.map((event) =>
    event.type === 'message'
      ? {
          ...event,
          message: {
            ...event.message,
            calls: event.message.calls.map((call) => ({
              ...call,
              // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as a provider gives what is no JSON
              ...(call.name === 'echo' && { arguments: '{"at' as never }),
            })),
          },
        }
      : event,
  )
  const { model, asked } = modelThatSays(broken, says('Done.'))
  const { end } = await play(model, [echo, { ...echo, name: 'quiet' }])
  expect(end).toBe('completed')
  expect(asked[1]?.slice(-2)).toMatchObject([
    { calls: [{ arguments: { not_an_object: '{"at' } }, { arguments: {} }] },
    { results: [{ text: expect.stringContaining('Expected an object') }, { text: 'heard' }] },
  ])
})

test('cancelling the calls does not end the turn: the model receives their results', async () => {
  const calls = new AbortController()
  const stuck = tool('stuck', async (_, { signal }) => {
    calls.abort()
    if (!signal.aborted) await once(signal, 'abort')
    return answer('was ended')
  })
  const { model } = modelThatSays(says('', 'stuck'), says('Done.'))
  const ended: boolean[] = []
  const callCancellation = {
    begin: () => calls.signal,
    end: () => void ended.push(calls.signal.aborted),
  }
  const { end, moments } = await play(model, [stuck], { callCancellation })
  expect(end).toBe('completed')
  expect(ended).toEqual([true])
  expect(moments.filter(({ type }) => type === 'result')).toHaveLength(1)
})

test('an aborted turn makes no more requests, and every call has its result', async () => {
  const turn = new AbortController()
  const stop = tool('stop', async () => {
    turn.abort()
    return answer('')
  })
  const { model, asked } = modelThatSays(says('', 'stop'), says('Never.'))
  const { end, types } = await play(model, [stop], { signal: turn.signal })
  expect(end).toBe('aborted')
  expect(asked).toHaveLength(1)
  expect(types).toContain('tool_result')
})

test('a model that refuses a request ends the turn with its reason; earlier events stay stored', async () => {
  const { model } = modelThatSays(says('', 'echo'), [new ModelError('refused', 'no such model')])
  const { end, types } = await play(model)
  expect(end).toMatchObject({ code: 'refused', message: 'no such model' })
  expect(types).toContain('tool_result')
})

test('a request to an unavailable model is repeated, and parts of its earlier response are discarded', async () => {
  const { model } = modelThatSays(
    [new ModelError('unavailable', 'overloaded', { retryAfterMs: 1 })],
    [{ type: 'text', text: 'Half' }, new ModelError('unavailable', 'broken', { retryAfterMs: 1 })],
    says('Whole.'),
  )
  const { end, moments, types } = await play(model)
  expect(end).toBe('completed')
  expect(moments.map(({ type }) => type)).toEqual([
    'asking',
    'retry',
    'asking',
    'text',
    'retry',
    'asking',
    'text',
    'message',
  ])
  expect(types.filter((type) => type === 'assistant_message')).toHaveLength(1)
})

test('if another program wrote to the conversation in the meantime, the turn ends with an error that says so', async () => {
  const rude = tool('rude', async () => {
    const { events } = await store.read('c')
    await store.append('c', events.length, [{ type: 'user_message', content: [] }])
    return answer('')
  })
  const { model } = modelThatSays(says('', 'rude'), says('Never.'))
  expect((await play(model, [rude])).end).toBeInstanceOf(ConversationConflict)
})

test('a conversation that ended in the middle of a call continues, and the call is marked as interrupted', async () => {
  await store.append('c', 0, [
    { type: 'turn_start', turn: 1 },
    { type: 'user_message', content: [{ type: 'text', text: 'Before.' }] },
    { type: 'tool_call', call: { id: 'lost', name: 'echo', arguments: {} } },
  ])
  const { model, asked } = modelThatSays(says('Done.'))
  expect((await play(model)).end).toBe('completed')
  expect(asked[0]).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: [], calls: [{ id: 'lost' }] },
    { role: 'tool', results: [{ call: { id: 'lost' }, result: { isError: true } }] },
    { role: 'user', content: [{ text: 'Go.' }] },
  ])
})

/** A message with these calls. */
function messageWith(...calls: readonly ModelCall[]): readonly ModelEvent[] {
  return [{ type: 'message', message: { role: 'assistant', content: [], calls } }]
}

test('of 10,000 calls in one message 128 run, each stored call has its result, and the number of omitted calls is reported', async () => {
  let runs = 0
  const counted = tool('echo', async () => {
    runs += 1
    return answer('heard')
  })
  const many = Array.from({ length: 10_000 }, (_, index) => ({
    id: `c${index}`,
    name: 'echo',
    arguments: {},
  }))
  const { model, asked } = modelThatSays(messageWith(...many), says('Done.'))
  const { end, moments } = await play(model, [counted])
  expect([end, runs]).toEqual(['completed', MAX_CALLS_PER_MESSAGE])
  expect(moments).toContainEqual({
    type: 'omitted-calls',
    calls: 10_000 - MAX_KEPT_CALLS_PER_MESSAGE,
  })
  const { events } = await store.read('c', { limit: Infinity })
  const kept = events.filter(({ event }) => event.type === 'tool_call')
  expect(kept).toHaveLength(MAX_KEPT_CALLS_PER_MESSAGE)
  const [assistantMessage, toolMessage] = asked[1]?.slice(-2) ?? []
  expect(assistantMessage).toMatchObject({ calls: { length: MAX_KEPT_CALLS_PER_MESSAGE } })
  const results = toolMessage?.role === 'tool' ? toolMessage.results : []
  expect(results).toHaveLength(MAX_KEPT_CALLS_PER_MESSAGE)
  expect(results[127]).toMatchObject({ text: 'heard' })
  expect(results[128]?.text).toContain('A message may have 128 calls. The call was not run.')
  expect(results.at(-1)?.text).toContain('had 10000. This call was not run, and 9488 more calls')
})

/** A stateful tool that asks about three hunks, and reports after each answer what it did. */
function staging(received: string[]): Tool {
  const asks = (hunk: number, before: string): ToolResult =>
    withStatus(
      createSuccessResult([
        { type: 'text', text: `${before}hunk ${hunk}` },
        { type: 'question', question: booleanQuestion({ id: `hunk_${hunk}`, text: 'Stage it?' }) },
      ]),
      'waiting',
    )
  return {
    ...tool('stage', async () => answer('ran once')),
    spawn: async () => {
      let hunk = 1
      return {
        started: asks(1, ''),
        fetch: async () => withStatus(answer(''), 'running'),
        apply: async (input) => {
          received.push(JSON.stringify(input))
          hunk += 1
          return hunk <= 3
            ? asks(hunk, `did ${hunk - 1}, `)
            : withStatus(answer('did 3, the end'), 'stopped')
        },
        abort: async () => {
          received.push('abort')
          return withStatus(answer('left off'), 'stopped')
        },
      }
    },
  }
}

const spawning: ModelCall = { id: 'c1', name: 'stage', arguments: { action: 'spawn', id: 'a' } }

test('questions of a live call for a person are answered one call at a time, and the model receives each call with its result', async () => {
  const received: string[] = []
  const { model, asked } = modelThatSays(
    messageWith(spawning, { id: 'c2', name: 'echo', arguments: {} }),
    says('Done.'),
  )
  const user: AnswerQuestion = async ({ id }) => ({ action: 'accept', value: id !== 'hunk_2' })
  const { types, moments } = await play(model, [staging(received), echo], { user })
  const made = (count: number, value: boolean) => [
    {
      role: 'assistant',
      content: [],
      calls: [
        {
          id: `c1.answer-${count}`,
          name: 'stage',
          arguments: { action: 'apply', id: 'a', input: { [`hunk_${count}`]: value } },
        },
      ],
    },
    { role: 'tool', results: [{ call: { id: `c1.answer-${count}` } }] },
  ]
  expect(asked).toHaveLength(2)
  expect(asked[1]).toMatchObject([
    { role: 'user' },
    { role: 'assistant', calls: [{ id: 'c1' }, { id: 'c2' }] },
    { role: 'tool', results: [{ call: { id: 'c1' } }, { call: { id: 'c2' } }] },
    ...made(1, true),
    ...made(2, false),
    ...made(3, true),
  ])
  const texts = asked[1]?.flatMap((message) =>
    message.role === 'tool' ? message.results.map((result) => result.text) : [],
  )
  expect(texts).toEqual([
    expect.stringMatching(/the user to answer "hunk_1"; a fetch asks the user\]\n\nhunk 1/),
    'heard',
    expect.stringContaining('did 1, hunk 2'),
    expect.stringContaining('did 2, hunk 3'),
    expect.stringContaining('did 3, the end'),
  ])
  const step = ['question', 'answer', 'tool_call', 'tool_result', 'delivery']
  expect(types.slice(2, 8)).toEqual([
    'tool_call',
    'tool_call',
    'tool_result',
    'tool_result',
    'delivery',
    'delivery',
  ])
  expect(types.slice(8)).toEqual([...step, ...step, ...step, 'assistant_message'])
  const resultIds = moments.flatMap((moment) => (moment.type === 'result' ? [moment.call.id] : []))
  expect(resultIds).toEqual(['c1', 'c2', 'c1.answer-1', 'c1.answer-2', 'c1.answer-3'])
  expect(received).toHaveLength(3)
})

test('if the second question of a live call is declined, the model still receives the effect of the first answer', async () => {
  const received: string[] = []
  const { model, asked } = modelThatSays(messageWith(spawning), says('Done.'))
  const user: AnswerQuestion = async ({ id }) =>
    id === 'hunk_1' ? { action: 'accept', value: true } : { action: 'decline' }
  await play(model, [staging(received)], { user })
  const last = asked[1]?.slice(-4)
  expect(last).toMatchObject([
    { calls: [{ arguments: { action: 'apply' } }] },
    { results: [{ result: { isError: false } }] },
    { calls: [{ arguments: { action: 'abort', id: 'a' } }] },
    { results: [{ result: { isError: true } }] },
  ])
  const texts = last?.flatMap((message) =>
    message.role === 'tool' ? message.results.map((result) => result.text) : [],
  )
  expect(texts?.[0]).toContain('did 1, hunk 2')
  expect(texts?.[1]).toContain('(hunk_2), and that was declined.')
  expect(texts?.[1]).toContain('The call was ended; its effects remain.')
  expect(texts?.[1]).toContain('left off')
  expect(received.at(-1)).toBe('abort')
})

test('if no person is available, a live call that asks a person ends, and the model receives the reason', async () => {
  const { model, asked } = modelThatSays(messageWith(spawning), says('Done.'))
  await play(model, [staging([])])
  const lastMessage = asked[1]?.at(-1)
  expect(lastMessage?.role === 'tool' && lastMessage.results[0]?.text).toContain(
    'nobody could answer it',
  )
})
