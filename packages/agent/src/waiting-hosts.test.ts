import { createHash } from 'node:crypto'
import { answerPendingQuestion } from '@toolblocks/inquiry/pending'
import {
  type Answer,
  type AnswerQuestion,
  createSuccessResult,
  type Tool,
  type ToolResult,
} from '@toolblocks/protocol'
import type { ModelMessage } from '@toolblocks/formatter'
import { expect, test } from 'vitest'
import { ConversationHeld } from './hold-conversation.ts'
import { openConversation } from './open-conversation.ts'
import {
  signal,
  go,
  text,
  sure,
  createAsker,
  call,
  startHost,
  listOpen,
  answer,
  unattended,
  deleting,
  openMemory,
} from './waiting.support.ts'

test('the question of an agent parks the call that delegated, and the agent continues its own work', async () => {
  const store = await openMemory()
  const { tool, runs } = createAsker('delete', [sure])
  const tools = [unattended(tool)]
  const agents = { cleaner: { summary: 'Deletes files.' } }
  const delegate = { id: 'd', name: 'delegate', arguments: { agent: 'cleaner', task: 'Clean.' } }
  const says = [
    { text: '', calls: [delegate] },
    { text: '', calls: [call('delete')] },
  ]
  expect(await (await startHost(store, { says, tools, agents })).runTurn(go, { signal })).toBe(
    'parked',
  )
  expect(await listOpen(store)).toMatchObject([{ agents: ['cleaner'], call: { name: 'delete' } }])
  await answer(store, true)
  const last = await startHost(store, {
    says: [
      { text: 'It is clean.', calls: [] },
      { text: 'Done.', calls: [] },
    ],
    tools,
    agents,
  })
  expect(await last.resumeTurn({ signal })).toBe('completed')
  expect(runs).toEqual([{}, { sure: true }])
  const { events } = await store.read('c', { limit: Infinity })
  const results = events.flatMap(({ event }) => (event.type === 'tool_result' ? event.result : []))
  expect(results).toMatchObject([{ id: 'd', content: [text('It is clean.')] }])
  expect((await store.list()).conversations).toHaveLength(2)
})

test('if a host must end, its question stays open, also that of an agent, and another host continues', async () => {
  const store = await openMemory()
  const { tool, runs } = createAsker('delete', [sure])
  const tools = [unattended(tool)]
  const agents = { cleaner: { summary: 'Deletes files.' } }
  const delegate = { id: 'd', name: 'delegate', arguments: { agent: 'cleaner', task: 'Clean.' } }
  const says = [
    { text: '', calls: [delegate] },
    { text: '', calls: [call('delete')] },
  ]
  const ending = new AbortController()
  const first = await startHost(store, {
    says,
    tools,
    agents,
    waiting: {
      onOpen: () => ending.abort('must end'),
      staysOpen: (reason) => reason === 'must end',
    },
  })
  expect(await first.runTurn(go, { signal: ending.signal })).toBe('parked')
  expect(await listOpen(store)).toHaveLength(1)
  await answer(store, true)
  const last = await startHost(store, { tools, agents })
  expect(await last.resumeTurn({ signal })).toBe('completed')
  expect(runs).toEqual([{}, { sure: true }])
})

test('parallel calls ask in the store at the same time, and the person at this host one after the other', async () => {
  const store = await openMemory()
  const askers = ['one', 'two', 'three'].map((name) => createAsker(name, [{ ...sure, id: name }]))
  const asked: string[] = []
  const prompted = Promise.withResolvers<void>()
  const decided = Promise.withResolvers<Answer>()
  const user: AnswerQuestion = async ({ id }) => {
    asked.push(id)
    prompted.resolve()
    return await decided.promise
  }
  const host = await startHost(store, {
    says: [{ text: '', calls: askers.map(({ tool }) => call(tool.name)) }],
    tools: askers.map(({ tool }) => unattended(tool)),
    waiting: {},
    people: { user },
  })
  const turn = host.runTurn(go, { signal })
  await prompted.promise
  await expect.poll(async () => (await listOpen(store)).length).toBe(3)
  const waiting = (await listOpen(store)).find(({ call: { name } }) => name === 'two')
  const personAnswer = { answer: { action: 'accept', value: false }, by: 'page' } as const
  await answerPendingQuestion({ conversation: 'c', id: waiting?.id ?? '' }, personAnswer, {
    storage: store.documents,
  })
  await expect.poll(() => askers[1]?.runs.length).toBe(2)
  expect(asked).toEqual(['one'])
  decided.resolve({ action: 'accept', value: true })
  expect(await turn).toBe('completed')
  expect(asked).toEqual(['one', 'three'])
})

test('if a turn is cancelled, its question is withdrawn', async () => {
  const store = await openMemory()
  const { tool } = createAsker('delete', [sure])
  const cancelling = new AbortController()
  const host = await startHost(store, {
    says: deleting,
    tools: [unattended(tool)],
    waiting: { onOpen: () => cancelling.abort(), staysOpen: (reason) => reason === 'must end' },
  })
  expect(await host.runTurn(go, { signal: cancelling.signal })).toBe('aborted')
  expect(await listOpen(store)).toEqual([])
})

