import { listPendingQuestions, type PendingQuestion } from '@toolblocks/inquiry/pending'
import {
  type AnswerQuestion,
  booleanQuestion,
  createSuccessResult,
  type InputRequest,
  type Tool,
} from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import type { TurnEvent } from './run-turn.ts'
import {
  signal,
  go,
  text,
  sure,
  createAsker,
  call,
  startHost,
  storage,
  listOpen,
  answer,
  readStory,
  unattended,
  deleting,
  openMemory,
} from './waiting.support.ts'

test('a parked question ends the turn without a result, and shows everything that a person needs', async () => {
  const store = await openMemory()
  const { tool } = createAsker('delete', [sure])
  const moments: TurnEvent[] = []
  const agent = await startHost(store, { says: deleting, tools: [unattended(tool)] })
  expect(await agent.runTurn(go, { signal, show: (each) => void moments.push(each) })).toBe(
    'parked',
  )
  expect(moments.at(-1)).toMatchObject({ type: 'parked', call: { id: 'of delete' } })
  expect(await readStory(store)).toEqual(['user_message', 'tool_call', 'question sure'])
  expect(await listOpen(store)).toMatchObject([
    {
      state: 'open',
      kind: 'question',
      call: call('delete'),
      conversation: 'c',
      turn: 1,
      request: { id: 'sure', text: 'Really delete it?' },
      blocks: [text('about delete')],
      isLocal: false,
      isRepeatable: true,
    },
  ])
})

test('after a late answer, another host makes the call again with all its answers, and the turn ends', async () => {
  const store = await openMemory()
  const how = booleanQuestion({ id: 'how', text: 'For ever?' })
  const { tool, runs } = createAsker('delete', [sure, how])
  const tools = [unattended(tool)]
  await (await startHost(store, { says: deleting, tools })).runTurn(go, { signal })
  expect(await answer(store, true)).toMatchObject({ ok: true })
  // The second question of the same result parks the call again.
  expect(await (await startHost(store, { tools })).resumeTurn({ signal })).toBe('parked')
  expect(await answer(store, false)).toMatchObject({ ok: true })
  const last = await startHost(store, { tools })
  expect(await last.resumeTurn({ signal })).toBe('completed')
  expect(runs).toEqual([{}, { sure: true }, { sure: true, how: false }])
  expect(await readStory(store)).toEqual([
    'user_message',
    'tool_call',
    'question sure',
    'answer accept',
    'question how',
    'answer accept',
    'of delete: completed',
    'assistant_message',
  ])
  expect(await last.resumeTurn({ signal })).toBeUndefined()
})

test('while a question is open, a host that asks nobody leaves it open, and does not make the call', async () => {
  const store = await openMemory()
  const { tool, runs } = createAsker('delete', [sure])
  const tools = [unattended(tool)]
  await (await startHost(store, { says: deleting, tools })).runTurn(go, { signal })
  const before = await listOpen(store)
  expect(await (await startHost(store, { tools })).resumeTurn({ signal })).toBe('parked')
  expect(runs).toHaveLength(1)
  expect(await listOpen(store)).toEqual(before)
})

test('a host with a person asks the question that waits, under the same id', async () => {
  const store = await openMemory()
  const { tool } = createAsker('delete', [sure])
  const tools = [unattended(tool)]
  await (await startHost(store, { says: deleting, tools })).runTurn(go, { signal })
  const [waiting] = await listOpen(store)
  const asked: string[] = []
  const user: AnswerQuestion = async ({ id }) => {
    asked.push(id)
    return { action: 'accept', value: true }
  }
  const agent = await startHost(store, { tools, people: { user } })
  expect(await agent.resumeTurn({ signal })).toBe('completed')
  expect(asked).toEqual(['sure'])
  const { questions } = await listPendingQuestions({}, storage(store))
  expect(questions).toMatchObject([
    { id: waiting?.id, state: 'answered', settled: { value: true } },
  ])
})

test('calls beside a parked one have their results, and run once', async () => {
  const store = await openMemory()
  const [one, other] = [createAsker('delete', [sure]), createAsker('read', [])]
  const tools = [unattended(one.tool), unattended(other.tool)]
  const says = [{ text: '', calls: [call('delete'), call('read')] }]
  expect(await (await startHost(store, { says, tools })).runTurn(go, { signal })).toBe('parked')
  await answer(store, true)
  expect(await (await startHost(store, { tools })).resumeTurn({ signal })).toBe('completed')
  expect(other.runs).toHaveLength(1)
  expect(one.runs).toHaveLength(2)
})

