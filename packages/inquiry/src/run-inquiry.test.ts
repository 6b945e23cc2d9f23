import fc from 'fast-check'
import {
  type Answer,
  type AnswerQuestion,
  type InputRequest,
  type InquiryEvent,
  type QuestionContext,
  createErrorResult,
} from '@toolblocks/protocol'
import { PORT_GRACE_MS, TOOL_GRACE_MS, META_STATUS } from '@toolblocks/protocol/internal'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  asking,
  call,
  confirm,
  context,
  done,
  person,
  question,
  run,
  text,
  makeTool,
  getWords,
} from './inquiry.support.ts'
import { type InquiryOptions, runInquiry } from './run-inquiry.ts'

test('a result without questions is returned unchanged', async () => {
  expect(await run(makeTool(() => done))).toBe(done)
})

test('a question is answered and the call runs again with the answer; the last result is returned', async () => {
  const tool = makeTool((answers) =>
    answers['go'] === true ? done : asking(text('plan'), confirm('go')),
  )
  const user = person(true)
  expect(await run(tool, user)).toBe(done)
  expect(tool.runs).toEqual([{}, { go: true }])
})

test('the unanswered result of a tool that asked by itself is returned, without another question or a warning', async () => {
  const unanswered = {
    ...asking(confirm('go')),
    isError: true,
    metadata: { outcome: 'unanswered' },
  } as const
  const tool = makeTool(() => unanswered)
  expect(await run(tool, person(true))).toBe(unanswered)
  expect(tool.runs).toHaveLength(1)
})

test.for<[string, unknown, string]>([
  ['an error', new Error('no more room'), '.\nno more room'],
  ['a text', 'gone', '.\ngone'],
  ['nothing', undefined, ': it threw a value of type undefined.'],
  ['a number that JSON does not know', 1n, ': it threw a value of type bigint.'],
  ['an object without a prototype', Object.create(null), ': it threw a value of type object.'],
])(
  'a tool that throws %s gives a result that says so, in every round',
  async ([, thrown, reason]) => {
    const fail = (): never => {
      throw thrown
    }
    for (const tool of [
      makeTool(fail),
      { ...makeTool(fail), execute: fail },
      makeTool((answers) => ('go' in answers ? fail() : asking(confirm('go')))),
    ]) {
      const result = await run(tool, person(true))
      expect(result).toMatchObject({ isError: true, metadata: { outcome: 'failed' } })
      expect(getWords(result)).toBe(`The call of "${call.name}" failed${reason}`)
    }
  },
)

test('a tool that throws because the caller aborted was cancelled', async () => {
  const host = new AbortController()
  const tool = makeTool(() => {
    host.abort()
    throw new Error('the signal was given')
  })
  const result = await runInquiry(tool, call, { context: { ...context, signal: host.signal } })
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'cancelled' } })
})

test('a tool receives its own settings if it has any', async () => {
  const seen: unknown[] = []
  const tool = {
    ...makeTool(() => done),
    execute: async (_call: unknown, toolContext: object) => {
      seen.push('options' in toolContext ? toolContext.options : 'none')
      return done
    },
  }
  await runInquiry(tool, call, { context, options: { root: '/srv' } })
  await runInquiry(tool, call, { context })
  expect(seen).toEqual([{ root: '/srv' }, 'none'])
})

test('every run receives all answers so far', async () => {
  const tool = makeTool((answers) => {
    if (!('a' in answers)) return asking(confirm('a'))
    return 'b' in answers ? done : asking(confirm('b'))
  })
  await run(tool, person(true, false))
  expect(tool.runs.at(-1)).toEqual({ a: true, b: false })
})

test('an answer known before the call is used for its question, checked and recorded like any other', async () => {
  const tool = makeTool((answers) => ('go' in answers ? done : asking(confirm('go'))))
  const events: InquiryEvent[] = []
  const known = { context: { ...context, answers: { go: true } } }
  const record = (event: InquiryEvent): void => void events.push(event)
  expect(await runInquiry(tool, call, { ...known, record })).toEqual(done)
  expect(tool.runs).toEqual([{}, { go: true }])
  expect(events).toMatchObject([{ asked: 'static' }, { action: 'accept', value: true }])
})

test('an invalid answer known before the call is not used, and a warning says so', async () => {
  const tool = makeTool((answers) => ('go' in answers ? done : asking(confirm('go'))))
  const known = { context: { ...context, answers: { go: 'DROP' } } }
  const result = await runInquiry(tool, call, known)
  expect(result.metadata).toMatchObject({
    outcome: 'unanswered',
    warnings: [
      {
        path: '/questions/go/answer',
        message:
          'the given answer to "go" is invalid and was not used: expected boolean, got string "DROP"',
        code: 'static-answer',
      },
    ],
  })
  expect(tool.runs).toEqual([{}])
})

