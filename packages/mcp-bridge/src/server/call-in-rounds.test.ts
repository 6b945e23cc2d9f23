import { getEventListeners, once } from 'node:events'
import {
  createSuccessResult,
  type JsonObject,
  type ToolDefinition,
  isJsonObject,
} from '@toolblocks/protocol'
import { MAX_SERVED_CALLS } from '@toolblocks/protocol/internal'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { TASKS } from '../wire/request-meta.ts'
import { type CallsInRounds, createCallsInRounds } from './call-in-rounds.ts'
import { createStateSealer } from './sealed-state.ts'
import { createFollowedCalls, type FollowedCalls } from './tasks-extension.ts'
import type { ClientService, ServeCall } from './tool-service.ts'

const TOOL: ToolDefinition = { name: 'tool', inputSchema: { type: 'object' } }
const YES = { action: 'accept', content: { value: true } }

/** A tool that asks and then returns what the test decides. */
const asks =
  (then: ServeCall): ServeCall =>
  async (call, context, client) => {
    const request = { id: 'run', text: 'Run?', schema: { type: 'boolean' } }
    const source = { kind: 'question', call } as const
    await context.ask?.user?.(request, { blocks: [], source, signal: context.signal })
    return await then(call, context, client)
  }

const done: ServeCall = async () => createSuccessResult([{ type: 'text', text: 'done' }])

/** The calls of a service. `watching`: how many rounds receive log messages now. */
function begin(callTool: ServeCall, close: ClientService['close'] = async () => undefined) {
  const followed = createFollowedCalls()
  const calls = createCallsInRounds(createStateSealer(), followed)
  const state = { watching: 0, closed: 0 }
  const service: ClientService = {
    name: 's',
    version: '1',
    root: '/',
    definitions: () => [TOOL],
    callTool,
    close: async () => {
      await close()
      state.closed += 1
    },
  }
  const serve = async (
    request: Partial<Parameters<CallsInRounds['serve']>[0]> = {},
    extensions: JsonObject = {},
  ): Promise<JsonObject> =>
    await calls.serve({
      params: { name: 'tool', arguments: {} },
      inputResponses: {},
      requestState: undefined,
      client: { identity: 'a', capabilities: { elicitation: { form: {} }, extensions } },
      context: { root: '/', signal: new AbortController().signal },
      notify: () => undefined,
      open: async () => service,
      watchLog: async () => {
        state.watching += 1
        return () => void (state.watching -= 1)
      },
      ...request,
    })
  return { calls, followed, serve, state }
}

/** Returns what the next round sends. */
function answer(asked: JsonObject): { inputResponses: JsonObject; requestState: string } {
  const { inputRequests, requestState } = asked
  const keys = isJsonObject(inputRequests) ? Object.keys(inputRequests) : []
  return {
    inputResponses: Object.fromEntries(keys.map((key) => [key, YES])),
    requestState: String(requestState),
  }
}

const settle = async (): Promise<void> => await new Promise(setImmediate)

/** The rejections that nothing has handled until the end of the test. */
function noteUnhandled(): unknown[] {
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  return unhandled
}

describe('a round that has ended', () => {
  test('leaves no listener at its request, whose later end does not end the call', async () => {
    const { serve, state } = begin(asks(done))
    const request = new AbortController()
    const asked = await serve({ context: { root: '/', signal: request.signal } })
    expect(asked).toMatchObject({ resultType: 'input_required' })
    expect(getEventListeners(request.signal, 'abort')).toHaveLength(0)
    request.abort()
    expect(state).toEqual({ watching: 0, closed: 0 })
    expect(await serve(answer(asked))).toMatchObject({ content: [{ text: 'done' }] })
    await settle()
    expect(state).toEqual({ watching: 0, closed: 1 })
  })

  test('whose request was cancelled before ends the call', async () => {
    const { serve, state } = begin(asks(done))
    expect(await serve({ context: { root: '/', signal: AbortSignal.abort() } })).not.toMatchObject({
      resultType: 'input_required',
    })
    await settle()
    expect(state).toEqual({ watching: 0, closed: 1 })
  })

  test('receives no log messages, also if its call could not be started', async () => {
    const { serve, state } = begin(done)
    await expect(serve({ params: { name: 'other' } })).rejects.toThrow('Unknown tool: other')
    expect(state).toEqual({ watching: 0, closed: 1 })
  })
})

