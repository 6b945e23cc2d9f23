import { type ConversationEvent, openStore } from '@toolblocks/conversation-store'
import { answerPendingQuestion, listPendingQuestions } from '@toolblocks/inquiry/pending'
import {
  booleanQuestion,
  createSuccessResult,
  type Tool,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import { decideByRules, type ToolEntry } from '@toolblocks/tool-executor'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { createAgent } from './create-agent.ts'
import { type Conversation, openConversation } from './open-conversation.ts'
import { type CallCancellation, runTurn, type TurnOptions } from './run-turn.ts'
import { createScriptedModel } from './scripted-model.ts'
import { letOthersWork } from './slow-store.support.ts'

const GO = [{ type: 'text', text: 'Go.' }] as const
const { signal } = new AbortController()

/** A conversation whose store refuses each event that matches, like a full disk. */
async function openRefusing(isRefused: (event: ConversationEvent) => boolean): Promise<{
  conversation: Conversation
  types: () => readonly string[]
}> {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const conversation = await openConversation(
    {
      ...store,
      append: async (id, end, events) => {
        if (events.some((entry) => isRefused('event' in entry ? entry.event : entry)))
          throw new Error('disk full')
        return await store.append(id, end, events)
      },
    },
    'c',
  )
  return { conversation, types: () => conversation.events().map(({ event }) => event.type) }
}

const call = (id: string): ToolCall => ({ id, name: 'read', arguments: {} })
const resultOf = (id: string): ToolResult => ({ ...createSuccessResult([]), id })

/** The calls of a turn, one of which is answered once by a person, and a call that runs until it is aborted. */
function watchCalls(): {
  done: string[]
  executor: TurnOptions['executor']
  callCancellation: CallCancellation
} {
  const done: string[] = []
  let answers = 1
  return {
    done,
    executor: {
      definitions: () => [],
      execute: async ({ id }, context) => {
        if (id === 'b' && !context.signal.aborted) await once(context.signal, 'abort')
        // A tool takes its time to end.
        if (id === 'b') await new Promise(setImmediate)
        done.push(`call ${id}`)
        return resultOf(id)
      },
      answerWaiting: async () =>
        answers-- > 0 ? { call: call('answered'), result: resultOf('answered') } : undefined,
      endTurn: async () => void done.push('end of the turn'),
    },
    callCancellation: { begin: () => signal, end: () => void done.push('end of the calls') },
  }
}

test.for<[string, (event: ConversationEvent) => boolean, readonly string[]]>([
  ['message of the model', ({ type }) => type === 'assistant_message', ['end of the turn']],
  [
    'result of a call beside one that runs',
    (event) => event.type === 'tool_result' && event.result.id === 'a',
    ['call a', 'call b', 'end of the calls', 'end of the turn'],
  ],
  [
    'delivery of a result beside a call that runs',
    ({ type }) => type === 'delivery',
    ['call a', 'call b', 'end of the calls', 'end of the turn'],
  ],
])(
  'if the %s cannot be stored, the turn rejects with the reason, after its calls have ended',
  async ([, isRefused, ended]) => {
    const { conversation, types } = await openRefusing(isRefused)
    const { done, ...parts } = watchCalls()
    let requests = 0
    const turn = runTurn(GO, {
      ...parts,
      conversation,
      context: { signal, root: '/' },
      model: async function* say() {
        requests += 1
        const calls = [call('a'), call('b')]
        const content = [{ type: 'text', text: 'Hm.' } as const]
        yield { type: 'message', message: { role: 'assistant', content, calls } }
      },
    })
    await expect(turn).rejects.toThrow('disk full')
    expect(done).toEqual(ended)
    expect(requests).toBe(1)
    // The host has written everything that it will write.
    const before = types()
    await new Promise(setImmediate)
    expect(types()).toEqual(before)
  },
)

test.for<[string, (event: ConversationEvent) => boolean]>([
  ['message of the person', ({ type }) => type === 'turn_start'],
  ['call', ({ type }) => type === 'tool_call'],
])('if the %s cannot be stored, no call runs', async ([, isRefused]) => {
  const { conversation } = await openRefusing(isRefused)
  const { done, ...parts } = watchCalls()
  const model = createScriptedModel([{ text: '', calls: [call('a')] }])
  const turn = runTurn(GO, { ...parts, conversation, context: { signal, root: '/' }, model })
  await expect(turn).rejects.toThrow('disk full')
  expect(done.filter((each) => each.startsWith('call'))).toEqual([])
})

test.for<[string, (event: ConversationEvent) => boolean]>([
  ['call', (event) => event.type === 'tool_call' && event.call.id === 'answered'],
  ['delivery', (event) => event.type === 'delivery' && event.callId === 'answered'],
])(
  'if the %s with which a person answered a live call cannot be stored, the turn rejects with the reason',
  async ([, isRefused]) => {
    const { conversation } = await openRefusing(isRefused)
    const { done, ...parts } = watchCalls()
    let requests = 0
    const turn = runTurn(GO, {
      ...parts,
      conversation,
      context: { signal, root: '/' },
      model: async function* say() {
        requests += 1
        yield { type: 'message', message: { role: 'assistant', content: [], calls: [call('a')] } }
      },
    })
    await expect(turn).rejects.toThrow('disk full')
    expect(requests).toBe(1)
    expect(done).toEqual(['call a', 'end of the calls', 'end of the turn'])
  },
)

const sure = booleanQuestion({ id: 'sure', text: 'Sure?' })

test.for<[string, (event: ConversationEvent) => boolean, 'decide' | 'approve' | 'user']>([
  ['decision of a rule', ({ type }) => type === 'approval', 'decide'],
  ['decision of a person', ({ type }) => type === 'approval', 'approve'],
  ['question', ({ type }) => type === 'question', 'user'],
  ['answer', ({ type }) => type === 'answer', 'user'],
])('if the %s cannot be stored, its call has no effect', async ([, isRefused, port]) => {
  const { conversation } = await openRefusing(isRefused)
  const effects: string[] = []
  const tool: Tool = {
    name: 'read',
    inputSchema: { type: 'object' },
    execute: async (_call, { answers }) => {
      const isAsked = port === 'user' && answers['sure'] === undefined
      if (!isAsked) effects.push('read')
      return createSuccessResult(isAsked ? [{ type: 'question', question: sure }] : [])
    },
  }
  const entry: ToolEntry = { tool, policy: port === 'user' ? 'unattended' : 'ask' }
  const agent = createAgent({
    model: createScriptedModel([{ text: '', calls: [call('a')] }]),
    conversation,
    root: '/',
    tools: () => [entry],
    people: {
      decide: decideByRules(port === 'decide' ? ['allow read'] : []),
      approve: async () => ({ decision: 'allowed' }),
      user: async () => ({ action: 'accept', value: true }),
    },
  })
  expect(await agent.runTurn(GO, { signal })).toBe('completed')
  expect(effects).toEqual([])
  const result = conversation.events().find(({ event }) => event.type === 'tool_result')
  expect(result).toMatchObject({ event: { result: { id: 'a', isError: true } } })
  expect(JSON.stringify(result)).toContain('disk full')
})

test('if a turn fails while a question waits, the question stays open for the host that resumes the turn', async () => {
  const { conversation } = await openRefusing(
    (event) => event.type === 'tool_result' && event.result.id === 'a',
  )
  const asked = Promise.withResolvers<void>()
  const quick: Tool = {
    name: 'read',
    inputSchema: { type: 'object' },
    execute: async () => {
      await asked.promise
      return createSuccessResult([])
    },
  }
  const asks: Tool = {
    name: 'ask',
    inputSchema: { type: 'object' },
    execute: async () => createSuccessResult([{ type: 'question', question: sure }]),
  }
  const agent = createAgent({
    model: createScriptedModel([
      { text: '', calls: [call('a'), { id: 'b', name: 'ask', arguments: {} }] },
    ]),
    conversation,
    root: '/',
    tools: () => [quick, asks].map((tool): ToolEntry => ({ tool, policy: 'unattended' })),
    waiting: { onOpen: () => asked.resolve() },
  })
  await expect(agent.runTurn(GO, { signal })).rejects.toThrow('disk full')
  const storage = conversation.store.documents
  expect((await listPendingQuestions({}, { storage })).questions).toMatchObject([
    { state: 'open', call: { id: 'b' } },
  ])
})

test('if the result of a later call cannot be stored, the turn rejects once the calls before it have ended', async () => {
  const refused = Promise.withResolvers<void>()
  const { conversation } = await openRefusing((event) => {
    const isRefused = event.type === 'tool_result' && event.result.id === 'b'
    if (isRefused) refused.resolve()
    return isRefused
  })
  const { executor, callCancellation } = watchCalls()
  const turn = runTurn(GO, {
    callCancellation,
    executor: {
      ...executor,
      execute: async ({ id }) => {
        if (id === 'a') await refused.promise
        // Until then, nobody waits for the other call.
        if (id === 'a') await letOthersWork()
        return resultOf(id)
      },
    },
    conversation,
    context: { signal, root: '/' },
    model: createScriptedModel([{ text: '', calls: [call('a'), call('b')] }]),
  })
  await expect(turn).rejects.toThrow('disk full')
  expect(conversation.events().map(({ event }) => event.type)).toContain('tool_result')
})

test.for<['answer' | 'tool_result', 'resumed' | 'left']>([
  ['answer', 'resumed'],
  ['tool_result', 'left'],
])(
  'if the %s of a question cannot be stored when its turn is %s, the call is not made, and the turn rejects',
  async ([type, how]) => {
    let isFull = false
    const { conversation } = await openRefusing((event) => isFull && event.type === type)
    const runs: unknown[] = []
    const asks: Tool = {
      name: 'read',
      inputSchema: { type: 'object' },
      execute: async (_call, { answers }) => {
        runs.push(answers)
        return createSuccessResult([{ type: 'question', question: sure }])
      },
    }
    const requests: unknown[] = []
    const agent = createAgent({
      model: async function* say(request) {
        requests.push(request)
        yield { type: 'message', message: { role: 'assistant', content: [], calls: [call('a')] } }
      },
      conversation,
      root: '/',
      tools: () => [{ tool: asks, policy: 'unattended' }],
      waiting: { whenUnanswered: 'park' },
    })
    expect(await agent.runTurn(GO, { signal })).toBe('parked')
    const options = { storage: conversation.store.documents }
    const { questions } = await listPendingQuestions({}, options)
    if (how === 'resumed') {
      const personAnswer = { answer: { action: 'accept', value: true }, by: 'page' } as const
      await answerPendingQuestion(questions[0]!, personAnswer, options)
    }
    isFull = true
    const next = how === 'resumed' ? agent.resumeTurn({ signal }) : agent.runTurn(GO, { signal })
    await expect(next).rejects.toThrow('disk full')
    expect(runs).toEqual([{}])
    expect(requests).toHaveLength(1)
  },
)