test('several questions are asked in order, each with the blocks before it; the last one also has the blocks after it', async () => {
  const content = [text('1'), confirm('a'), text('2'), text('3'), confirm('b'), text('4')]
  const tool = makeTool((answers) => ('b' in answers ? done : asking(...content)))
  const user = person(true, true)
  await run(tool, user)
  const [[first, one], [second, two]] = user.asked as [
    [InputRequest, QuestionContext],
    [InputRequest, QuestionContext],
  ]
  expect([first.id, one.blocks, one.shown, one.after]).toEqual(['a', [text('1')], 0, []])
  expect([second.id, two.blocks, two.shown, two.after]).toEqual([
    'b',
    [text('1'), text('2'), text('3')],
    1,
    [text('4')],
  ])
})

test('blocks after an omitted last question are shown with the question before it', async () => {
  const content = [confirm('a'), text('1'), confirm('a'), text('2')]
  const tool = makeTool((answers) => ('a' in answers ? done : asking(...content)))
  const user = person(true)
  await run(tool, user)
  expect(user.asked.map(([, { after }]) => after)).toEqual([[text('1'), text('2')]])
})

describe('an inquiry without an answer returns the blocks before the question, and says which question it was and why it has no answer', () => {
  const tool = makeTool(() => asking(text('the plan'), confirm('go', 'Overwrite?')))

  test.for<[Answer, string, string]>([
    [{ action: 'decline' }, 'denied', 'and that was declined'],
    [{ action: 'cancel', reason: 'user' }, 'cancelled', 'and the question was cancelled'],
    [
      { action: 'cancel', reason: 'end-of-input' },
      'cancelled',
      'and the input ended before an answer came',
    ],
    [
      { action: 'cancel', reason: 'aborted' },
      'cancelled',
      'and the call was aborted before an answer came',
    ],
    [{ action: 'cancel', reason: 'expired' }, 'timeout', 'and no answer came in time'],
    [
      { action: 'cancel', reason: 'wrong-answer', message: 'too long' },
      'unanswered',
      'and the answers did not match the schema: too long',
    ],
    [{ action: 'cancel', reason: 'failed' }, 'failed', 'and getting an answer failed'],
  ])('%j', async ([answer, outcome, sentence]) => {
    const result = await run(tool, person(answer))
    expect(result).toMatchObject({ isError: true, metadata: { outcome, question: 'go' } })
    expect(getWords(result)).toBe(`the plan\nThe tool asked "Overwrite?" (go), ${sentence}.`)
  })

  test('with nobody to ask it is unanswered, and what stood before the question is there all the same', async () => {
    const result = await run(tool)
    expect(result).toMatchObject({ isError: true, metadata: { outcome: 'unanswered' } })
    expect(result.content).toEqual([
      text('the plan'),
      text(
        'The tool asked "Overwrite?" (go), and nobody could answer it: it is a question for a person, and no person is available.',
      ),
    ])
  })

  test('with nobody to ask and the wish to have it returned, the result comes back with its questions', async () => {
    const result = await runInquiry(tool, call, { context: { ...context, unanswered: 'return' } })
    expect(result).toMatchObject({ isError: true, metadata: { outcome: 'unanswered' } })
    expect(result.content).toHaveLength(2)
  })

  test('a declined question gives a denied result, also if the host wants questions returned', async () => {
    const user = person({ action: 'decline' })
    const result = await runInquiry(tool, call, {
      context: { ...context, unanswered: 'return', ask: { user } },
    })
    expect(result).toMatchObject({ isError: true, metadata: { outcome: 'denied' } })
    expect(result.content.some(({ type }) => type === 'question')).toBe(false)
  })
})

test('a question that is asked again after its answer is an error', async () => {
  const result = await run(
    makeTool(() => asking(confirm('go'))),
    person(true, true),
  )
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'failed' } })
  expect(getWords(result)).toBe(
    'The tool asked "go" again although it was answered; it must read tool.answers.',
  )
})

test('after sixteen rounds the tool is stopped', async () => {
  const tool = makeTool((answers) => asking(confirm(`q${Object.keys(answers).length}`)))
  const result = await run(tool, person(...Array.from({ length: 20 }, () => true)))
  expect(tool.runs).toHaveLength(16)
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'failed' } })
  expect(getWords(result)).toBe('The tool "edit" asked for 16 rounds and was stopped.')
})

