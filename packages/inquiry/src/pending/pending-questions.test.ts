import { openStore } from '@toolblocks/conversation-store'
import { booleanQuestion, type JsonValue } from '@toolblocks/protocol'
import { MAX_JSON_DEPTH } from '@toolblocks/protocol/internal'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isPendingQuestion, type PendingQuestion, toPresentState } from './pending-question.ts'
import {
  answerPendingQuestion,
  awaitPendingQuestion,
  listPendingQuestions,
  openPendingQuestion,
  type PendingOptions,
  readPendingQuestion,
  settlePendingQuestion,
  toAnswer,
} from './pending-questions.ts'

const { signal } = new AbortController()

/** Storage, and a clock that the test sets. */
async function openStorage(): Promise<PendingOptions & { clock: { ms: number } }> {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const clock = { ms: Date.parse('2026-01-01T00:00:00Z') }
  return { storage: store.documents, now: () => new Date(clock.ms), clock }
}

const sure = booleanQuestion({ id: 'sure', text: 'Delete it?' })

async function ask(
  options: PendingOptions,
  overrides: Partial<PendingQuestion> & {
    expireMs?: number
  } = {},
): Promise<PendingQuestion> {
  return await openPendingQuestion(
    {
      kind: 'question',
      call: { id: 'call', name: 'delete', arguments: {} },
      conversation: 'c',
      turn: 1,
      request: sure,
      blocks: [],
      isLocal: false,
      isRepeatable: true,
      definition: '',
      host: 'one',
      ...overrides,
    },
    options,
  )
}

/** A question of the conversation in which `ask` asks. */
const toKey = (id: string) => ({ conversation: 'c', id })

const yes = { answer: { action: 'accept', value: true }, by: 'page' } as const
const no = { answer: { action: 'decline' }, by: 'command' } as const

test('an open question has a short id, its time and its deadline, and is listed', async () => {
  const options = await openStorage()
  const question = await ask(options, { expireMs: 60_000 })
  expect(question).toMatchObject({
    id: expect.stringMatching(/^[a-z2-9]{8}$/) as string,
    state: 'open',
    askedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-01T00:01:00.000Z',
  })
  expect(await readPendingQuestion(question.id, options)).toEqual(question)
  expect(await listPendingQuestions({ state: 'open' }, options)).toEqual({
    questions: [question],
    unreadable: [],
  })
})

test('an answer for another conversation finds no question, and changes and tells nothing', async () => {
  const options = await openStorage()
  const ann = await ask(options, {
    conversation: 'ann',
    blocks: [{ type: 'text', text: 'of ann' }],
  })
  const ofBob = { conversation: 'bob', id: ann.id }
  expect(await answerPendingQuestion(ofBob, yes, options)).toEqual({ ok: false, why: 'unknown' })
  expect(await readPendingQuestion(ann.id, options)).toEqual(ann)
  expect(await answerPendingQuestion(ann, yes, options)).toMatchObject({ ok: true })
  expect(await answerPendingQuestion(ofBob, no, options)).toEqual({ ok: false, why: 'unknown' })
})

test('the first valid answer counts, and a later one learns how the question was answered', async () => {
  const options = await openStorage()
  const asked = await ask(options)
  const { id } = asked
  const invalid = { answer: { action: 'accept', value: 'yes' }, by: 'page' } as const
  expect(await answerPendingQuestion(toKey(id), invalid, options)).toEqual({
    ok: false,
    why: 'invalid',
    question: asked,
    problems: [expect.objectContaining({ message: expect.any(String) as string })],
  })
  const answers = await Promise.all([
    answerPendingQuestion(toKey(id), yes, options),
    answerPendingQuestion(toKey(id), no, options),
  ])
  const [counted, ...late] = answers.toSorted((one, other) => Number(other.ok) - Number(one.ok))
  const settled = await readPendingQuestion(id, options)
  expect(counted).toEqual({ ok: true, question: settled })
  expect(late).toEqual([{ ok: false, why: 'settled', question: settled }])
  expect(await answerPendingQuestion(toKey(id), no, options)).toMatchObject({ why: 'settled' })
})

