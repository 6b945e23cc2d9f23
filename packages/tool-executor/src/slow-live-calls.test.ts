import type { AnswerQuestion, InquiryEvent, LiveCall, Tool, ToolResult } from '@toolblocks/protocol'
import { getEventListeners } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import {
  closeExecutors,
  getWords,
  liveTool,
  question,
  says,
  spawn,
  text,
  withExecutor,
} from './live-tool.support.ts'

afterEach(closeExecutors)

async function letOthersWork(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
}

/** What happens one after the other. A step that begins during another one came too early. */
function watchSteps() {
  const open: string[] = []
  const early: string[] = []
  const done: string[] = []
  return {
    early,
    done,
    take: async (name: string): Promise<void> => {
      early.push(...open.map((before) => `${name} during ${before}`))
      open.push(name)
      await letOthersWork()
      open.splice(open.indexOf(name), 1)
      done.push(name)
    },
  }
}

const describe = (event: InquiryEvent): string =>
  event.type === 'answer' ? `answer ${event.action}` : `question ${event.question.id}`

/** A tool that takes its time, with a recorder that takes its time. `refused`: what cannot be recorded. */
function watch(responses: readonly ToolResult[], refused?: string) {
  const steps = watchSteps()
  const inner = liveTool(responses)
  const tool: Tool = {
    ...inner,
    spawn: async (...parameters): Promise<LiveCall> => {
      const live = await inner.spawn?.(...parameters)
      if (!live) throw new Error('the tool is not live')
      return {
        ...live,
        apply: async (...input) => {
          await steps.take('apply')
          return await live.apply(...input)
        },
        abort: async () => {
          await steps.take('abort')
          return await live.abort()
        },
      }
    },
  }
  const { act, executor } = withExecutor(tool, {
    routes: { a: { target: 'assistant' }, b: { target: 'assistant' } },
    recordInquiry: async (event) => {
      await steps.take(describe(event))
      if (describe(event) === refused) throw new Error('disk full')
    },
  })
  return {
    ...steps,
    act: async (values: Record<string, unknown>): Promise<string> => {
      const output = getWords(await act(values))
      await steps.take('result')
      return output
    },
    executor,
  }
}

const asks = says('waiting', question('a'))
const apply = (input: unknown) => ({ action: 'apply', id: 'a', input })
const FETCH = { action: 'fetch', id: 'a' }
const ABORT = { action: 'abort', id: 'a' }

test.for<[string, readonly ToolResult[], Record<string, unknown>, readonly string[]]>([
  [
    'is right',
    [asks, says('running')],
    apply(true),
    ['question a', 'result', 'answer accept', 'apply', 'result'],
  ],
  [
    'is wrong',
    [asks],
    apply('perhaps'),
    ['question a', 'result', 'answer cancel', 'question a', 'result'],
  ],
  [
    'never comes, because the tool stops',
    [asks, says('stopped')],
    FETCH,
    ['question a', 'result', 'answer cancel', 'result'],
  ],
  [
    'never comes, because the model aborts the tool',
    [asks],
    ABORT,
    ['question a', 'result', 'abort', 'answer cancel', 'result'],
  ],
])(
  'a question to the model and an answer that %s are recorded before anything depends on them',
  async ([, responses, next, expected]) => {
    const { act, early, done } = watch(responses)
    await act(spawn)
    await act(next)
    expect(early).toEqual([])
    expect(done).toEqual(expected)
  },
)

test.for<[string, readonly ToolResult[], readonly Record<string, unknown>[], number]>([
  ['question a', [asks], [spawn], 0],
  ['answer accept', [asks, says('running')], [spawn, apply(true)], 0],
  ['answer cancel', [asks], [spawn, apply('perhaps')], 0],
  ['answer cancel', [asks, says('stopped')], [spawn, FETCH], 0],
  ['answer cancel', [asks], [spawn, ABORT], 1],
])(
  'if %s cannot be recorded, the call fails with the reason, and the tool is told nothing: %o, %o',
  async ([refused, responses, calls, aborts]) => {
    const { act, done } = watch(responses, refused)
    const texts: string[] = []
    for (const values of calls) texts.push(await act(values))
    expect(texts.at(-1)).toContain('disk full')
    expect(texts.slice(0, -1).join()).not.toContain('disk full')
    expect(done.filter((step) => step === 'apply')).toEqual([])
    expect(done.filter((step) => step === 'abort')).toHaveLength(aborts)
  },
)

/** A tool whose calls end when the test says so, and whose first one fails to abort. */
function startEnding() {
  const ended: string[] = []
  const inner = liveTool([])
  let started = 0
  const tool: Tool = {
    ...inner,
    spawn: async (...parameters) => {
      const live = await inner.spawn?.(...parameters)
      if (!live) throw new Error('the tool is not live')
      started += 1
      const name = `call ${started}`
      return {
        ...live,
        abort: async () => {
          if (name === 'call 1') throw new Error('no such process')
          await letOthersWork()
          ended.push(name)
          return await live.abort()
        },
      }
    },
  }
  return { ended, ...withExecutor(tool) }
}

test.for(['endTurn', 'close'] as const)(
  '%s waits until each call has ended, also if one of them fails to end',
  async (how) => {
    const { ended, act, executor } = startEnding()
    for (const id of ['a', 'b', 'c']) await act({ action: 'spawn', id })
    await executor[how]()
    expect(ended.toSorted()).toEqual(['call 2', 'call 3'])
    const output = getWords(await act({ action: 'fetch', id: 'a' }))
    expect(output).toContain('has stopped already')
  },
)

test('a start that was aborted has ended before its call ends', async () => {
  const { ended, act } = startEnding()
  await act({ action: 'spawn', id: 'a' })
  await act({ action: 'spawn', id: 'b' }, { signal: AbortSignal.abort() })
  expect(ended).toEqual(['call 2'])
})

test('a start leaves no listener at the signal of its call, whether it succeeds or fails', async () => {
  const { signal } = new AbortController()
  const { act } = startEnding()
  await act(spawn, { signal })
  const { act: fail } = withExecutor(
    liveTool([], { spawn: async () => await Promise.reject(new Error('no room')) }),
  )
  await fail(spawn, { signal })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('the end of a turn closes the question that a person is asked for a live call', async () => {
  const asked = Promise.withResolvers<AbortSignal>()
  const user: AnswerQuestion = async (_request, { signal }) => {
    asked.resolve(signal)
    await new Promise((done) => signal.addEventListener('abort', done))
    return { action: 'cancel', reason: 'aborted' }
  }
  const { act, executor } = withExecutor(liveTool([says('waiting', question('a'), text('.'))]))
  await act(spawn)
  const fetched = act(FETCH, { ask: { user } })
  const signal = await asked.promise
  expect(signal.aborted).toBe(false)
  await executor.endTurn()
  expect(signal.aborted).toBe(true)
  expect((await fetched).metadata?.handle).toMatchObject({ status: 'stopped' })
})
