import { afterEach, describe, expect, test } from 'vitest'
import type { AnswerQuestion, ContentBlock } from '@toolblocks/protocol'
import {
  closeExecutors,
  executorOf,
  liveTool,
  question,
  says,
  spawn,
  text,
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

  test('takes a static answer without asking', async () => {
    const tool = liveTool([waiting, says('stopped')])
    await executorOf(tool, { routes: { q1: { answer: false } } })(spawn)
    expect(tool.told.at(-1)).toEqual({ answers: { q1: false } })
  })

  test('routed to the assistant goes to the model, whose apply answers it', async () => {
    const tool = liveTool([waiting, says('stopped')])
    const act = executorOf(tool, { routes: { q1: { target: 'assistant' } } })
    expect(wordsOf(await act(spawn))).toBe(
      '[handle "a": waiting for an answer; apply it] | hunk 1 | (question)',
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