test('a declined question has the comment of the person', async () => {
  const options = await openStorage()
  const { id } = await ask(options)
  const declined = await answerPendingQuestion(toKey(id), { ...no, reason: 'not today' }, options)
  expect(declined).toMatchObject({
    question: { state: 'declined', settled: { by: 'command', reason: 'not today' } },
  })
})

test('a question that does not exist, and one that only its own host may ask, cannot be answered', async () => {
  const options = await openStorage()
  expect(await answerPendingQuestion(toKey('nothing'), yes, options)).toEqual({
    ok: false,
    why: 'unknown',
  })
  const question = await ask(options, { isLocal: true })
  expect(await answerPendingQuestion(question, yes, options)).toEqual({
    ok: false,
    why: 'local',
    question,
    problems: [],
  })
  expect(await readPendingQuestion(question.id, options)).toEqual(question)
})

test('after its deadline a question has expired, whoever reads it, and no answer counts', async () => {
  const options = await openStorage()
  const { id } = await ask(options, { expireMs: 1000 })
  options.clock.ms += 1000
  expect(await readPendingQuestion(id, options)).toMatchObject({ state: 'expired' })
  expect((await listPendingQuestions({ state: 'open' }, options)).questions).toEqual([])
  expect((await listPendingQuestions({ state: 'expired' }, options)).questions).toHaveLength(1)
  expect(await answerPendingQuestion(toKey(id), yes, options)).toMatchObject({
    ok: false,
    why: 'settled',
  })
  // The clock is set back after somebody has stored the expiry.
  expect(await settlePendingQuestion(id, { state: 'withdrawn', by: 'one' }, options)).toMatchObject(
    {
      ok: false,
      question: { state: 'expired' },
    },
  )
  options.clock.ms -= 5000
  expect(await readPendingQuestion(id, options)).toMatchObject({ state: 'expired' })
})

test('who waits for a question receives it when it is answered, expires or is withdrawn', async () => {
  const options = await openStorage()
  const { id } = await ask(options)
  const waiting = awaitPendingQuestion(id, { ...options, signal })
  await answerPendingQuestion(toKey(id), yes, options)
  expect(await waiting).toMatchObject({ state: 'answered' })
  const timed = await ask({ storage: options.storage }, { expireMs: 20 })
  expect(await awaitPendingQuestion(timed.id, { storage: options.storage, signal })).toMatchObject({
    state: 'expired',
  })
  const other = await ask(options)
  const withdrawn = awaitPendingQuestion(other.id, { ...options, signal })
  await settlePendingQuestion(other.id, { state: 'withdrawn', by: 'one' }, options)
  expect(await withdrawn).toMatchObject({ state: 'withdrawn' })
})

test('a wait leaves no timer behind, whether it is answered, ends, or the storage fails', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const options = await openStorage()
  const timers: number[] = []
  const watch = (failure?: Error): PendingOptions => ({
    ...options,
    storage: {
      ...options.storage,
      changed: async (...args) => {
        timers.push(vi.getTimerCount())
        if (failure) throw failure
        await options.storage.changed(...args)
        args[3].throwIfAborted()
      },
    },
  })
  const { id } = await ask(options, { expireMs: 60_000 })
  const end = new AbortController()
  const waiting = awaitPendingQuestion(id, { ...watch(), signal: end.signal })
  await vi.waitUntil(() => timers.length === 1)
  end.abort()
  expect(await waiting).toBeUndefined()
  await expect(
    awaitPendingQuestion(id, { ...watch(new Error('connection lost')), signal }),
  ).rejects.toThrow('connection lost')
  const answered = awaitPendingQuestion(id, { ...watch(), signal })
  await vi.waitUntil(() => timers.length === 3)
  await answerPendingQuestion(toKey(id), yes, options)
  expect(await answered).toMatchObject({ state: 'answered' })
  expect(timers).toEqual([1, 1, 1])
  expect(vi.getTimerCount()).toBe(0)
})

