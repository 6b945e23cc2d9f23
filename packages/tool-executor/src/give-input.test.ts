import type { AnswerQuestion, ToolResult } from '@toolblocks/protocol'
import { afterEach, expect, test } from 'vitest'
import { createToolExecutor } from './create-tool-executor.ts'
import {
  closeExecutors,
  context,
  liveTool,
  question,
  says,
  spawn,
  text,
  withExecutor,
  getWords,
} from './live-tool.support.ts'

afterEach(closeExecutors)

test('the answers of the driving model are recorded like any other', async () => {
  const events: unknown[] = []
  const executor = createToolExecutor({
    tools: [
      {
        tool: liveTool([says('waiting', question('q1')), says('stopped')]),
        policy: 'unattended',
        routes: { q1: { target: 'assistant' } },
      },
    ],
    recordInquiry: (event) => void events.push(event),
  })
  const call = (id: string, values: Record<string, unknown>) =>
    executor.execute({ id, name: 'staging', arguments: values }, context)
  await call('call-1', spawn)
  await call('call-2', { action: 'apply', id: 'a', input: true })
  await executor.close()
  expect(events).toMatchObject([
    { type: 'question', id: 'call-1.q1.1', asked: 'assistant' },
    { type: 'answer', id: 'call-1.q1.1', action: 'accept', value: true },
  ])
})

test('questions to people are recorded under the id of the host’s call for the answer', async () => {
  const events: unknown[] = []
  const { act, answer } = withExecutor(
    liveTool([says('waiting', question('q1')), says('stopped')]),
    { recordInquiry: (event) => void events.push(event) },
  )
  const user: AnswerQuestion = async () => ({ action: 'accept', value: true })
  await answer(await act(spawn), { ask: { user } })
  expect(events).toMatchObject([
    { type: 'question', callId: 'call-1.answer-1', asked: 'user' },
    { type: 'answer', callId: 'call-1.answer-1', value: true },
  ])
})

test.for<[string, Record<string, unknown>, object[]]>([
  ['is aborted', { action: 'abort', id: 'a' }, [{ action: 'cancel', reason: 'aborted' }]],
  [
    'is answered wrongly',
    { action: 'apply', id: 'a', input: 'maybe' },
    [
      { action: 'cancel', reason: 'wrong-answer', id: 'call-1.q1.1' },
      { type: 'question', id: 'call-2.q1.1' },
      { action: 'cancel', reason: 'aborted', id: 'call-2.q1.1' },
    ],
  ],
])('a question to the model that %s is recorded with its outcome', async ([, action, rest]) => {
  const events: unknown[] = []
  const tool = liveTool([says('waiting', question('q1')), says('stopped')])
  const { executor, act } = withExecutor(tool, {
    routes: { q1: { target: 'assistant' } },
    recordInquiry: (event) => void events.push(event),
  })
  await act(spawn)
  await act(action)
  await executor.close()
  expect(events).toMatchObject([{ type: 'question', id: 'call-1.q1.1' }, ...rest])
})

test.for([
  ['answers of people', undefined],
  ['answers of the model', 'assistant'],
] as const)('a tool that asks without end is ended after so many %s', async ([, target]) => {
  const tool = liveTool(Array.from({ length: 40 }, () => says('waiting', question('again'))))
  const user: AnswerQuestion = async () => ({ action: 'accept', value: true })
  const { act, answer } = withExecutor(tool, {
    limits: { interactions: 20 },
    ...(target && { routes: { again: { target } } }),
  })
  let last: ToolResult | undefined = await act(spawn)
  const results = [last]
  while (last?.metadata?.handle?.status === 'waiting') {
    last = target
      ? await act({ action: 'apply', id: 'a', input: true })
      : (await answer(last, { ask: { user } }))?.result
    if (last) results.push(last)
  }
  expect(results).toHaveLength(22)
  expect(last).toMatchObject({ isError: true, metadata: { handle: { status: 'stopped' } } })
  expect(last && getWords(last)).toBe(
    '[handle "a": stopped] | The tool "staging" received 20 inputs or answers, the maximum for one stateful call. | ' +
      'The call was ended; its effects remain. | aborted',
  )
})