describe('a tool that asks three questions in sequence', () => {
  const steps = ['broad_replacement', 'modify_dirty_file', 'apply_changes'] as const
  const tool = makeTool((answers) => {
    for (const step of steps) {
      if (!(step in answers)) return asking(text(`before ${step}`), confirm(step))
      if (answers[step] === false) return createErrorResult(`stopped at ${step}`)
    }
    return done
  })

  test.for(Array.from({ length: 8 }, (_, bits) => [bits & 4, bits & 2, bits & 1].map(Boolean)))(
    'returns the correct result for %j',
    async (answers) => {
      const user = person(...answers)
      const result = await run(tool, user)
      const first = answers.indexOf(false)
      expect(user.asked).toHaveLength(first === -1 ? 3 : first + 1)
      expect(getWords(result)).toBe(first === -1 ? 'done' : `stopped at ${steps[first]}`)
    },
  )
})

test('every question is recorded before it is asked, and every answer after it, under one id', async () => {
  const log: string[] = []
  const record = (event: InquiryEvent): void =>
    void log.push(
      `${event.type} ${event.id} ${event.type === 'answer' ? event.action : event.asked}`,
    )
  const user: AnswerQuestion = async ({ id }) => {
    log.push(`asked ${id}`)
    return { action: 'accept', value: true }
  }
  await run(
    makeTool((answers) => ('b' in answers ? done : asking(confirm('a'), confirm('b')))),
    user,
    { record },
  )
  expect(log).toEqual([
    'question call-1.a.1 user',
    'asked a',
    'answer call-1.a.1 accept',
    'question call-1.b.1 user',
    'asked b',
    'answer call-1.b.1 accept',
  ])
})

test('law: the inquiry settles within sixteen runs for all tools and answers', async () => {
  const anyQuestion = fc
    .record({
      id: fc.constantFrom('', 'a', 'b', '__proto__', 'toString'),
      text: fc.string(),
      schema: fc.constantFrom({ type: 'boolean' }, { type: 'wat' }, {}, { $ref: '#' }),
    })
    .map(question)
  const anyResult = fc.record({
    content: fc.array(fc.oneof(anyQuestion, fc.string().map(text)), { maxLength: 4 }),
    isError: fc.boolean(),
    _meta: fc.constantFrom(
      {},
      { [META_STATUS]: 'waiting' },
      { [META_STATUS]: 'running' },
      { [META_STATUS]: 1 },
    ),
  })
  const anyAnswer = fc.oneof(
    fc.constantFrom<Answer>({ action: 'decline' }, { action: 'cancel', reason: 'user' }),
    fc.jsonValue().map((value) => ({ action: 'accept', value }) as Answer),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyResult, { minLength: 1, maxLength: 20 }),
      fc.array(anyAnswer),
      async (results, answers) => {
        let runs = 0
        const tool = makeTool(() => results[runs++ % results.length] ?? done)
        const result = await run(tool, person(...answers))
        expect(runs).toBeLessThanOrEqual(16)
        expect(Array.isArray(result.content)).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
})

test('a result that is returned with its questions keeps its metadata', async () => {
  const warning = { path: '/content', message: 'odd', code: 'odd' }
  const asked = { ...asking(confirm('go')), metadata: { stderr: 'careful', warnings: [warning] } }
  const result = await runInquiry(
    makeTool(() => asked),
    call,
    { context: { ...context, unanswered: 'return' } },
  )
  expect(result).toEqual({
    ...asked,
    isError: true,
    metadata: { ...asked.metadata, outcome: 'unanswered' },
  })
})

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

afterEach(() => void vi.useRealTimers())

const never = async (): Promise<never> => await new Promise(() => {})

const asks = asking(text('plan'), confirm('go'))

/** Returns the result of an inquiry whose signal aborts while a port never settles. */
async function runAborted(execute: () => Promise<typeof done>, more: Partial<InquiryOptions>) {
  const host = new AbortController()
  const tool = { ...makeTool(() => done), execute }
  const running = runInquiry(tool, call, {
    ...more,
    context: { ...context, ...more.context, signal: host.signal },
  })
  await vi.advanceTimersByTimeAsync(10)
  host.abort()
  await vi.advanceTimersByTimeAsync(Math.max(PORT_GRACE_MS, TOOL_GRACE_MS))
  return await running
}

test('a tool that does not end after an abort is abandoned, with a warning', async () => {
  const result = await runAborted(never, {})
  expect(result).toMatchObject({
    id: call.id,
    isError: true,
    metadata: {
      outcome: 'cancelled',
      warnings: [{ path: '', code: 'not-settled', message: expect.stringContaining('"edit"') }],
    },
  })
  expect(getWords(result)).toBe('The call of "edit" was cancelled, and the tool did not end.')
})

test('an answerer that does not settle after an abort is abandoned, with a warning', async () => {
  const result = await runAborted(async () => asks, {
    context: { ...context, ask: { user: never } },
  })
  expect(result).toMatchObject({
    isError: true,
    metadata: {
      outcome: 'cancelled',
      warnings: [{ code: 'not-settled', message: expect.stringContaining('"go" (user)') }],
    },
  })
})