test.for([
  [true, ['allowed', 'of delete: completed'], 1],
  [false, ['denied', 'of delete: denied'], 0],
] as const)(
  'an approval that is answered with %s later runs the tool %#',
  async ([value, story, times]) => {
    const store = await openMemory()
    const { tool, runs } = createAsker('delete', [])
    const tools = [{ tool }]
    expect(await (await startHost(store, { says: deleting, tools })).runTurn(go, { signal })).toBe(
      'parked',
    )
    expect(await listOpen(store)).toMatchObject([
      { kind: 'approval', call: { arguments: { path: 'a.txt' } } },
    ])
    await answer(store, value)
    expect(await (await startHost(store, { tools })).resumeTurn({ signal })).toBe('completed')
    expect(runs).toHaveLength(times)
    expect(await readStory(store)).toEqual([
      'user_message',
      'tool_call',
      ...story,
      'assistant_message',
    ])
  },
)

test('after an approval, a question of the same call waits too, and the approval counts when it is answered', async () => {
  const store = await openMemory()
  const { tool, runs } = createAsker('delete', [sure])
  const tools = [{ tool }]
  await (await startHost(store, { says: deleting, tools })).runTurn(go, { signal })
  await answer(store, true)
  expect(await (await startHost(store, { tools })).resumeTurn({ signal })).toBe('parked')
  await answer(store, true)
  expect(await (await startHost(store, { tools })).resumeTurn({ signal })).toBe('completed')
  expect(runs).toEqual([{}, { sure: true }])
  expect((await readStory(store)).filter((each) => each === 'allowed')).toHaveLength(1)
})

test('a question that nobody answers in time expires, which is no decline', async () => {
  const store = await openMemory()
  const { tool } = createAsker('delete', [sure])
  const tools = [unattended(tool)]
  const waiting = { whenUnanswered: 'park', expireMs: () => 1 } as const
  await (await startHost(store, { says: deleting, tools, waiting })).runTurn(go, { signal })
  await expect.poll(async () => (await listOpen(store)).length).toBe(0)
  expect(await (await startHost(store, { tools, waiting })).resumeTurn({ signal })).toBe(
    'completed',
  )
  const story = await readStory(store)
  expect(story).toContain('answer expired')
  expect(story).toContain('of delete: timeout')
})

test('if the tool has changed, its open question takes no answer any more before the call is made again', async () => {
  const store = await openMemory()
  const { tool } = createAsker('delete', [sure])
  const first = await startHost(store, { says: deleting, tools: [unattended(tool)] })
  await first.runTurn(go, { signal })
  const [asked] = await listOpen(store)
  const open: (string | undefined)[] = []
  const watched: typeof store = {
    ...store,
    append: async (...args) => {
      open.push(...(await listOpen(store)).map(({ id }) => id))
      return await store.append(...args)
    },
  }
  const tools = [unattended({ ...tool, description: 'Deletes everything.' })]
  expect(await (await startHost(watched, { tools })).resumeTurn({ signal })).toBe('parked')
  expect(asked?.id).toBeDefined()
  expect(open).not.toContain(asked?.id)
  const { questions } = await listPendingQuestions({}, storage(store))
  expect(questions.map(({ state }) => state)).toEqual(['withdrawn', 'open'])
})

test('if the tool has changed since the question, a late answer does not count, and the question is asked again', async () => {
  const store = await openMemory()
  const { tool } = createAsker('delete', [sure])
  await (
    await startHost(store, { says: deleting, tools: [unattended(tool)] })
  ).runTurn(go, { signal })
  await answer(store, true)
  const changed = createAsker('delete', [sure])
  const tools = [unattended({ ...changed.tool, description: 'Deletes everything.' })]
  expect(await (await startHost(store, { tools })).resumeTurn({ signal })).toBe('parked')
  expect(changed.runs).toEqual([{}])
  expect(await listOpen(store)).toHaveLength(1)
  await answer(store, true)
  expect(await (await startHost(store, { tools })).resumeTurn({ signal })).toBe('completed')
  expect(changed.runs).toEqual([{}, { sure: true }])
})

