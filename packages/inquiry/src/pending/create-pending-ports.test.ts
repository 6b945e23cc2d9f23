import { type Answer, type InputRequest } from '@toolblocks/protocol'
import { expect, test, vi } from 'vitest'
import { SettledElsewhere } from './pending-question.ts'
import {
  answerElsewhere,
  call,
  context,
  letOthersWork,
  list,
  openPorts,
  openStorage,
  startPerson,
  sure,
  text,
  yes,
} from './pending-ports.support.ts'

test('an opened question has everything that a person elsewhere needs, and when it expires', async () => {
  const pending = await openStorage()
  const ports = openPorts(pending, {
    agents: ['cleaner'],
    people: { user: async () => yes },
    waiting: { expireMs: (tool) => (tool === 'delete' ? 60_000 : undefined) },
  })
  const source = { kind: 'elicitation', server: 'files', call } as const
  const after = [text('after it')]
  expect(await ports.user(sure, context({ source, after }))).toEqual(yes)
  const [opened] = ports.opened
  expect(opened).toEqual({
    id: expect.any(String),
    state: 'open',
    kind: 'question',
    call,
    conversation: 'c',
    turn: 3,
    agents: ['cleaner'],
    server: 'files',
    request: sure,
    blocks: [text('before it')],
    after,
    isLocal: false,
    isRepeatable: false,
    definition: 'definition of delete',
    host: 'one',
    askedAt: expect.any(String),
    expiresAt: new Date(Date.parse(opened?.askedAt ?? '') + 60_000).toISOString(),
  })
  expect(await list(pending)).toEqual([
    {
      ...opened,
      state: 'answered',
      settled: { at: expect.any(String), by: 'one', value: true },
    },
  ])
})

test('a question of a tool itself, without agents, has no fields for them', async () => {
  const pending = await openStorage()
  const ports = openPorts(pending, { people: { user: async () => ({ action: 'decline' }) } })
  expect(await ports.user(sure, context())).toEqual({ action: 'decline' })
  const [opened] = ports.opened
  expect(Object.keys(opened ?? {})).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(agents|server|after|expiresAt)$/)]),
  )
  expect(opened?.isRepeatable).toBe(true)
  expect(await list(pending)).toMatchObject([{ state: 'declined' }])
})

test.for<[string, InputRequest]>([
  ['a secret', { id: 'key', text: 'Key?', schema: { type: 'string', format: 'password' } }],
  ['a page to visit', { ...sure, url: 'https://example.com/' }],
])('the answer to %s is not stored', async ([, request]) => {
  const pending = await openStorage()
  const value = request.url === undefined ? 'hidden' : true
  const ports = openPorts(pending, {
    people: { user: async () => ({ action: 'accept', value }) },
  })
  expect(await ports.user(request, context())).toEqual({ action: 'accept', value })
  const [question] = await list(pending)
  expect(question).toMatchObject({ state: 'answered', isLocal: true })
  expect(question?.settled).toEqual({ at: expect.any(String), by: 'one' })
})

test('after an answer here, nothing waits for the store, and the same question is a new one', async () => {
  const pending = await openStorage()
  const ports = openPorts(pending, { people: { user: async () => yes } })
  for (let time = 0; time < 2; time += 1) expect(await ports.user(sure, context())).toEqual(yes)
  expect(pending.waits.map(({ aborted }) => aborted)).toEqual([true, true])
  expect(ports.still).toEqual([])
  expect(new Set((await list(pending)).map(({ id }) => id)).size).toBe(2)
})

test('after a failure of the person here, nothing waits for the store', async () => {
  const pending = await openStorage()
  const user = async (): Promise<Answer> => await Promise.reject(new Error('no terminal'))
  const ports = openPorts(pending, { people: { user } })
  await expect(ports.user(sure, context())).rejects.toThrow('no terminal')
  expect(pending.waits.map(({ aborted }) => aborted)).toEqual([true])
})

test.for<[string, boolean]>([
  ['settles', false],
  ['fails', true],
])(
  'an answer elsewhere closes the prompt here, and the call continues once it %s',
  async ([, isFailing]) => {
    const pending = await openStorage()
    const person = startPerson<Answer>()
    const ports = openPorts(pending, { people: { user: person.user } })
    const order: string[] = []
    const asking = ports.user(sure, context()).finally(() => order.push('answered'))
    const signal = await person.asked
    await answerElsewhere(pending, ports.opened[0]!)
    if (!signal.aborted) await new Promise((done) => signal.addEventListener('abort', done))
    expect(signal.reason).toBeInstanceOf(SettledElsewhere)
    expect(signal.reason.question).toMatchObject({ state: 'answered', settled: { by: 'page' } })
    await letOthersWork()
    order.push('closed')
    if (isFailing) person.fail(new Error('the prompt was closed'))
    else person.answer({ action: 'cancel', reason: 'aborted' })
    expect(await asking).toEqual(yes)
    expect(order).toEqual(['closed', 'answered'])
    expect(ports.elsewhere).toMatchObject([{ state: 'answered' }])
  },
)

test('a question that was answered elsewhere is a new one if its call asks it again', async () => {
  const pending = await openStorage()
  const ports = openPorts(pending)
  const first = ports.user(sure, context())
  await vi.waitUntil(() => ports.opened.length === 1)
  await answerElsewhere(pending, ports.opened[0]!)
  expect(await first).toEqual(yes)
  const second = ports.user(sure, context())
  await vi.waitUntil(() => ports.opened.length === 2)
  await answerElsewhere(pending, ports.opened[1]!, false)
  expect(await second).toEqual({ action: 'accept', value: false })
  expect(ports.still).toEqual([])
})