test('a question that was answered leaves no listener at the signal of the tool', async () => {
  const signals: AbortSignal[] = []
  const { serve } = begin(
    asks(async (call, context, client) => {
      signals.push(context.signal)
      return await done(call, context, client)
    }),
  )
  await serve(answer(await serve()))
  expect(signals.map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0])
})

test('the error of a call that cannot be started arrives after what was opened for it has ended, whatever its end says', async () => {
  const steps: string[] = []
  const { serve } = begin(done, async () => {
    await settle()
    steps.push('closed')
    throw new Error('cannot be closed')
  })
  await expect(serve({ params: { name: 'other' } })).rejects.toThrow('Unknown tool: other')
  expect(steps).toEqual(['closed'])
})

describe('a call that fails leaves no unhandled rejection', () => {
  const fail: ServeCall = async () => {
    await settle()
    throw new Error('no')
  }
  const closeFails = async (): Promise<void> => await Promise.reject(new Error('not closed'))

  test('at once', async () => {
    const unhandled = noteUnhandled()
    await expect(begin(fail, closeFails).serve()).rejects.toThrow('no')
    await settle()
    expect(unhandled).toEqual([])
  })

  test('after an answer', async () => {
    const unhandled = noteUnhandled()
    const { serve } = begin(asks(fail), closeFails)
    await expect(serve(answer(await serve()))).rejects.toThrow('no')
    await settle()
    expect(unhandled).toEqual([])
  })

  test('while it waits for its client', async () => {
    const unhandled = noteUnhandled()
    const { calls, serve } = begin(asks(fail), closeFails)
    await serve()
    calls.close()
    await settle()
    await settle()
    expect(unhandled).toEqual([])
  })

  test('as a task, also after an answer', async () => {
    const unhandled = noteUnhandled()
    const { followed, serve } = begin(async (call, context, client) => {
      client.continueAsTask?.()
      return await asks(fail)(call, context, client)
    }, closeFails)
    const { taskId } = await serve({}, { [TASKS]: {} })
    const owner = JSON.stringify(['a', undefined])
    const read = async (method: string, more: JsonObject = {}): Promise<JsonObject> =>
      await followed.answer(method, { taskId, ...more }, owner)
    await settle()
    const { inputResponses } = answer(await read('tasks/get'))
    await read('tasks/update', { inputResponses })
    await settle()
    await settle()
    expect(await read('tasks/get')).toMatchObject({ status: 'failed', error: { message: 'no' } })
    expect(unhandled).toEqual([])
  })
})

const MINUTE = 60_000
const MAX_HELD = MAX_SERVED_CALLS / 2