test('an answer after the deadline stores the expiry before it is refused', async () => {
  const options = await openStorage()
  const { id } = await ask(options, { expireMs: 1000 })
  options.clock.ms += 1001
  const written: string[] = []
  const slow: PendingOptions = {
    ...options,
    storage: {
      ...options.storage,
      write: async (document) => {
        await new Promise(setImmediate)
        written.push(document.state)
        return await options.storage.write(document)
      },
    },
  }
  expect(
    await settlePendingQuestion(id, { state: 'answered', value: true, by: 'page' }, slow),
  ).toMatchObject({ ok: false, question: { state: 'expired' } })
  expect(written).toEqual(['expired'])
})

test('a wait ends with its signal, and for a question that does not exist', async () => {
  const options = await openStorage()
  const { id } = await ask(options)
  const waiting = { ...options, signal: AbortSignal.timeout(20) }
  expect(await awaitPendingQuestion(id, waiting)).toBeUndefined()
  expect(await awaitPendingQuestion('nothing', { ...options, signal })).toBeUndefined()
})

test('a document of another form is listed as unreadable, and is not a question', async () => {
  const options = await openStorage()
  await options.storage.write({
    collection: 'question',
    id: 'odd',
    version: 0,
    state: 'open',
    conversation: 'c',
    value: { id: 'odd', state: 'postponed' },
  })
  const question = await ask(options)
  expect(await listPendingQuestions({}, options)).toEqual({
    questions: [question],
    unreadable: ['odd'],
  })
  expect(await readPendingQuestion('odd', options)).toBeUndefined()
})

test('more than a thousand questions are listed in the order of their asking', async () => {
  const options = await openStorage()
  const ids: string[] = []
  for (let count = 0; count < 1003; count += 1) ids.push((await ask(options)).id)
  const { questions } = await listPendingQuestions({ conversation: 'c' }, options)
  expect(questions.map(({ id }) => id)).toEqual(ids)
})

test.for<[Partial<PendingQuestion>, unknown]>([
  [{ state: 'open' }, undefined],
  [
    { state: 'answered', settled: { at: '', by: '', value: 1 } },
    { action: 'accept', value: 1 },
  ],
  [
    { state: 'answered', settled: { at: '', by: '', value: null } },
    { action: 'accept', value: null },
  ],
  [{ state: 'answered', settled: { at: '', by: '' } }, undefined],
  [{ state: 'declined' }, { action: 'decline' }],
  [{ state: 'expired' }, { action: 'cancel', reason: 'expired' }],
  [
    { state: 'withdrawn', settled: { at: '', by: '', reason: 'gone' } },
    { action: 'cancel', reason: 'withdrawn', message: 'gone' },
  ],
])('for the asking call, %j is the answer %j', async ([overrides, answer]) => {
  const question = await ask(await openStorage())
  expect(toAnswer({ ...question, ...overrides })).toEqual(answer)
})

test('a question without a deadline never expires, and a settled one stays settled', async () => {
  const question = await ask(await openStorage(), { expireMs: 1 })
  const late = new Date('2030-01-01')
  const { expiresAt: _none, ...endless } = question
  expect(toPresentState(endless, late).state).toBe('open')
  expect(toPresentState({ ...question, state: 'answered' }, late).state).toBe('answered')
  expect(toPresentState(question, late)).toMatchObject({ state: 'expired' })
})

test.for<[string, unknown]>([
  ['state', 'postponed'],
  ['kind', 'secret'],
  ['call', {}],
  ['turn', 1.5],
  ['agents', 'a'],
  ['agents', [1]],
  ['request', { id: 'x' }],
  ['blocks', [{ type: 1 }]],
  ['isLocal', 'no'],
  ['settled', { at: 1, by: '' }],
  ['expiresAt', 5],
  ['host', undefined],
])('with another %s, %j, a value is not a question', async ([key, value]) => {
  const question = await ask(await openStorage())
  expect(isPendingQuestion(question)).toBe(true)
  expect(isPendingQuestion({ ...question, [key]: value })).toBe(false)
})

const nobodyAsks = async (): Promise<boolean> => false

