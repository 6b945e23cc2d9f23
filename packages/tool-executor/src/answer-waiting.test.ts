import { afterEach, describe, expect, test } from 'vitest'
import type { AnswerQuestion, ContentBlock, ToolResult } from '@toolblocks/protocol'
import type { LiveHandle } from '@toolblocks/protocol/internal'
import {
  closeExecutors,
  context,
  makeExecutor,
  liveTool,
  question,
  says,
  spawn,
  text,
  withExecutor,
  getWords,
} from './live-tool.support.ts'

afterEach(closeExecutors)

/** A result with a handle of this id. */
const makeHandle = (id: unknown): ToolResult => ({
  content: [],
  isError: false,
  metadata: { handle: { id, status: 'waiting' } as unknown as LiveHandle },
})

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

  test('is the result of the start, which says that the user must be asked', async () => {
    const tool = liveTool([waiting])
    const user = accept(true)
    const { act } = withExecutor(tool)
    const result = await act(spawn, { ask: { user } })
    expect(result).toMatchObject({
      isError: false,
      metadata: { outcome: 'completed', handle: { id: 'a', status: 'waiting', asks: 'user' } },
    })
    expect(getWords(result)).toBe(
      '[handle "a": waiting for the user to answer "q1"; a fetch asks the user] | hunk 1 | (question)',
    )
    expect([user.blocks, tool.received.length]).toEqual([[], 1])
  })

  test('is answered by one call of the host after the other, each with its result', async () => {
    const tool = liveTool([
      waiting,
      says('waiting', text('staged 1'), question('q2')),
      says('stopped', text('staged 2')),
    ])
    const user = accept(true)
    const { act, answer } = withExecutor(tool)
    const ask = { user }
    const first = await answer(await act(spawn), { ask })
    const second = first && (await answer(first.result, { ask }))
    expect([first?.call, second?.call]).toEqual([
      {
        id: 'call-1.answer-1',
        name: 'staging',
        arguments: { action: 'apply', id: 'a', input: { q1: true } },
        _meta: { 'toolblocks/made-by': 'host' },
      },
      {
        id: 'call-1.answer-2',
        name: 'staging',
        arguments: { action: 'apply', id: 'a', input: { q2: true } },
        _meta: { 'toolblocks/made-by': 'host' },
      },
    ])
    expect(first?.result).toMatchObject({
      id: 'call-1.answer-1',
      metadata: { outcome: 'completed' },
    })
    expect([first, second].map((pair) => pair && getWords(pair.result))).toEqual([
      '[handle "a": waiting for the user to answer "q2"; a fetch asks the user] | staged 1 | (question)',
      '[handle "a": stopped] | staged 2',
    ])
    expect(second && (await answer(second.result, { ask }))).toBeUndefined()
    expect(tool.received.slice(1)).toEqual([{ answers: { q1: true } }, { answers: { q2: true } }])
    expect(user.blocks).toEqual([[text('hunk 1')], [text('staged 1')]])
  })

  test('has calls of the host that are numbered by its questions, not by its results', async () => {
    const { act, answer } = withExecutor(
      liveTool([says('running'), waiting, says('stopped', text('end'))]),
    )
    const ask = { user: accept(true) }
    expect(await answer(await act(spawn), { ask })).toBeUndefined()
    const asked = await answer(await act({ action: 'fetch', id: 'a' }), { ask })
    expect(asked?.call.id).toBe('call-1.answer-1')
  })

  test('is answered by a fetch, whose result includes the effect of the answer; the next fetch asks again', async () => {
    const tool = liveTool([waiting, says('waiting', question('q2')), says('stopped', text('end'))])
    const act = makeExecutor(tool)
    const ask = { user: accept(true) }
    await act(spawn)
    expect(getWords(await act({ action: 'fetch', id: 'a' }, { ask }))).toContain('to answer "q2"')
    expect(tool.received.slice(1)).toEqual([{ answers: { q1: true } }])
    expect(getWords(await act({ action: 'fetch', id: 'a' }, { ask }))).toBe(
      '[handle "a": stopped] | end',
    )
    expect(tool.received.slice(1)).toEqual([{ answers: { q1: true } }, { answers: { q2: true } }])
  })

  test('that a fetch finds is returned, and not asked immediately', async () => {
    const act = makeExecutor(liveTool([says('running'), waiting]))
    const user = accept(true)
    await act(spawn)
    const fetched = await act({ action: 'fetch', id: 'a' }, { ask: { user } })
    expect([fetched.metadata?.handle?.asks, user.blocks]).toEqual(['user', []])
  })

  test('whose second question is declined keeps the effect of the first answer, and its result includes that effect', async () => {
    const tool = liveTool([waiting, says('waiting', text('staged 1'), question('q2'))])
    const { act, answer } = withExecutor(tool)
    const first = await answer(await act(spawn), { ask: { user: accept(true) } })
    const decline: AnswerQuestion = async () => ({ action: 'decline' })
    const second = first && (await answer(first.result, { ask: { user: decline } }))
    expect(first && getWords(first.result)).toContain('staged 1')
    expect(second?.call.arguments).toEqual({ action: 'abort', id: 'a' })
    expect(second?.result).toMatchObject({
      isError: true,
      metadata: { outcome: 'denied', handle: { id: 'a', status: 'stopped' } },
    })
    expect(second && getWords(second.result)).toBe(
      '[handle "a": stopped] | The tool asked "Stage q2?" (q2), and that was declined. | ' +
        'The call was ended; its effects remain. | aborted',
    )
    expect(tool.received.at(-1)).toBe('abort')
  })

  test('uses a static answer, and one known before the call, without asking', async () => {
    const tool = liveTool([waiting, says('stopped')])
    const routed = withExecutor(tool, { routes: { q1: { answer: false } } })
    const pair = await routed.answer(await routed.act(spawn))
    expect(tool.received.at(-1)).toEqual({ answers: { q1: false } })
    expect(pair?.call.arguments['input']).toEqual({ q1: false })
    const { act, answer } = withExecutor(tool)
    await answer(await act(spawn), { answers: { q1: true, q2: false } })
    expect(tool.received.at(-1)).toEqual({ answers: { q1: true } })
  })

  test('that asks for a secret receives it, and the call of the host does not contain it', async () => {
    const request = { id: 'q1', text: 'Which?', schema: { type: 'string', format: 'password' } }
    const tool = liveTool([
      says('waiting', { type: 'question', question: request }, question('q2')),
      says('stopped'),
    ])
    const { act, answer } = withExecutor(tool)
    const user: AnswerQuestion = async ({ id }) => ({
      action: 'accept',
      value: id === 'q1' ? 'hush' : true,
    })
    const pair = await answer(await act(spawn), { ask: { user } })
    expect(tool.received.at(-1)).toEqual({ answers: { q1: 'hush', q2: true } })
    expect(pair?.call.arguments['input']).toEqual({
      q1: '[a secret, which is not shown]',
      q2: true,
    })
    expect(JSON.stringify(pair)).not.toContain('hush')
  })

  test('that is asked twice at once asks once', async () => {
    const { act, answer } = withExecutor(liveTool([waiting, says('stopped', text('done'))]))
    const user = accept(true)
    const spawned = await act(spawn)
    const pairs = await Promise.all([1, 2].map(() => answer(spawned, { ask: { user } })))
    expect(pairs.map((pair) => pair && getWords(pair.result))).toEqual([
      '[handle "a": stopped] | done',
      undefined,
    ])
    expect(user.blocks).toHaveLength(1)
  })

  test.for<[string, ToolResult]>([
    ['of no live call', { content: [], isError: false }],
    ['of a handle that is gone', makeHandle('b')],
    ['whose handle is no name', makeHandle(7)],
  ])('does not belong to a result %s', async ([, result]) => {
    const { act, answer } = withExecutor(liveTool([waiting]))
    await act(spawn)
    expect(await answer(result, { ask: { user: accept(true) } })).toBeUndefined()
  })

  test('for the model has no question for a person', async () => {
    const { act, answer } = withExecutor(liveTool([waiting]), {
      routes: { q1: { target: 'assistant' } },
    })
    const spawned = await act(spawn)
    expect(spawned.metadata?.handle).toEqual({ id: 'a', status: 'waiting', asks: 'assistant' })
    expect(await answer(spawned, { ask: { user: accept(true) } })).toBeUndefined()
  })

  test('keeps waiting if the answer could not be stored, and call and result say so', async () => {
    const { act, answer } = withExecutor(liveTool([waiting]), {
      recordInquiry: () => Promise.reject(new Error('disk full')),
    })
    const pair = await answer(await act(spawn), { ask: { user: accept(true) } })
    expect(pair?.result).toMatchObject({ isError: true, id: 'call-1.answer-1' })
    expect(pair && getWords(pair.result)).toContain('disk full')
    expect(getWords(await act({ action: 'abort', id: 'a' }))).toContain('aborted')
  })

  test('routed to the assistant goes to the model, whose apply answers it', async () => {
    const tool = liveTool([waiting, says('stopped')])
    const act = makeExecutor(tool, { routes: { q1: { target: 'assistant' } } })
    expect(getWords(await act(spawn))).toBe(
      '[handle "a": waiting for an answer to "q1"; apply it] | hunk 1 | (question)',
    )
    expect(getWords(await act({ action: 'apply', id: 'a', input: 'maybe' }))).toContain(
      'the answer to "q1" is invalid: expected boolean, got string "maybe"',
    )
    await act({ action: 'apply', id: 'a', input: true })
    expect(tool.received.at(-1)).toEqual({ answers: { q1: true } })
  })

  test('with several questions for the model takes an object by question id', async () => {
    const target = { target: 'assistant' } as const
    const tool = liveTool([says('waiting', question('q1'), question('q2')), says('stopped')])
    const act = makeExecutor(tool, { routes: { q1: target, q2: target } })
    await act(spawn)
    expect(getWords(await act({ action: 'apply', id: 'a', input: true }))).toContain(
      'expected an object',
    )
    expect(getWords(await act({ action: 'apply', id: 'a', input: { q1: true } }))).toContain(
      '"q2" is missing',
    )
    await act({ action: 'apply', id: 'a', input: { q1: true, q2: false } })
    expect(tool.received.at(-1)).toEqual({ answers: { q1: true, q2: false } })
  })

  test('for both asks the user after the model has answered its part', async () => {
    const tool = liveTool([says('waiting', question('q1'), question('q2')), says('stopped')])
    const act = makeExecutor(tool, { routes: { q1: { target: 'assistant' } } })
    const ask = { user: accept(false) }
    await act(spawn, { ask })
    await act({ action: 'apply', id: 'a', input: { q1: true } }, { ask }).then(getWords)
    expect(tool.received.at(-1)).toEqual({ answers: { q1: true, q2: false } })
  })

  test('shows the user the blocks before a question, also if the model answers first', async () => {
    const both = says('waiting', text('one'), question('q1'), text('two'), question('q2'))
    const act = makeExecutor(liveTool([both]), { routes: { q1: { target: 'assistant' } } })
    const user = accept(true)
    await act(spawn, { ask: { user } })
    await act({ action: 'apply', id: 'a', input: { q1: true } }, { ask: { user } })
    expect(user.blocks).toEqual([[text('one'), text('two')]])
  })

  test('need not repeat its questions when it is fetched', async () => {
    const tool = liveTool([waiting, says('waiting'), says('stopped')])
    const act = makeExecutor(tool, { routes: { q1: { target: 'assistant' } } })
    await act(spawn)
    expect(getWords(await act({ action: 'fetch', id: 'a' }))).toContain('waiting for an answer')
    await act({ action: 'apply', id: 'a', input: true })
    expect(tool.received.at(-1)).toEqual({ answers: { q1: true } })
  })

  test('without a question accepts free input from its driver, and asks no person', async () => {
    const tool = liveTool([says('waiting', text('Title?'))])
    const { act, answer } = withExecutor(tool)
    const spawned = await act(spawn)
    expect(spawned.metadata?.handle).toEqual({ id: 'a', status: 'waiting', asks: 'assistant' })
    expect(getWords(spawned)).toBe('[handle "a": waiting for input; apply it] | Title?')
    expect(await answer(spawned, { ask: { user: accept(true) } })).toBeUndefined()
    await act({ action: 'apply', id: 'a', input: 'y' })
    expect(tool.received.at(-1)).toEqual({ input: 'y' })
  })

  test('for the user refuses input of the model; the next fetch asks', async () => {
    const tool = liveTool([says('running'), waiting, says('stopped', text('ok'))])
    const { executor, act } = withExecutor(tool)
    const user = accept(true)
    await act(spawn)
    await executor.execute(
      { id: 'w', name: 'await', arguments: { any: ['a'], timeout_secs: 0.01 } },
      context,
    )
    const refused = await act({ action: 'apply', id: 'a', input: true }, { ask: { user } })
    expect(getWords(refused)).toBe(
      'Nothing was done: it waits for a person; fetch it to ask the person.',
    )
    const result = await act({ action: 'fetch', id: 'a' }, { ask: { user } })
    expect([getWords(result), user.blocks]).toEqual([
      // The model receives what arrived while it was awaiting, and the person who decides sees it.
      '[handle "a": stopped] | hunk 1 | (question) | ok',
      [[text('hunk 1')]],
    ])
  })

  test('never lets a model visit a page', async () => {
    const page: ContentBlock = {
      type: 'question',
      question: { id: 'q1', text: 'Sign in?', schema: true, url: 'https://example.com' },
    }
    const tool = liveTool([says('waiting', page), says('stopped')])
    const { act, answer } = withExecutor(tool, { routes: { q1: { target: 'assistant' } } })
    expect((await answer(await act(spawn)))?.result.metadata?.outcome).toBe('unanswered')
  })

  test('whose person declines after the model has answered reports this as a handle', async () => {
    const both = says('waiting', question('q1'), question('q2'))
    const act = makeExecutor(liveTool([both]), { routes: { q1: { target: 'assistant' } } })
    const ask = { user: async () => ({ action: 'decline' }) as const }
    await act(spawn, { ask })
    expect(await act({ action: 'apply', id: 'a', input: { q1: true } }, { ask })).toMatchObject({
      content: [text('[handle "a": stopped]'), {}, {}, text('aborted')],
      metadata: { outcome: 'denied', handle: { id: 'a', status: 'stopped' } },
    })
  })

  test('keeps waiting if a fetch is cancelled while a person is asked; the next fetch asks again', async () => {
    const tool = liveTool([waiting, says('stopped', text('staged'))])
    const { act, answer } = withExecutor(tool)
    const spawned = await act(spawn)
    const cancelling = (): Parameters<typeof act>[1] => {
      const controller = new AbortController()
      const user: AnswerQuestion = async () => {
        controller.abort()
        return { action: 'cancel', reason: 'aborted' }
      }
      return { ask: { user }, signal: controller.signal }
    }
    const left = await act({ action: 'fetch', id: 'a' }, cancelling())
    expect(left.metadata).toMatchObject({
      outcome: 'cancelled',
      handle: { status: 'waiting', asks: 'user' },
    })
    expect(getWords(left)).toContain('the handle keeps waiting')
    expect(await answer(spawned, cancelling())).toBeUndefined()
    expect(tool.received).toHaveLength(1)
    const user = accept(true)
    expect(getWords(await act({ action: 'fetch', id: 'a' }, { ask: { user } }))).toContain('staged')
    expect(user.blocks).toEqual([[text('hunk 1')]])
  })

  test('whose turn ends while a person is asked closes the question', async () => {
    const asked = Promise.withResolvers<void>()
    const { executor, act, answer } = withExecutor(liveTool([waiting]))
    const user: AnswerQuestion = async (_request, { signal }) => {
      asked.resolve()
      await new Promise((done) => signal.addEventListener('abort', done, { once: true }))
      return { action: 'cancel', reason: 'aborted' }
    }
    const answered = answer(await act(spawn), { ask: { user } })
    await asked.promise
    await executor.endTurn()
    const pair = await answered
    expect(pair?.result.metadata?.outcome).toBe('cancelled')
    expect(pair && getWords(pair.result)).toMatch(/its effects remain\.$/)
  })

  test.for([
    [{ user: async () => ({ action: 'decline' }) as const }, 'denied'],
    [{ user: async () => ({ action: 'cancel', reason: 'user' }) as const }, 'cancelled'],
    [{}, 'unanswered'],
  ] as const)('without an answer is aborted: %j', async ([ask, outcome]) => {
    const tool = liveTool([waiting])
    const { act, answer } = withExecutor(tool)
    const pair = await answer(await act(spawn), { ask })
    expect(pair?.result).toMatchObject({ isError: true, metadata: { outcome } })
    expect(tool.received.at(-1)).toBe('abort')
    expect(getWords(await act({ action: 'fetch', id: 'a' }))).toContain('stopped already')
  })
})