test('a person may answer a thousand questions of one call', async () => {
  const asks = Array.from({ length: 1000 }, () => says('waiting', question('again')))
  const { act, answer } = withExecutor(liveTool([...asks, says('stopped', text('done'))]))
  const user: AnswerQuestion = async () => ({ action: 'accept', value: true })
  let last = await act(spawn)
  for (let count = 0; count < 1000; count++)
    last = (await answer(last, { ask: { user } }))?.result ?? last
  expect(getWords(last)).toBe('[handle "a": stopped] | done')
})

test('with nobody to ask and the wish to have it returned, the handle waits with its questions', async () => {
  const tool = liveTool([says('waiting', question('q1')), says('stopped')])
  const { act, answer } = withExecutor(tool)
  const spawned = await act(spawn)
  expect(await answer(spawned, { unanswered: 'return' })).toBeUndefined()
  const result = await act({ action: 'fetch', id: 'a' }, { unanswered: 'return' })
  expect(result.content.map(({ type }) => type)).toEqual(['text', 'question'])
  expect(result.metadata).toMatchObject({ outcome: 'unanswered', handle: { status: 'waiting' } })
  const user: AnswerQuestion = async () => ({ action: 'accept', value: true })
  expect(getWords(await act({ action: 'fetch', id: 'a' }, { ask: { user } }))).toBe(
    '[handle "a": stopped]',
  )
})

test('a declined question ends the call, also if the host wants questions returned', async () => {
  const tool = liveTool([says('waiting', question('q1'))])
  const user: AnswerQuestion = async () => ({ action: 'decline' })
  const { act, answer } = withExecutor(tool)
  const pair = await answer(await act(spawn), { unanswered: 'return', ask: { user } })
  expect(pair?.result.metadata).toMatchObject({
    outcome: 'denied',
    handle: { status: 'stopped' },
  })
  expect(tool.received.at(-1)).toBe('abort')
})

test.for([
  ['a secret', { schema: { type: 'string', format: 'password' } }],
  ['a page to visit', { schema: true, url: 'https://example.com/' }],
] as const)('a model never receives %s, under any route', async ([, extra]) => {
  const request = { id: 'q1', text: 'Which?', ...extra }
  const tool = liveTool([says('waiting', { type: 'question', question: request })])
  let asked = 0
  const assistant: AnswerQuestion = async () => {
    asked += 1
    return { action: 'accept', value: 'of the model' }
  }
  const { act, answer } = withExecutor(tool, { routes: { q1: { target: 'assistant' } } })
  const pair = await answer(await act(spawn), { ask: { assistant } })
  expect(pair?.result.metadata).toMatchObject({
    outcome: 'unanswered',
    handle: { status: 'stopped' },
  })
  expect([asked, tool.received.at(-1)]).toEqual([0, 'abort'])
})

test('a handle is used only through its own tool', async () => {
  const tool = liveTool([says('running'), says('stopped', text('news'))])
  const entries = [tool, liveTool([], { name: 'other' })].map(
    (each) => ({ tool: each, policy: 'unattended' }) as const,
  )
  const executor = createToolExecutor({ tools: entries })
  const act = (name: string, action: string): Promise<ToolResult> =>
    executor.execute({ id: '1', name, arguments: { action, id: 'a' } }, context)
  await act('staging', 'spawn')
  for (const action of ['fetch', 'abort'])
    expect(getWords(await act('other', action))).toBe(
      'Nothing was done: the handle "a" belongs to the tool "staging".',
    )
  expect(getWords(await act('staging', 'fetch'))).toContain('news')
  await executor.close()
})