test('a host that loses its conversation to another one does not withdraw the question that the other one asks', async () => {
  const store = await openMemory()
  const { tool, runs } = createAsker('delete', [sure])
  const tools = [unattended(tool)]
  const opened = Promise.withResolvers<void>()
  // A lease that a busy machine cannot let end. The first host learns of its loss at its next renewal, after a third of it.
  const durationMs = 3000
  const one = await startHost(store, {
    says: deleting,
    tools,
    waiting: { onOpen: () => opened.resolve() },
    host: { holder: 'one', durationMs },
  })
  const lost = one.runTurn(go, { signal })
  await opened.promise
  const two = await startHost(store, {
    tools,
    waiting: {},
    host: { holder: 'two', durationMs, isGone: () => true },
  })
  const continued = two.resumeTurn({ signal })
  expect(await lost).toBe('parked')
  expect(await listOpen(store)).toHaveLength(1)
  await answer(store, true)
  expect(await continued).toBe('completed')
  expect(runs.at(-1)).toEqual({ sure: true })
})

test('while a host runs a turn, no other host runs one of the same conversation', async () => {
  const store = await openMemory()
  const hold = Promise.withResolvers<ToolResult>()
  const started = Promise.withResolvers<void>()
  const tool: Tool = {
    name: 'delete',
    inputSchema: { type: 'object' },
    execute: async () => {
      started.resolve()
      return await hold.promise
    },
  }
  const tools = [unattended(tool)]
  const host = { durationMs: 3000 }
  const one = await startHost(store, { says: deleting, tools, host: { ...host, holder: 'one' } })
  const turn = one.runTurn(go, { signal })
  await started.promise
  const two = await startHost(store, { tools, host: { ...host, holder: 'two' } })
  const refused = two.runTurn(go, { signal })
  await expect(refused).rejects.toThrow(ConversationHeld)
  await expect(refused).rejects.toMatchObject({ conversation: 'c', holder: 'one' })
  hold.resolve(createSuccessResult([text('deleted')]))
  expect(await turn).toBe('completed')
  // It has the events of the first host now.
  expect(await two.runTurn(go, { signal })).toBe('completed')
})

test('results that a killed host stored are delivered on resuming, within the budget, with those of the calls beside them', async () => {
  const store = await openMemory()
  const conversation = await openConversation(store, 'c')
  const made = ['one', 'two', 'three'].map(
    (name) => ({ type: 'tool_call', call: call(name) }) as const,
  )
  const done = createSuccessResult([text('word '.repeat(400))], 'of two')
  await conversation.record(
    { type: 'turn_start', turn: 1 },
    { type: 'user_message', content: go },
    ...made,
    { type: 'tool_result', result: done },
  )
  const requests: (readonly ModelMessage[])[] = []
  const host = await startHost(store, {
    tools: [],
    delivery: { perResult: 500 },
    model: async function* say({ messages }) {
      requests.push(messages)
      yield { type: 'message', message: { role: 'assistant', content: [text('Done.')], calls: [] } }
    },
  })
  expect(await host.resumeTurn({ signal })).toBe('completed')
  expect(requests).toHaveLength(1)
  const [, asked, toolMessage] = requests[0] ?? []
  expect(asked).toMatchObject({ calls: made.map(({ call: { id } }) => ({ id })) })
  const results = toolMessage?.role === 'tool' ? toolMessage.results : []
  expect(results.map(({ result }) => result)).toMatchObject([
    { id: 'of one', isError: true },
    done,
    { id: 'of three', isError: true },
  ])
  expect(
    results.every(({ text: delivered }) => delivered !== undefined && delivered.length < 1000),
  ).toBe(true)
  const { events } = await store.read('c', { limit: Infinity })
  const delivered = events.flatMap(({ event }) => (event.type === 'delivery' ? event.callId : []))
  expect(delivered).toEqual(['of one', 'of two', 'of three'])
  expect(events.filter(({ event }) => event.type === 'tool_result')).toHaveLength(3)
})

test('a file that a killed host read and did not deliver is delivered in full on resuming', async () => {
  const store = await openMemory()
  const conversation = await openConversation(store, 'c')
  const file = { uri: 'file:///a.txt', text: 'word '.repeat(400), mimeType: 'text/plain' }
  const sha256 = createHash('sha256').update(file.text).digest('hex')
  const identity = { uri: file.uri, sha256, bytes: file.text.length }
  await conversation.record(
    { type: 'turn_start', turn: 1 },
    { type: 'user_message', content: go },
    { type: 'tool_call', call: call('one') },
    {
      type: 'tool_result',
      result: {
        id: 'of one',
        content: [{ type: 'resource', resource: file }],
        isError: false,
        metadata: { outcome: 'completed', resources: [identity] },
      },
    },
  )
  const requests: (readonly ModelMessage[])[] = []
  const host = await startHost(store, {
    tools: [],
    model: async function* say({ messages }) {
      requests.push(messages)
      yield { type: 'message', message: { role: 'assistant', content: [text('Done.')], calls: [] } }
    },
  })
  expect(await host.resumeTurn({ signal })).toBe('completed')
  expect(requests.flat().at(-1)).toMatchObject({
    results: [{ text: expect.stringContaining(file.text), deliveries: [{ form: 'full' }] }],
  })
})
