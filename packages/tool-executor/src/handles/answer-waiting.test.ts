import { afterEach, describe, expect, test } from 'vitest'
import { type AnswerQuestion, type ContentBlock, type ToolResult } from '@toolblocks/protocol'
import { createToolExecutor } from '../create-tool-executor.ts'
import {
  closeExecutors,
  context,
  executorOf,
  liveTool,
  question,
  says,
  spawn,
  text,
  withExecutor,
  wordsOf,
} from './live-tool.suite.ts'

afterEach(closeExecutors)

describe('a waiting handle', () => {
  const waiting = says('waiting', text('hunk 1'), question('q1'))
  const accept = (value: boolean): AnswerQuestion & { blocks: (readonly ContentBlock[])[] } => {
    const blocks: (readonly ContentBlock[])[] = []
    const port: AnswerQuestion = async (_request, seen) => {
      blocks.push(seen.blocks)
      return { action: 'accept', value }
    }
    return Object.assign(port, { blocks })
  }

  test('asks the user and applies the answer, until it asks no more', async () => {
    const tool = liveTool([
      waiting,
      says('waiting', question('q2')),
      says('stopped', text('staged')),
    ])
    const user = accept(true)
    const result = await executorOf(tool)(spawn, { ask: { user } })
    expect(wordsOf(result)).toBe('[handle "a": stopped] | staged')
    expect(tool.told.slice(1)).toEqual([{ answers: { q1: true } }, { answers: { q2: true } }])
    expect(user.blocks[0]).toEqual([text('hunk 1')])
  })

  test('takes a static answer, and one known before the call, without asking', async () => {
    const tool = liveTool([waiting, says('stopped')])
    await executorOf(tool, { routes: { q1: { answer: false } } })(spawn)
    expect(tool.told.at(-1)).toEqual({ answers: { q1: false } })
    await executorOf(tool)(spawn, { answers: { q1: true, q2: false } })
    expect(tool.told.at(-1)).toEqual({ answers: { q1: true } })
  })

  test('routed to the assistant goes to the model, whose apply answers it', async () => {
    const tool = liveTool([waiting, says('stopped')])
    const act = executorOf(tool, { routes: { q1: { target: 'assistant' } } })
    expect(wordsOf(await act(spawn))).toBe(
      '[handle "a": waiting for an answer; apply it] | hunk 1 | (question) | ' +
        '[question "q1", to be answered with apply]\nStage q1?\n' +
        '[its answer fits this JSON Schema: {"type":"boolean"}]',
    )
    expect(wordsOf(await act({ action: 'apply', id: 'a', input: 'maybe' }))).toContain(
      'the answer to "q1" does not fit: expected boolean, got string "maybe"',
    )
    await act({ action: 'apply', id: 'a', input: true })
    expect(tool.told.at(-1)).toEqual({ answers: { q1: true } })
  })

  test('with several questions for the model takes an object by question id', async () => {
    const target = { target: 'assistant' } as const
    const tool = liveTool([says('waiting', question('q1'), question('q2')), says('stopped')])
    const act = executorOf(tool, { routes: { q1: target, q2: target } })
    await act(spawn)
    expect(wordsOf(await act({ action: 'apply', id: 'a', input: true }))).toContain(
      'expected an object',
    )
    expect(wordsOf(await act({ action: 'apply', id: 'a', input: { q1: true } }))).toContain(
      '"q2" is missing',
    )
    await act({ action: 'apply', id: 'a', input: { q1: true, q2: false } })
    expect(tool.told.at(-1)).toEqual({ answers: { q1: true, q2: false } })
  })

  test('for both asks the user when the model has answered its part', async () => {
    const tool = liveTool([says('waiting', question('q1'), question('q2')), says('stopped')])
    const act = executorOf(tool, { routes: { q1: { target: 'assistant' } } })
    const ask = { user: accept(false) }
    await act(spawn, { ask })
    await act({ action: 'apply', id: 'a', input: { q1: true } }, { ask }).then(wordsOf)
    expect(tool.told.at(-1)).toEqual({ answers: { q1: true, q2: false } })
  })

  test('shows the user what stands before a question, also when the model answers first', async () => {
    const both = says('waiting', text('one'), question('q1'), text('two'), question('q2'))
    const act = executorOf(liveTool([both]), { routes: { q1: { target: 'assistant' } } })
    const user = accept(true)
    await act(spawn, { ask: { user } })
    await act({ action: 'apply', id: 'a', input: { q1: true } }, { ask: { user } })
    expect(user.blocks).toEqual([[text('one'), text('two')]])
  })

  test('need not repeat its questions when it is fetched', async () => {
    const tool = liveTool([waiting, says('waiting'), says('stopped')])
    const act = executorOf(tool, { routes: { q1: { target: 'assistant' } } })
    await act(spawn)
    expect(wordsOf(await act({ action: 'fetch', id: 'a' }))).toContain('waiting for an answer')
    await act({ action: 'apply', id: 'a', input: true })
    expect(tool.told.at(-1)).toEqual({ answers: { q1: true } })
  })

  test('without a question is running', async () => {
    const tool = liveTool([says('waiting', text('hm'))])
    const act = executorOf(tool)
    expect((await act(spawn)).metadata?.['handle']).toEqual({ id: 'a', status: 'running' })
    await act({ action: 'apply', id: 'a', input: 'y' })
    expect(tool.told.at(-1)).toEqual({ input: 'y' })
  })

  test('for the user refuses what the model applies; the next fetch asks', async () => {
    const tool = liveTool([says('running'), waiting, says('waiting'), says('stopped', text('ok'))])
    const { executor, act } = withExecutor(tool)
    const user = accept(true)
    await act(spawn)
    await executor.execute(
      { id: 'w', name: 'await', arguments: { any: ['a'], timeout_secs: 0.01 } },
      context,
    )
    const refused = await act({ action: 'apply', id: 'a', input: true }, { ask: { user } })
    expect(wordsOf(refused)).toBe(
      'Nothing was done: it waits for a person; fetch it, and the person is asked.',
    )
    const result = await act({ action: 'fetch', id: 'a' }, { ask: { user } })
    expect([wordsOf(result), user.blocks]).toEqual([
      '[handle "a": stopped] | ok',
      [[text('hunk 1')]],
    ])
  })

  test('never has a model visit a page', async () => {
    const page: ContentBlock = {
      type: 'question',
      question: { id: 'q1', text: 'Sign in?', schema: true, url: 'https://example.com' },
    }
    const tool = liveTool([says('waiting', page), says('stopped')])
    const act = executorOf(tool, { routes: { q1: { target: 'assistant' } } })
    expect((await act(spawn)).metadata?.outcome).toBe('unanswered')
  })

  test('whose person declines after the model has answered says so as a handle', async () => {
    const both = says('waiting', question('q1'), question('q2'))
    const act = executorOf(liveTool([both]), { routes: { q1: { target: 'assistant' } } })
    const ask = { user: async () => ({ action: 'decline' }) as const }
    await act(spawn, { ask })
    expect(await act({ action: 'apply', id: 'a', input: { q1: true } }, { ask })).toMatchObject({
      content: [text('[handle "a": stopped]'), {}],
      metadata: { outcome: 'denied', handle: { id: 'a', status: 'stopped' } },
    })
  })

  test('whose turn ends while a person is asked closes the question', async () => {
    const asked = Promise.withResolvers<void>()
    const { executor, act } = withExecutor(liveTool([waiting]))
    const user: AnswerQuestion = async (_request, { signal }) => {
      asked.resolve()
      await new Promise((done) => signal.addEventListener('abort', done, { once: true }))
      return { action: 'cancel', reason: 'aborted' }
    }
    const spawned = act(spawn, { ask: { user } })
    await asked.promise
    await executor.endTurn()
    expect((await spawned).metadata?.outcome).toBe('cancelled')
  })

  test.for([
    [{ user: async () => ({ action: 'decline' }) as const }, 'denied'],
    [{ user: async () => ({ action: 'cancel', reason: 'user' }) as const }, 'cancelled'],
    [{}, 'unanswered'],
  ] as const)('without an answer is aborted: %j', async ([ask, outcome]) => {
    const tool = liveTool([waiting])
    const act = executorOf(tool)
    const result = await act(spawn, { ask })
    expect(result).toMatchObject({ isError: true, metadata: { outcome } })
    expect(tool.told.at(-1)).toBe('abort')
    expect(wordsOf(await act({ action: 'fetch', id: 'a' }))).toContain('stopped already')
  })
})

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
    { type: 'answer', id: 'call-1.q1.1', outcome: 'answered', value: true },
  ])
})

