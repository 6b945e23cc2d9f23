import {
  type AnswerQuestion,
  type LiveCall,
  type Tool,
  type ToolResult,
  createSuccessResult,
} from '@toolblocks/protocol'
import { META_STATUS } from '@toolblocks/protocol/internal'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  closeExecutors,
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

/** A stateful tool with another start. */
function startedBy(
  tool: Tool,
  change: (live: LiveCall, signal: AbortSignal) => LiveCall | Promise<LiveCall>,
): Tool {
  const { spawn: start } = tool
  if (!start) throw new Error('the tool is not live')
  return {
    ...tool,
    spawn: async (call, context) => await change(await start(call, context), context.signal),
  }
}

const aborts = (received: readonly unknown[]): number =>
  received.filter((word) => word === 'abort').length

test('two parallel spawns of one id start one tool', async () => {
  const tool = liveTool([])
  const act = makeExecutor(tool)
  const texts = (await Promise.all([act(spawn), act(spawn)])).map(getWords)
  expect(texts[0]).toContain('running')
  expect(texts[1]).toContain('"a" already exists')
  expect(tool.received).toHaveLength(1)
})

test('parallel spawns count before they have started', async () => {
  const act = makeExecutor(liveTool([]), { limits: { handles: 1 } })
  const results = await Promise.all([act(spawn), act({ ...spawn, id: 'b' })])
  expect(results.map(({ isError }) => isError)).toEqual([false, true])
})

test('the name of a tool that could not be started can be used again', async () => {
  let tries = 0
  const failing = startedBy(liveTool([]), (live) => {
    tries += 1
    if (tries === 1) throw new Error('no room')
    return live
  })
  const act = makeExecutor(failing)
  expect(getWords(await act(spawn))).toContain('no room')
  expect(getWords(await act(spawn))).toContain('running')
})

test('a tool that starts while the executor closes is aborted', async () => {
  const tool = liveTool([])
  const gate = Promise.withResolvers<void>()
  const slow = startedBy(tool, async (live) => {
    await gate.promise
    return live
  })
  const { executor, act } = withExecutor(slow)
  const spawned = act(spawn)
  await new Promise((next) => setImmediate(next))
  const closed = executor.close()
  gate.resolve()
  await closed
  expect(aborts(tool.received)).toBe(1)
  expect((await spawned).metadata?.outcome).toBe('cancelled')
})

test('a spawn of a call that was aborted before leaves nothing running', async () => {
  const tool = liveTool([])
  const seen: boolean[] = []
  const watched = startedBy(tool, (live, signal) => {
    seen.push(signal.aborted)
    return live
  })
  await makeExecutor(watched)(spawn, { signal: AbortSignal.abort() })
  expect([seen, aborts(tool.received)]).toEqual([[true], 1])
})

test('an aborted spawn shows what the tool had printed', async () => {
  const execute = makeExecutor(liveTool([says('stopped', text('held lines'))]))
  const result = await execute(spawn, { signal: AbortSignal.abort() })
  expect(result.metadata?.outcome).toBe('cancelled')
  expect(getWords(result)).toMatch(/was aborted\.[^]*held lines/)
})

test('a late answer of an aborted tool does not end the next one with its name', async () => {
  const late = Promise.withResolvers<void>()
  let lives = 0
  const tool = startedBy(liveTool([]), (live) => {
    lives += 1
    return lives > 1
      ? live
      : { ...live, fetch: async () => late.promise.then(() => says('stopped', text('late'))) }
  })
  const { executor, act } = withExecutor(tool)
  await act(spawn)
  const fetched = act({ action: 'fetch', id: 'a' })
  await executor.endTurn()
  await act(spawn)
  late.resolve()
  expect(getWords(await fetched)).toContain('late')
  expect(getWords(await act({ action: 'fetch', id: 'a' }))).toBe('[handle "a": running]')
})