test('of an answer here and one elsewhere at the same time, the first stored one counts for both', async () => {
  const pending = await openStorage()
  const ports = openPorts(pending, {
    people: {
      user: async () => {
        await answerElsewhere(pending, ports.opened[0]!, false)
        return yes
      },
    },
  })
  expect(await ports.user(sure, context())).toEqual({ action: 'accept', value: false })
  expect(ports.elsewhere).toMatchObject([{ settled: { by: 'page', value: false } }])
})

test('after an invalid answer here, the same question is asked again', async () => {
  const pending = await openStorage()
  const answers: Answer[] = [{ action: 'accept', value: 'perhaps' }, yes]
  const ports = openPorts(pending, { people: { user: async () => answers.shift()! } })
  expect(await ports.user(sure, context())).toEqual({ action: 'accept', value: 'perhaps' })
  expect(await list(pending)).toMatchObject([{ state: 'open' }])
  expect(await ports.user(sure, context())).toEqual(yes)
  expect(ports.still).toEqual(ports.opened)
  expect(await list(pending)).toMatchObject([{ state: 'answered' }])
})

test('a question from before is asked under its id, unless the definition of its tool has changed', async () => {
  const pending = await openStorage()
  const opening = openPorts(pending, { waiting: { whenUnanswered: 'park' } })
  await opening.user(sure, context())
  const earlier = opening.opened
  const again = openPorts(pending, { earlier, people: { user: async () => yes } })
  await again.user(sure, context())
  expect([again.opened, again.still]).toEqual([[], earlier])
  const other = openPorts(pending, {
    earlier,
    people: { user: async () => yes },
    getDefinition: () => 'other',
  })
  await other.user(sure, context())
  expect(other.still).toEqual([])
  expect(other.opened).toMatchObject([{ definition: 'other' }])
})

const CANCELLED = 'the call was cancelled'

test.for<[string, unknown, boolean, string, string?]>([
  ['a person cancelled', 'cancelled', true, 'withdrawn', CANCELLED],
  ['the host must end', 'ending', true, 'open'],
  ['the host must end, and the call cannot be made again', 'ending', false, 'withdrawn', CANCELLED],
])(
  'if %s, the question has its state when the call ends',
  async ([, reason, isRepeatable, state, why]) => {
    const pending = await openStorage()
    const person = startPerson<Answer>()
    const end = new AbortController()
    const ports = openPorts(pending, {
      people: { user: person.user },
      waiting: { staysOpen: (abortReason) => abortReason === 'ending' },
    })
    const source = isRepeatable
      ? ({ kind: 'question', call } as const)
      : ({ kind: 'elicitation', server: 'files', call } as const)
    const asking = ports.user(sure, context({ signal: end.signal, source }))
    const signal = await person.asked
    end.abort(reason)
    expect(signal.reason).toBe(reason)
    expect(await asking).toEqual({ action: 'cancel', reason: 'aborted' })
    const [question] = await list(pending)
    expect(question).toMatchObject({ state })
    expect(question?.settled?.reason).toBe(why)
    expect(ports.parked).toHaveLength(state === 'open' ? 1 : 0)
    // A prompt that fails because it was closed is nobody's failure.
    person.fail(new Error('the prompt was closed'))
    await letOthersWork()
  },
)

test('without a person here, a question is parked; if its call cannot be made again, nobody is asked', async () => {
  const pending = await openStorage()
  const ports = openPorts(pending, { waiting: { whenUnanswered: 'park' } })
  expect(await ports.user(sure, context())).toEqual({ action: 'cancel', reason: 'aborted' })
  expect(ports.parked).toEqual(ports.opened)
  const source = { kind: 'elicitation', server: 'files', call } as const
  expect(await ports.user(sure, context({ source }))).toEqual({
    action: 'cancel',
    reason: 'nobody',
    message: 'its call cannot be made again, so the question cannot wait for one',
  })
  expect(await list(pending)).toHaveLength(1)
})

test('a question outside of a call goes to the person here, and is not stored', async () => {
  const pending = await openStorage()
  const asked: unknown[] = []
  const ports = openPorts(pending, {
    people: {
      user: async (request, questionContext) => {
        asked.push(request, questionContext)
        return yes
      },
    },
  })
  const outside = context({ source: { kind: 'elicitation', server: 'files' } })
  expect(await ports.user(sure, outside)).toEqual(yes)
  expect(asked).toEqual([sure, outside])
  expect(await list(pending)).toEqual([])
})

test.for<[Answer, object]>([
  [
    { action: 'cancel', reason: 'user', message: 'not now' },
    { state: 'withdrawn', settled: { reason: 'not now' } },
  ],
  [
    { action: 'cancel', reason: 'user' },
    { state: 'withdrawn', settled: { reason: 'the question was cancelled' } },
  ],
  [{ action: 'cancel', reason: 'expired' }, { state: 'expired' }],
])('the answer %o here is stored as %o', async ([answer, stored]) => {
  const pending = await openStorage()
  const ports = openPorts(pending, { people: { user: async () => answer } })
  expect(await ports.user(sure, context())).toEqual(answer)
  expect(await list(pending)).toMatchObject([stored])
})

test('a question whose document is gone is answered here alone', async () => {
  const pending = await openStorage()
  const person = startPerson<Answer>()
  const ports = openPorts(
    { storage: { ...pending.storage, read: async () => undefined } },
    { people: { user: person.user } },
  )
  const asking = ports.user(sure, context())
  await person.asked
  await letOthersWork()
  person.answer(yes)
  expect(await asking).toEqual(yes)
})