test('a question whose host does not ask it any more, and whose call cannot be made again, is withdrawn when it is read, and stays so', async () => {
  const options = await openStorage()
  const [read, listed, answered] = await Promise.all([
    ask(options, { isRepeatable: false }),
    ask(options, { isRepeatable: false }),
    ask(options, { isRepeatable: false }),
  ])
  const outside = { ...options, isAsked: nobodyAsks }
  const settled = {
    at: '2026-01-01T00:00:00.000Z',
    by: 'lease',
    reason: 'its host ended before an answer, and its call cannot be made again',
  }
  expect(await readPendingQuestion(read.id, outside)).toMatchObject({ state: 'withdrawn', settled })
  expect(await answerPendingQuestion(answered, yes, outside)).toMatchObject({
    ok: false,
    why: 'settled',
    question: { state: 'withdrawn' },
  })
  expect((await listPendingQuestions({ state: 'open' }, outside)).questions).toEqual([])
  expect((await listPendingQuestions({ state: 'withdrawn' }, outside)).questions).toHaveLength(3)
  expect(await readPendingQuestion(listed.id, options)).toMatchObject({
    state: 'withdrawn',
    settled,
  })
})

test('the list of withdrawn questions has those that nobody has read since their host ended', async () => {
  const options = await openStorage()
  const { id } = await ask(options, { isRepeatable: false })
  expect((await listPendingQuestions({ state: 'withdrawn' }, options)).questions).toEqual([])
  const outside = { ...options, isAsked: nobodyAsks }
  expect((await listPendingQuestions({ state: 'withdrawn' }, outside)).questions).toMatchObject([
    { id },
  ])
})

test('a question stays open if its host asks it, if its call can be made again, and if it is settled or has expired otherwise', async () => {
  const options = await openStorage()
  const asked = await ask(options, { isRepeatable: false, host: 'alive' })
  const repeatable = await ask(options, { host: 'dead' })
  const expired = await ask(options, { isRepeatable: false, host: 'dead', expireMs: 1 })
  const declined = await ask(options, { isRepeatable: false, host: 'dead' })
  await answerPendingQuestion(declined, no, options)
  options.clock.ms += 5
  const outside = {
    ...options,
    isAsked: async ({ host }: PendingQuestion) => host === 'alive',
  }
  const { questions } = await listPendingQuestions({}, outside)
  expect(questions.map(({ id, state }) => [id, state])).toEqual([
    [asked.id, 'open'],
    [repeatable.id, 'open'],
    [expired.id, 'expired'],
    [declined.id, 'declined'],
  ])
})

test('an answer that was stored while the host was checked counts', async () => {
  const options = await openStorage()
  const { id } = await ask(options, { isRepeatable: false })
  const outside = {
    ...options,
    isAsked: async () => {
      await answerPendingQuestion(toKey(id), yes, options)
      return false
    },
  }
  expect(await readPendingQuestion(id, outside)).toMatchObject({ state: 'answered' })
})

test('where nothing can be written, an abandoned question is withdrawn for its reader', async () => {
  const options = await openStorage()
  const { id } = await ask(options, { isRepeatable: false })
  const storage = {
    ...options.storage,
    write: async () => {
      throw new Error('the store is only readable')
    },
  }
  const outside = { ...options, storage, isAsked: nobodyAsks }
  expect(await readPendingQuestion(id, outside)).toMatchObject({ state: 'withdrawn' })
})

/** A value with so many levels. */
function nest(levels: number): { a?: JsonValue } {
  let value: { a?: JsonValue } = {}
  for (let level = 1; level < levels; level += 1) value = { a: value }
  return value
}

test('a question is stored, read and answered with arguments, material and an answer at the limit of depth', async () => {
  const options = await openStorage()
  const deep = nest(MAX_JSON_DEPTH)
  const block = { type: 'text', text: 'x', _meta: nest(MAX_JSON_DEPTH - 1) } as const
  const { id } = await ask(options, {
    call: { id: 'call', name: 'delete', arguments: deep },
    request: { id: 'which', text: 'Which?', schema: { type: 'object' } },
    blocks: [block],
    after: [block],
  })
  const answer = { action: 'accept', value: deep } as const
  expect(await answerPendingQuestion(toKey(id), { answer, by: 'page' }, options)).toMatchObject({
    ok: true,
  })
  expect(await readPendingQuestion(id, options)).toMatchObject({
    state: 'answered',
    call: { arguments: deep },
    blocks: [block],
    after: [block],
    settled: { value: deep },
  })
})
