import { describe, expect, test } from 'vitest'
import type {
  Answer,
  AnswerQuestion,
  Answers,
  Problem,
  QuestionContext,
  QuestionSource,
} from '@toolblocks/protocol'
import type { QuestionRoute } from '../questions/routes.ts'
import { accept, ask, call, NOBODY, number } from './answer-port.support.ts'
import { createAnswerPort } from './create-answer-port.ts'

describe('the answerer is', () => {
  test('the user without a route', async () => {
    const { answer, assistant } = await ask(number, { user: [3], assistant: [4] })
    expect([answer, assistant]).toEqual([accept(3), []])
  })

  test.for<QuestionRoute>([{ target: 'assistant' }, { target: { settings: { model: 'small' } } }])(
    'the assistant under the route %j',
    async (route) => {
      const { answer, user } = await ask(number, { route, user: [3], assistant: [4] })
      expect([answer, user]).toEqual([accept(4), []])
    },
  )

  test('absent if the target is not available', async () => {
    expect((await ask(number, { assistant: [4] })).answer).toMatchObject(NOBODY)
    expect((await ask(number, { route: { target: 'assistant' }, user: [3] })).answer).toMatchObject(
      NOBODY,
    )
  })

  test('the assistant in place of a missing user, if the route says so', async () => {
    const route: QuestionRoute = { fallback: 'assistant' }
    const { answer, events } = await ask(number, { route, assistant: [4] })
    expect([answer, events.length]).toEqual([accept(4), 2])
    expect(events[0]).toMatchObject({ type: 'question', asked: 'assistant' })
  })

  test('the assistant once, if it is the target and the fallback', async () => {
    const route: QuestionRoute = { target: 'assistant', fallback: 'assistant' }
    const { answer, assistant } = await ask(number, { route, assistant: [NOBODY, 4] })
    expect(answer).toMatchObject(NOBODY)
    expect(assistant).toHaveLength(1)
  })

  test('the default only if the route says so', async () => {
    const withDefault = { ...number, default: 7 }
    expect((await ask(withDefault, {})).answer).toMatchObject(NOBODY)
    expect((await ask(withDefault, { route: { fallback: 'default' } })).answer).toEqual(accept(7))
    expect((await ask(number, { route: { fallback: 'default' } })).answer).toMatchObject(NOBODY)
  })

  test('never the assistant for a secret or a page to visit, under any route', async () => {
    const route: QuestionRoute = { target: 'assistant', fallback: 'assistant' }
    for (const request of [
      { ...number, schema: { type: 'string', format: 'password' } },
      { ...number, id: 'apiKey', schema: true },
      { ...number, id: 'pin', schema: { type: 'string' } },
      { ...number, url: 'https://example.com/login' },
    ])
      expect((await ask(request, { route, user: [3], assistant: [4] })).assistant).toEqual([])
  })

  test('only the user for a server’s question, unless its route names the assistant', async () => {
    const source: QuestionSource = { kind: 'elicitation', server: 'files' }
    expect(
      (await ask(number, { source, route: { fallback: 'assistant' }, assistant: [4] })).answer,
    ).toMatchObject(NOBODY)
    expect(
      (await ask(number, { source, route: { target: 'assistant' }, assistant: [4] })).answer,
    ).toEqual(accept(4))
  })
})

describe('if no answerer is available', () => {
  test.for<[QuestionRoute, Answer]>([
    [{ fallback: 'default' }, accept(7)],
    [{ fallback: 'assistant' }, accept(4)],
    [{ fallback: 'fail' }, NOBODY],
    [{ target: 'assistant', fallback: 'default' }, accept(4)],
  ])('also according to a port, %j gives %j', async ([route, answer]) => {
    const asked = await ask({ ...number, default: 7 }, { route, user: [NOBODY], assistant: [4] })
    expect(asked.answer).toMatchObject(answer)
  })

  test('this is recorded once, with or without a port', async () => {
    const { events } = await ask(number, { user: [NOBODY] })
    const asked = { type: 'question', id: 'c.limit.1', callId: 'c', question: number }
    const answered = {
      type: 'answer',
      id: 'c.limit.1',
      callId: 'c',
      action: 'cancel',
      reason: 'nobody',
    }
    expect(events).toEqual([{ ...asked, asked: 'user', isRepeatable: true }, answered])
    const nobody = { ...asked, asked: 'nobody', isRepeatable: true }
    expect((await ask(number, {})).events).toEqual([nobody, answered])
  })

  test('both attempts are recorded', async () => {
    const route: QuestionRoute = { fallback: 'default' }
    const { events } = await ask({ ...number, default: 7 }, { route, user: [NOBODY] })
    expect(events).toMatchObject([
      { type: 'question', asked: 'user', id: 'c.limit.1' },
      { type: 'answer', action: 'cancel', reason: 'nobody', id: 'c.limit.1' },
      { type: 'question', asked: 'static', id: 'c.limit.2' },
      { type: 'answer', action: 'accept', value: 7, id: 'c.limit.2' },
    ])
  })
})