describe('a call that waits for its client', () => {
  /** A tool that asks twice, and notes its runs. */
  function asksTwice(): { callTool: ServeCall; runs: string[]; ended: string[] } {
    const runs: string[] = []
    const ended: string[] = []
    const callTool: ServeCall = async (call, context, client) => {
      runs.push(call.id)
      context.signal.addEventListener('abort', () => void ended.push(call.id))
      return await asks(asks(done))(call, context, client)
    }
    return { callTool, runs, ended }
  }

  test('has ten minutes from its last round, and then ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { callTool, runs, ended } = asksTwice()
    const { serve } = begin(callTool)
    const first = await serve()
    vi.advanceTimersByTime(9 * MINUTE)
    const second = await serve(answer(first))
    vi.advanceTimersByTime(9 * MINUTE)
    expect(ended).toEqual([])
    vi.advanceTimersByTime(1 * MINUTE)
    expect(ended).toEqual(runs)
    expect(await serve(answer(second))).toMatchObject({ content: [{ text: 'done' }] })
    expect(runs).toHaveLength(2)
  })

  test('that ended early and runs again has ten minutes again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { callTool, runs, ended } = asksTwice()
    const { calls, serve } = begin(callTool)
    const first = await serve()
    calls.close()
    expect(ended).toEqual(runs)
    vi.advanceTimersByTime(9 * MINUTE)
    const again = await serve(answer(first))
    vi.advanceTimersByTime(9 * MINUTE)
    expect([runs.length, ended.length]).toEqual([2, 1])
    expect(await serve(answer(again))).toMatchObject({ content: [{ text: 'done' }] })
    expect(runs).toHaveLength(2)
  })

  test('ends if too many others wait, and runs again at the next request of its client', async () => {
    const { callTool, runs, ended } = asksTwice()
    const { serve } = begin(callTool)
    const oldest = await serve()
    const next = await serve()
    for (let count = 1; count < MAX_HELD; count += 1) await serve()
    expect(ended).toEqual([runs[0]])
    const second = await serve(answer(oldest))
    expect(ended).toEqual(runs.slice(0, 2))
    expect(runs).toHaveLength(MAX_HELD + 2)
    await serve(answer(second))
    expect(runs).toHaveLength(MAX_HELD + 2)
    await serve(answer(next))
    expect(runs).toHaveLength(MAX_HELD + 3)
  })

  test('ends when it has asked too often', async () => {
    const signals: AbortSignal[] = []
    const asksAlways: ServeCall = async (call, context, client) => {
      signals.push(context.signal)
      while (!context.signal.aborted) await asks(done)(call, context, client)
      return await done(call, context, client)
    }
    const { serve } = begin(asksAlways)
    let asked = await serve()
    const last = (async (): Promise<void> => {
      for (;;) asked = await serve(answer(asked))
    })()
    await expect(last).rejects.toThrow('still asks questions after')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  test('stays, however many others have got their answers', async () => {
    const { callTool, runs, ended } = asksTwice()
    const { serve } = begin(callTool)
    const waiting = await serve()
    for (let count = 0; count <= MAX_HELD; count += 1)
      await serve(answer(await serve(answer(await serve()))))
    expect(ended).toEqual([])
    await serve(answer(await serve(answer(waiting))))
    expect(new Set(runs).size).toBe(MAX_HELD + 2)
    expect(runs).toHaveLength(MAX_HELD + 2)
  })
})

/** Fills the tasks of a server. */
async function fillTasks(serve: () => Promise<JsonObject>): Promise<unknown> {
  for (;;) {
    try {
      await serve()
    } catch (error) {
      return error
    }
  }
}

describe('a call that its client would follow as a task', () => {
  const waiting = (ended: string[]): ServeCall => {
    return async ({ id }, { signal }, { continueAsTask }) => {
      continueAsTask?.()
      if (!signal.aborted) await once(signal, 'abort')
      ended.push(id)
      return createSuccessResult([])
    }
  }

  test('is ended if there are too many tasks, and no other', async () => {
    const ended: string[] = []
    const { followed, serve } = begin(waiting(ended))
    onTestFinished(followed.close)
    const error = await fillTasks(async () => await serve({}, { [TASKS]: {} }))
    expect(error).toMatchObject({ message: expect.stringContaining('running tasks') })
    await settle()
    expect(ended).toHaveLength(1)
  })

  test.for([
    [
      'its cancellation',
      (followed: FollowedCalls, taskId: unknown): void =>
        void followed.answer('tasks/cancel', { taskId }, JSON.stringify(['a', undefined])),
    ],
    ['the end of the service', (followed: FollowedCalls): void => followed.close()],
  ] as const)('ends with %s', async ([, end]) => {
    const ended: string[] = []
    const { followed, serve } = begin(waiting(ended))
    const { taskId } = await serve({}, { [TASKS]: {} })
    await settle()
    expect(ended).toEqual([])
    end(followed, taskId)
    await settle()
    expect(ended).toHaveLength(1)
  })

  test('is announced to nobody after the watcher has left, and every state before', async () => {
    const { followed, serve } = begin(waiting([]))
    const { taskId } = await serve({}, { [TASKS]: {} })
    const states: JsonObject[] = []
    const stop = followed.watch([String(taskId)], (task) => void states.push(task))
    expect(states).toMatchObject([{ status: 'working' }])
    stop()
    followed.close()
    expect(states).toHaveLength(1)
  })
})