test('a call that ran when its host ended may have been executed, and is not made again', async () => {
  const store = await openMemory()
  const started = Promise.withResolvers<void>()
  let runs = 0
  const tool: Tool = {
    name: 'delete',
    inputSchema: { type: 'object' },
    execute: async (_call, { answers }) => {
      runs += 1
      if (answers['sure'] === undefined)
        return createSuccessResult([{ type: 'question', question: sure }])
      started.resolve()
      return await new Promise(() => {})
    },
  }
  const tools = [unattended(tool)]
  await (await startHost(store, { says: deleting, tools })).runTurn(go, { signal })
  await answer(store, true)
  const gone = await startHost(store, { tools, host: { holder: 'gone', durationMs: 60_000 } })
  void gone.resumeTurn({ signal }).catch(() => undefined)
  await started.promise
  const next = await startHost(store, {
    tools,
    host: { holder: 'next', durationMs: 60_000, isGone: (holder) => holder === 'gone' },
  })
  expect(await next.resumeTurn({ signal })).toBe('completed')
  expect(runs).toBe(2)
  const { events } = await store.read('c', { limit: Infinity })
  expect(events.findLast(({ event }) => event.type === 'tool_result')?.event).toMatchObject({
    result: {
      content: [text(expect.stringMatching(/A part of the work may be done/) as string)],
      metadata: { outcome: 'cancelled' },
    },
  })
})

test('of an answer here and one from elsewhere, the first valid one counts', async () => {
  const store = await openMemory()
  const { tool, runs } = createAsker('delete', [sure])
  const settled: PendingQuestion[] = []
  const prompted = Promise.withResolvers<void>()
  const user: AnswerQuestion = async (_request, context) => {
    prompted.resolve()
    return await new Promise((done) => {
      context.signal.addEventListener('abort', () => done({ action: 'cancel', reason: 'aborted' }))
    })
  }
  const agent = await startHost(store, {
    says: deleting,
    tools: [unattended(tool)],
    people: { user },
    waiting: { onSettledElsewhere: (question) => void settled.push(question) },
  })
  const turn = agent.runTurn(go, { signal })
  await prompted.promise
  expect(await answer(store, 'perhaps')).toMatchObject({ ok: false, why: 'invalid' })
  const [one, other] = await Promise.all([
    answer(store, true, 'page'),
    answer(store, false, 'command'),
  ])
  expect([one.ok, other.ok].filter(Boolean)).toHaveLength(1)
  expect(await turn).toBe('completed')
  expect(runs.at(-1)).toEqual({ sure: one.ok })
  expect(settled).toMatchObject([{ state: 'answered' }])
})

test('a secret is answered only where it is asked, and is not stored', async () => {
  const store = await openMemory()
  const key: InputRequest = {
    id: 'key',
    text: 'API key?',
    schema: { type: 'string', format: 'password' },
  }
  const { tool, runs } = createAsker('delete', [key])
  const tools = [unattended(tool)]
  await (await startHost(store, { says: deleting, tools })).runTurn(go, { signal })
  expect(await answer(store, 'hunter2')).toMatchObject({ ok: false, why: 'local' })
  const user: AnswerQuestion = async () => ({ action: 'accept', value: 'hunter2' })
  const agent = await startHost(store, { tools, people: { user } })
  expect(await agent.resumeTurn({ signal })).toBe('completed')
  expect(runs.at(-1)).toEqual({ key: 'hunter2' })
  const { questions } = await listPendingQuestions({}, storage(store))
  expect(JSON.stringify(questions)).not.toContain('hunter2')
})

test('a new message withdraws the questions that wait, and the model learns it', async () => {
  const store = await openMemory()
  const { tool } = createAsker('delete', [sure])
  const tools = [unattended(tool)]
  await (await startHost(store, { says: deleting, tools })).runTurn(go, { signal })
  const open: unknown[] = []
  const watched: typeof store = {
    ...store,
    append: async (...args) => {
      open.push(...(await listOpen(store)))
      return await store.append(...args)
    },
  }
  expect(await (await startHost(watched, { tools })).runTurn(go, { signal })).toBe('completed')
  const { questions } = await listPendingQuestions({}, storage(store))
  expect(questions).toMatchObject([{ state: 'withdrawn' }])
  // No answer counts once the call has its result.
  expect(open).toEqual([])
  const { events } = await store.read('c', { limit: Infinity })
  expect(events.findLast(({ event }) => event.type === 'tool_result')?.event).toMatchObject({
    result: {
      content: [
        text('about delete'),
        text(
          'The tool asked "Really delete it?" (sure), and the question was withdrawn: the conversation continued without an answer.',
        ),
      ],
    },
  })
})
