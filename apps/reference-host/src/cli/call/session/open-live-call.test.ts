import type { AnswerQuestion, ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { liveCall, says } from './live-tool.support.ts'
import { readActions, runActions } from './open-live-call.ts'

const getWords = (results: readonly ToolResult[]): string[] =>
  results.map(({ content: [block] }) => (block?.type === 'text' ? block.text : ''))

test('a call starts, the actions run in order, and a call that still runs is aborted', async () => {
  const { live, received } = liveCall([
    says('running', 'a'),
    says('running', 'b'),
    says('running', 'c'),
  ])
  const shownResults: ToolResult[] = []
  const steps = [{ action: 'apply', text: 'x' } as const, { action: 'fetch' } as const]
  const { results } = await runActions(live, steps, (result) => shownResults.push(result))
  expect(getWords(results)).toEqual(['a', 'b', 'c'])
  expect(shownResults).toEqual(results)
  expect(received).toEqual([['spawn', { who: 'Ada' }], 'x', 'abort'])
})

test('a program at a terminal receives lines', async () => {
  const { live, received } = liveCall([says('running', 'a')], { lineEnd: '\n' })
  await runActions(live, [{ action: 'apply', text: 'y' }], () => {})
  expect(received[1]).toBe('y\n')
})

test('a tool with a parameter named like an action receives its arguments separately', async () => {
  const inputSchema = { type: 'object', properties: { id: {}, who: {} } }
  const { live, received } = liveCall([says('stopped', 'a')], { inputSchema })
  await runActions(live, [], () => {})
  expect(received).toEqual([['spawn', { who: 'Ada' }]])
})

test('text for a call that asks is its answer, read with the schema of the question', async () => {
  const go = { id: 'go', text: 'Go?', schema: { type: 'boolean' } }
  const { live, received } = liveCall([says('waiting', 'a', go)])
  await runActions(live, [{ action: 'apply', text: 'true' }], () => {})
  expect(received[1]).toEqual({ go: true })
})

test('an invalid answer is reported with its action, and the call is aborted', async () => {
  const go = { id: 'go', text: 'Go?', schema: { type: 'boolean' } }
  const { live, received } = liveCall([says('waiting', 'a', go)])
  const { problem } = await runActions(live, [{ action: 'apply', text: 'perhaps' }], () => {})
  expect(problem).toBe(
    '--action "apply=perhaps": the answer to "go": expected boolean, got string "perhaps"',
  )
  expect(received.at(-1)).toBe('abort')
})

const sure = { id: 'sure', text: 'Sure?', schema: { type: 'boolean' } }
const yes: AnswerQuestion = async () => ({ action: 'accept', value: true })

test('questions to a person are answered between the steps, and each result is separate', async () => {
  const { live, received } = liveCall(
    [
      says('waiting', 'a', sure),
      says('waiting', 'b', sure),
      says('running', 'c'),
      says('stopped', 'd'),
    ],
    { user: yes },
  )
  const shownResults: ToolResult[] = []
  const { results } = await runActions(live, [{ action: 'fetch' }], (result) =>
    shownResults.push(result),
  )
  expect(getWords(results)).toEqual(['a', 'b', 'c', 'd'])
  // What they were asked about they have seen with the question.
  expect(getWords(shownResults)).toEqual(['c', 'd'])
  expect(received.slice(1)).toEqual([{ sure: true }, { sure: true }])
})

test('if no person answers, the question and its result are shown', async () => {
  const { live } = liveCall([says('waiting', 'a', sure)])
  const shownResults: ToolResult[] = []
  const { results } = await runActions(live, [], (result) => shownResults.push(result))
  expect(getWords(shownResults)).toEqual(['a', expect.stringContaining('nobody could answer it')])
  expect(results).toEqual(shownResults)
})

test('text for a call that waits without a question is passed on unchanged', async () => {
  const go = { id: 'go', text: 'Go?', schema: { type: 'boolean' } }
  const { live, received } = liveCall([
    says('waiting', 'a', go),
    says('waiting', 'Title?'),
    says('stopped', 'b'),
  ])
  const steps = ['true', 'true'].map((text) => ({ action: 'apply', text }) as const)
  await runActions(live, steps, () => {})
  expect(received.slice(1)).toEqual([{ go: true }, 'true'])
})

const NOT_RUN = '--action "fetch": this action did not run, because the call had ended before'

test('an action for a call that has ended is reported and not run, with what keeps a call alive', async () => {
  const { live, received } = liveCall([says('stopped', 'a')])
  const { results, problem } = await runActions(live, [{ action: 'fetch' }], () => {})
  expect(getWords(results)).toEqual(['a'])
  expect(problem).toBe(
    `${NOT_RUN}: a call continues while a response has _meta["computer.jp/status"] "running" or "waiting"; a response without it means "stopped"`,
  )
  expect(received).toHaveLength(1)
})

test('after an abort, a failure, or the end of a program at a terminal, no status is explained', async () => {
  const aborted = liveCall([says('running', 'a')])
  const steps = (['abort', 'fetch'] as const).map((action) => ({ action }))
  expect((await runActions(aborted.live, steps, () => {})).problem).toBe(NOT_RUN)
  const failed = liveCall([{ ...says('stopped', 'a'), isError: true }])
  const atTerminal = liveCall([says('stopped', 'a')], { lineEnd: '\n' })
  for (const { live } of [failed, atTerminal]) {
    const { problem } = await runActions(live, [{ action: 'fetch' }], () => {})
    expect(problem).toBe(NOT_RUN)
  }
})

test('actions are apply=TEXT, fetch and abort', () => {
  expect(readActions(['apply=a=b', 'apply=', 'fetch', 'abort'])).toEqual({
    ok: true,
    steps: [
      { action: 'apply', text: 'a=b' },
      { action: 'apply', text: '' },
      { action: 'fetch' },
      { action: 'abort' },
    ],
  })
  expect(readActions(['spawn'])).toEqual({
    ok: false,
    message: '--action "spawn": expected apply=TEXT, fetch or abort',
  })
})