test('a late answer of an aborted tool does not make it run again', async () => {
  const late = Promise.withResolvers<void>()
  const tool = startedBy(liveTool([]), (live) => ({
    ...live,
    fetch: async () => late.promise.then(() => says('running', text('late'))),
  }))
  const { executor, act } = withExecutor(tool)
  await act(spawn)
  const fetched = act({ action: 'fetch', id: 'a' })
  await executor.endTurn()
  late.resolve()
  expect(getWords(await fetched)).toBe('[handle "a": stopped] | late')
})

test('a tool that fails to abort is removed, at the end of a turn and when idle', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const failing = startedBy(liveTool([]), (live) => ({
    ...live,
    abort: async () => Promise.reject(new Error('stuck')),
  }))
  const { executor, act } = withExecutor(failing, { limits: { idleMs: 20 } })
  await act(spawn)
  await executor.endTurn()
  expect(getWords(await act(spawn))).toContain('running')
  await vi.advanceTimersByTimeAsync(20)
  expect(getWords(await act(spawn))).toContain('running')
  await expect(executor.close()).resolves.toBeUndefined()
})

test('the end of a turn aborts only starting calls of its own conversation, and waits until that is done', async () => {
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const signals = new Map<string, AbortSignal>()
  const both = Promise.withResolvers<void>()
  const tool = liveTool([])
  const { spawn: start } = tool
  const slow: Tool = {
    ...tool,
    spawn: async (call, context) => {
      const { conversationId = '' } = context
      const gate = Promise.withResolvers<void>()
      gates.set(conversationId, gate)
      signals.set(conversationId, context.signal)
      if (gates.size === 2) both.resolve()
      await gate.promise
      if (!start) throw new Error('the tool is not live')
      return await start(call, context)
    },
  }
  const { executor, act } = withExecutor(slow)
  const one = act(spawn, { conversationId: 'one' })
  const two = act(spawn, { conversationId: 'two' })
  await both.promise
  let isOver = false
  const ended = executor.endTurn('one').then(() => (isOver = true))
  await new Promise((next) => setImmediate(next))
  expect(isOver).toBe(false)
  expect([signals.get('one')?.aborted, signals.get('two')?.aborted]).toEqual([true, false])
  for (const gate of gates.values()) gate.resolve()
  await ended
  const cancelled = await one
  expect(cancelled).toMatchObject({ isError: true, metadata: { outcome: 'cancelled' } })
  expect(getWords(cancelled)).toBe('The start of the handle "a" was aborted.')
  expect(getWords(await two)).toBe('[handle "a": running]')
})

test('a started live call outlives the signal of the call that spawned it', async () => {
  const signals: AbortSignal[] = []
  const tool = startedBy(liveTool([]), (live, signal) => {
    signals.push(signal)
    return live
  })
  const act = makeExecutor(tool)
  const host = new AbortController()
  await act(spawn, { signal: host.signal })
  host.abort()
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
})

test('a live call is told to abort before its signal aborts, also at the end of a turn', async () => {
  const seen: boolean[] = []
  let received: AbortSignal | undefined
  const tool = startedBy(liveTool([]), (live, signal) => {
    received = signal
    return {
      ...live,
      abort: async () => {
        seen.push(signal.aborted)
        return await live.abort()
      },
    }
  })
  const { executor, act } = withExecutor(tool)
  await act(spawn)
  await executor.endTurn()
  expect([seen, received?.aborted]).toEqual([[false], true])
})

afterEach(closeExecutors)

describe('an inconsistent response gives a warning', () => {
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
      'a question without an id cannot be answered; it was omitted',
    ],
    [
      'a question that is asked twice',
      says('stopped', question('q1'), question('q1')),
      '/content',
      'the question "q1" was asked twice; the second was omitted',
    ],
  ])('%s', async ([, response, path, message]) => {
    const result = await makeExecutor(liveTool([response]))(spawn)
    expect(result.metadata?.warnings?.[0]).toEqual({ path, message, code: 'inconsistent-result' })
  })

  test('warnings about the response to an answer are in the result of that answer', async () => {
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

test('a response without a status is the last one, without a warning', async () => {
  const { metadata } = await makeExecutor(liveTool([createSuccessResult([])]))(spawn)
  expect(metadata).toEqual({ outcome: 'completed', handle: { id: 'a', status: 'stopped' } })
})