test('the settings of a route reach the assistant', async () => {
  const route: QuestionRoute = { target: { settings: { model: 'small' } } }
  const { assistant } = await ask(number, { route, assistant: [4] })
  expect(assistant[0]?.settings).toEqual({ model: 'small' })
})

describe('a person', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((text) => ({ type: 'text' as const, text }))
  if (!a || !b || !c || !d) throw new Error('no blocks')

  test('sees every block once, whoever answered the questions in between', async () => {
    const seen: QuestionContext[] = []
    const user: AnswerQuestion = async (_request, context) => {
      seen.push(context)
      return accept(seen.length === 2 ? 'x' : 3)
    }
    const port = createAnswerPort({
      ports: { user },
      routes: { two: { answer: 1 } },
      callId: 'c',
      record: () => {},
      warn: () => {},
    })
    const sharedContext = {
      source: { kind: 'question', call } as const,
      signal: new AbortController().signal,
    }
    await port({ ...number, id: 'one' }, { ...sharedContext, blocks: [a] })
    await port({ ...number, id: 'two' }, { ...sharedContext, blocks: [a, b] })
    await port({ ...number, id: 'three' }, { ...sharedContext, blocks: [a, b, c], after: [d] })
    expect(seen.map(({ shown: shownCount, after }) => [shownCount, after])).toEqual([
      [0, []],
      [1, [d]],
      [3, []],
    ])
  })
})

test('a question with an invalid schema is not asked, and the warning names the place', async () => {
  const { answer, warnings, user } = await ask(
    { id: 'a/b', text: '?', schema: { type: 'odd' } },
    { user: [3] },
  )
  expect([answer, user]).toEqual([NOBODY, []])
  expect(warnings).toEqual([
    {
      path: '/questions/a~1b/schema/type',
      message:
        'expected "array", "boolean", "integer", "null", "number", "object" or "string", got string "odd"',
      code: 'invalid-schema',
    },
  ])
})

describe('a static answer', () => {
  test('is used without asking, and recorded', async () => {
    const { answer, user, events } = await ask(number, { route: { answer: 5 }, user: [3] })
    expect([answer, user]).toEqual([accept(5), []])
    expect(events).toMatchObject([
      { type: 'question', asked: 'static' },
      { type: 'answer', value: 5 },
    ])
  })

  test('that is invalid is not used: the target is asked, and a warning says so', async () => {
    const { answer, warnings } = await ask(number, { route: { answer: 'many' }, user: [3] })
    expect(answer).toEqual(accept(3))
    expect(warnings).toEqual([
      {
        path: '/questions/limit/answer',
        message:
          'the configured answer to "limit" is invalid and was not used: expected integer, got string "many"',
        code: 'static-answer',
      },
    ])
  })
})

