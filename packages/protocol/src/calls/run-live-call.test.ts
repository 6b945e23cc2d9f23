import { describe, expect, test } from 'vitest'
import type { ContentBlock } from '../content/content-block.ts'
import { MAX_LIVE_INTERACTIONS } from '../limits/limits.ts'
import type { AnswerQuestion } from '../questions/answer.ts'
import { booleanQuestion } from '../content/input-request.ts'
import {
  type Status,
  type ToolResult,
  createFailure,
  createSuccessResult,
  withStatus,
} from '../tools/tool-result.ts'
import type { LiveCall, LiveInput } from './tool.ts'
import { type LiveRun, runLiveCall } from './run-live-call.ts'

const text = (sentence: string): ContentBlock => ({ type: 'text', text: sentence })
const question = (id: string): ContentBlock => ({
  type: 'question',
  question: booleanQuestion({ id, text: `${id}?` }),
})
const says = (status: Status, ...content: ContentBlock[]): ToolResult =>
  withStatus(createSuccessResult(content), status)
const getWords = ({ content }: ToolResult): readonly string[] =>
  content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`))
const STANDS = 'The call was ended; its effects remain.'

/** A stateful call that returns these responses in order, then `running`, and records its input. */
function liveCall(...responses: readonly ToolResult[]): LiveCall & { received: unknown[] } {
  const received: unknown[] = []
  const rest = responses.values()
  const next = (): ToolResult => rest.next().value ?? says('running')
  return {
    received,
    started: next(),
    fetch: async () => next(),
    apply: async (input: LiveInput) => {
      received.push(input)
      return next()
    },
    abort: async () => {
      received.push('abort')
      return says('stopped', text('last words'))
    },
  }
}

const call = { id: 'c', name: 'stage', arguments: {} }
const yes: AnswerQuestion = async ({ schema }) => ({
  action: 'accept',
  value: JSON.stringify(schema).includes('boolean') ? true : 'typed',
})

function run(live: LiveCall, more: Partial<LiveRun> = {}): Promise<ToolResult> {
  return runLiveCall(live, { call, signal: new AbortController().signal, ...more })
}

test('all output of a live call is one result, and its questions are answered in the same process', async () => {
  const live = liveCall(
    says('waiting', text('hunk 1'), question('a'), text('behind')),
    says('running'),
    says('waiting', text('hunk 2'), question('b'), question('c')),
    says('stopped', text('done')),
  )
  const seen: unknown[] = []
  const result = await run(live, {
    answers: { c: false },
    ask: async (request, context) => {
      seen.push([request.id, context.blocks, context.after, context.source])
      return await yes(request, context)
    },
  })
  expect(result).toEqual({
    ...says('stopped', text('hunk 1'), text('behind'), text('hunk 2'), text('done')),
    metadata: {},
  })
  const source = { kind: 'question', call }
  expect(seen).toEqual([
    ['a', [text('hunk 1')], [text('behind')], source],
    ['b', [text('hunk 2')], [], source],
  ])
  expect(live.received).toEqual([{ answers: { a: true } }, { answers: { b: true, c: false } }])
})

test.for<
  [string, readonly ContentBlock[], string, readonly ContentBlock[], readonly ContentBlock[]]
>([
  ['its last text', [text('log'), text('Title?')], 'Title?', [text('log')], []],
  ['a text of the host where it says nothing', [], 'The tool waits for input.', [], []],
  [
    'its last text, with what stands behind',
    [text('Title?'), text(' ')],
    'Title?',
    [],
    [text(' ')],
  ],
])(
  'a call that waits without a question receives free input, requested with %s',
  async ([, content, prompt, blocks, after]) => {
    const live = liveCall(
      says('waiting', ...content),
      says('waiting', text('And?')),
      says('stopped'),
    )
    const seen: unknown[] = []
    await run(live, {
      ask: async (request, context) => {
        seen.push([request.id, request.text, context.blocks, context.after])
        return await yes(request, context)
      },
    })
    expect(seen).toEqual([
      ['input_1', prompt, blocks, after],
      ['input_2', 'And?', [], []],
    ])
    expect(live.received).toEqual([{ input: 'typed' }, { input: 'typed' }])
  },
)

test('free input may have a separate port', async () => {
  const live = liveCall(says('waiting', question('a')), says('waiting', text('?')), says('stopped'))
  await run(live, { ask: yes, askInput: async () => ({ action: 'accept', value: 7 }) })
  expect(live.received).toEqual([{ answers: { a: true } }, { input: 7 }])
})

describe('a call without an answer is ended, and says so after its output', () => {
  test.for([
    [{ action: 'decline' }, 'denied', 'and that was declined', []],
    [{ action: 'cancel', reason: 'user' }, 'cancelled', 'and the question was cancelled', []],
    [
      { action: 'cancel', reason: 'nobody' },
      'unanswered',
      'and nobody could answer it',
      ['(question)'],
    ],
  ] as const)('%j', async ([answer, outcome, reason, behind]) => {
    const live = liveCall(
      says('waiting', text('hunk 1'), question('a')),
      says('waiting', text('staged'), question('b')),
    )
    const ask: AnswerQuestion = async (request, context) =>
      request.id === 'a' ? await yes(request, context) : answer
    const result = await run(live, { ask })
    expect(getWords(result)).toEqual([
      'hunk 1',
      'staged',
      `The tool asked "b?" (b), ${reason}.`,
      STANDS,
      'last words',
      ...behind,
    ])
    expect([result.isError, result.metadata?.outcome]).toEqual([true, outcome])
    expect(live.received.at(-1)).toBe('abort')
  })

  test('if no person is available', async () => {
    const { metadata } = await run(liveCall(says('waiting', question('a'))))
    expect(metadata?.outcome).toBe('unanswered')
  })
})

test('a call that asks without end is ended', async () => {
  const live: LiveCall = {
    ...liveCall(says('waiting', question('a'))),
    apply: async () => says('waiting', question('a')),
  }
  let asked = 0
  const result = await run(live, {
    ask: async (...parameters) => {
      asked += 1
      return await yes(...parameters)
    },
  })
  expect(asked).toBe(MAX_LIVE_INTERACTIONS)
  expect(getWords(result)[0]).toContain('1,000 inputs or answers')
  expect(result.isError).toBe(true)
})

test('a call with too much output is limited, and the omitted part is counted', async () => {
  const large = says('running', text('x'.repeat(6 * 1024 * 1024)))
  const result = await run(liveCall(large, large, large, says('stopped', text('end'))))
  expect(result.content).toHaveLength(3)
  expect(getWords(result).at(-1)).toMatch(
    /^\[2 more blocks were dropped: .* of one call are kept\]$/,
  )
})

test('a call that runs longer than its time limit without a question is ended', async () => {
  const result = await run(liveCall(says('running', text('begun'))), { timeoutMs: 20 })
  expect(getWords(result)).toEqual([
    'begun',
    'The tool did not finish and asked no question within 0.02 s. Give it less work, or a longer time limit.',
    STANDS,
    'last words',
  ])
  expect(result.metadata?.outcome).toBe('timeout')
})

test('time in which this process could not run is not time of the tool', async () => {
  const live = liveCall(says('running', text('begun')), says('running'), says('stopped'))
  const fetch: LiveCall['fetch'] = async (context) => {
    await new Promise<void>((resolve) => {
      setImmediate(() => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
        resolve()
      })
    })
    return await live.fetch(context)
  }
  const result = await run({ ...live, fetch }, { timeoutMs: 500 })
  expect([getWords(result), result.isError]).toEqual([['begun'], false])
})

test.for(['running', 'stopped'] as const)(
  'a cancelled call says so, also if it is %s at that time',
  async (status) => {
    const controller = new AbortController()
    const live = liveCall(says('running', text('begun')))
    const result = await run(
      {
        ...live,
        fetch: async () => {
          controller.abort()
          return says(status)
        },
      },
      { signal: controller.signal },
    )
    expect(getWords(result).slice(0, 3)).toEqual(['begun', 'The call was cancelled.', STANDS])
    expect(result.metadata?.outcome).toBe('cancelled')
  },
)

test('an error in one response makes the complete result an error, with all output', async () => {
  const failed = withStatus(createFailure('There is none.'), 'running')
  const result = await run(
    liveCall(failed, { ...says('stopped', text('done')), structuredContent: { a: 1 } }),
  )
  expect(result).toMatchObject({
    content: [text('There is none.'), text('done')],
    isError: true,
    structuredContent: { a: 1 },
    metadata: { outcome: 'failed' },
  })
})

test('a repeated warning is reported once', async () => {
  const warning = { path: '', message: 'a line was cut' }
  const odd = { ...says('running'), metadata: { warnings: [warning] } }
  const { metadata } = await run(liveCall(odd, odd, says('stopped', question('a'), question('a'))))
  expect(metadata?.warnings).toMatchObject([warning, { code: 'inconsistent-result' }])
})

test('a live call that rejects is ended, and the call rejects with the same reason', async () => {
  const live = liveCall(says('running'))
  const broken: LiveCall = { ...live, fetch: () => Promise.reject(new Error('gone')) }
  await expect(run(broken)).rejects.toThrow('gone')
  expect(live.received).toEqual(['abort'])
})
