import { afterEach, describe, expect, test } from 'vitest'
import {
  createSuccessResult,
  META_STATUS,
  type AnswerQuestion,
  type ToolResult,
} from '@toolblocks/protocol'
import {
  closeExecutors,
  executorOf,
  liveTool,
  question,
  says,
  spawn,
  withExecutor,
} from './live-tool.suite.ts'

afterEach(closeExecutors)

describe('an odd response is said', () => {
  const atStatus = '/_meta/computer.jp~1status'

  test.for<[string, ToolResult, string, string]>([
    [
      'an unknown status',
      { ...createSuccessResult([]), _meta: { [META_STATUS]: 'asleep' } },
      atStatus,
      'the status "asleep" is unknown; the tool is taken as stopped',
    ],
    [
      'a question without an id',
      says('waiting', question('')),
      '/content',
      'a question without an id cannot be answered; it was left out',
    ],
    [
      'a question that is asked twice',
      says('stopped', question('q1'), question('q1')),
      '/content',
      'the question "q1" was asked twice; the second was left out',
    ],
  ])('%s', async ([, response, path, message]) => {
    const result = await executorOf(liveTool([response]))(spawn)
    expect(result.metadata?.warnings?.[0]).toEqual({ path, message, code: 'odd-envelope' })
  })

  test('what the response of an answer warns of is in the result of that answer', async () => {
    const warned: ToolResult = {
      ...says('waiting', question('q1')),
      metadata: { warnings: [{ path: '', message: 'a placeholder was empty' }] },
    }
    const user: AnswerQuestion = async () => ({ action: 'accept', value: true })
    const { act, answer } = withExecutor(liveTool([warned, warned]))
    const spawned = await act(spawn)
    const pair = await answer(spawned, { ask: { user } })
    for (const result of [spawned, pair?.result])
      expect(result?.metadata?.warnings).toMatchObject([{ message: 'a placeholder was empty' }])
  })
})

test('a response that does not say where the call stands is its last one, and not odd', async () => {
  const { metadata } = await executorOf(liveTool([createSuccessResult([])]))(spawn)
  expect(metadata).toEqual({ outcome: 'completed', handle: { id: 'a', status: 'stopped' } })
})