describe('an invalid answer', () => {
  test('is asked for again with the problem, and without the blocks shown before', async () => {
    const { answer, user, events } = await ask(number, {
      user: ['x', 3],
      blocks: [{ type: 'text', text: 'plan' }],
    })
    expect(answer).toEqual(accept(3))
    expect(user.map(({ shown: shownCount, blocks }) => [shownCount, blocks.length])).toEqual([
      [0, 1],
      [1, 1],
    ])
    expect(user[1]?.problems).toMatchObject([{ message: 'expected integer, got string "x"' }])
    expect(events.map((event) => [event.type, event.id])).toEqual([
      ['question', 'c.limit.1'],
      ['answer', 'c.limit.1'],
      ['question', 'c.limit.2'],
      ['answer', 'c.limit.2'],
    ])
    expect(events[1]).toMatchObject({ action: 'cancel', reason: 'wrong-answer' })
  })

  const message =
    'no answer to "limit" was valid in 3 attempts; the last one: expected integer, got null'

  test('three times from a person leaves the question unanswered, with the reason', async () => {
    const { answer, user, events } = await ask(number, { user: ['x', 0, null, 3] })
    expect(answer).toEqual({ action: 'cancel', reason: 'wrong-answer', message })
    expect([user.length, events.length]).toEqual([3, 6])
  })

  test('three times from a model is a failure of the model', async () => {
    const route: QuestionRoute = { target: 'assistant', fallback: 'default' }
    const { answer } = await ask({ ...number, default: 7 }, { route, assistant: ['x', 0, null] })
    expect(answer).toEqual({ action: 'cancel', reason: 'failed', message })
  })

  test('to a secret question appears in no message', async () => {
    const secret = { ...number, schema: { type: 'integer', writeOnly: true } }
    const { answer } = await ask(secret, { user: ['hunter2', 'hunter2', 'hunter2'] })
    expect(answer).toEqual({
      action: 'cancel',
      reason: 'wrong-answer',
      message:
        'no answer to "limit" was valid in 3 attempts; the last one: it is a secret, so it is not shown',
    })
  })
})

test('the default of a secret is never recorded', async () => {
  const request = { id: 'p', text: 'Password?', schema: { type: 'string', default: 'hunter2' } }
  const secret = { ...request, id: 'password', default: 'hunter2' }
  const { events } = await ask(secret, { route: { fallback: 'default' } })
  expect(events).toMatchObject([{ type: 'question' }, { action: 'accept', redacted: true }])
  expect(JSON.stringify(events)).not.toContain('hunter2')
})

test('a valid answer known in advance overrides that of the route', async () => {
  const getPort = (answers: Answers): AnswerQuestion =>
    createAnswerPort({
      ports: { user: async () => accept(3) },
      routes: { limit: { answer: 5 } },
      answers,
      callId: 'c',
      record: () => {},
      warn: () => {},
    })
  const seen = {
    blocks: [],
    source: { kind: 'question', call } as const,
    signal: new AbortController().signal,
  }
  expect(await getPort({ limit: 6 })(number, seen)).toEqual(accept(6))
  expect(await getPort({ limit: 'DROP' })(number, seen)).toEqual(accept(5))
})

test('a secret is recorded as redacted, without its value', async () => {
  const { answer, events } = await ask(
    { id: 'p', text: 'Password?', schema: { type: 'string', format: 'password' } },
    { user: ['hunter2'] },
  )
  expect(answer).toEqual(accept('hunter2'))
  expect(JSON.stringify(events)).not.toContain('hunter2')
  expect(events.at(-1)).toEqual({
    type: 'answer',
    id: 'c.p.1',
    callId: 'c',
    action: 'accept',
    redacted: true,
  })
})

test('an invalid configured secret appears in no warning', async () => {
  const { warnings } = await ask(
    { id: 'p', text: 'Password?', schema: { type: 'integer', format: 'password' } },
    { route: { answer: 'hunter2' }, user: [3] },
  )
  expect(warnings).toEqual([
    {
      path: '/questions/p/answer',
      message:
        'the configured answer to "p" is invalid and was not used: it is a secret, so it is not shown',
      code: 'static-answer',
    },
  ])
})

test.for<[Answer, object]>([
  [{ action: 'decline' }, { action: 'decline' }],
  [
    { action: 'cancel', reason: 'end-of-input' },
    { action: 'cancel', reason: 'end-of-input' },
  ],
])('%j is recorded with its own outcome', async ([userAnswer, settlement]) => {
  const { answer, events } = await ask(number, { user: [userAnswer] })
  expect(answer).toEqual(userAnswer)
  expect(events.at(-1)).toMatchObject(settlement)
})

test('a port that throws is a failure with its reason, and a warning reports it', async () => {
  const warnings: Problem[] = []
  const answerPort = createAnswerPort({
    ports: { user: async () => Promise.reject(new Error('terminal gone')) },
    routes: {},
    callId: 'c',
    record: () => {},
    warn: (problem) => void warnings.push(problem),
  })
  const signal = new AbortController().signal
  const answer = await answerPort(number, {
    blocks: [],
    source: { kind: 'question', call },
    signal,
  })
  const message = 'asking "limit" failed: terminal gone'
  expect(answer).toEqual({ action: 'cancel', reason: 'failed', message })
  expect(warnings).toEqual([{ path: '', message, code: 'port-failed' }])
})