test.for<[string, Record<string, unknown>, object[]]>([
  ['is aborted', { action: 'abort', id: 'a' }, [{ outcome: 'cancelled', reason: 'aborted' }]],
  [
    'is answered wrongly',
    { action: 'apply', id: 'a', input: 'maybe' },
    [
      { outcome: 'cancelled', reason: 'wrong-answer', id: 'call-1.q1.1' },
      { type: 'question', id: 'call-2.q1.1' },
      { outcome: 'cancelled', reason: 'aborted', id: 'call-2.q1.1' },
    ],
  ],
])('a question to the model that %s is recorded with what came of it', async ([, action, rest]) => {
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

test('a tool that asks without end is stopped after sixteen rounds, and that is an error', async () => {
  const tool = liveTool(Array.from({ length: 40 }, () => says('waiting', question('again'))))
  let asked = 0
  const user: AnswerQuestion = async () => {
    asked += 1
    return { action: 'accept', value: true }
  }
  const { act } = withExecutor(tool)
  const result = await act(spawn, { ask: { user } })
  expect(result).toMatchObject({ isError: true, metadata: { handle: { status: 'stopped' } } })
  expect(wordsOf(result)).toBe(
    '[handle "a": stopped] | The tool "staging" asked for 16 rounds and was stopped.',
  )
  expect([asked, tool.told.at(-1)]).toEqual([16, 'abort'])
})

test('with nobody to ask and the wish to have it returned, the handle waits with its questions', async () => {
  const tool = liveTool([says('waiting', question('q1')), says('stopped')])
  const { act } = withExecutor(tool)
  const result = await act(spawn, { unanswered: 'return' })
  expect(result.content.map(({ type }) => type)).toEqual(['text', 'question'])
  expect(result.metadata).toMatchObject({ outcome: 'unanswered', handle: { status: 'waiting' } })
  const user: AnswerQuestion = async () => ({ action: 'accept', value: true })
  expect(wordsOf(await act({ action: 'fetch', id: 'a' }, { ask: { user } }))).toBe(
    '[handle "a": stopped]',
  )
})

test('what a person declines ends the call, whoever wishes to have questions returned', async () => {
  const tool = liveTool([says('waiting', question('q1'))])
  const user: AnswerQuestion = async () => ({ action: 'decline' })
  const result = await executorOf(tool)(spawn, { unanswered: 'return', ask: { user } })
  expect(result.metadata).toMatchObject({ outcome: 'denied', handle: { status: 'stopped' } })
  expect(tool.told.at(-1)).toBe('abort')
})

test.for([
  ['a secret', { schema: { type: 'string', format: 'password' } }],
  ['a page to visit', { schema: true, url: 'https://example.com/' }],
] as const)('%s is given to no model, whatever the route says', async ([, extra]) => {
  const request = { id: 'q1', text: 'Which?', ...extra }
  const tool = liveTool([says('waiting', { type: 'question', question: request })])
  let asked = 0
  const assistant: AnswerQuestion = async () => {
    asked += 1
    return { action: 'accept', value: 'of the model' }
  }
  const act = executorOf(tool, { routes: { q1: { target: 'assistant' } } })
  const result = await act(spawn, { ask: { assistant } })
  expect(result.metadata).toMatchObject({ outcome: 'unanswered', handle: { status: 'stopped' } })
  expect([asked, tool.told.at(-1)]).toEqual([0, 'abort'])
})

test('a handle is used through its own tool only', async () => {
  const tool = liveTool([says('running'), says('stopped', text('news'))])
  const entries = [tool, liveTool([], { name: 'other' })].map(
    (each) => ({ tool: each, policy: 'unattended' }) as const,
  )
  const executor = createToolExecutor({ tools: entries })
  const act = (name: string, action: string): Promise<ToolResult> =>
    executor.execute({ id: '1', name, arguments: { action, id: 'a' } }, context)
  await act('staging', 'spawn')
  for (const action of ['fetch', 'abort'])
    expect(wordsOf(await act('other', action))).toBe(
      'Nothing was done: the handle "a" belongs to the tool "staging".',
    )
  expect(wordsOf(await act('staging', 'fetch'))).toContain('news')
  await executor.close()
})
