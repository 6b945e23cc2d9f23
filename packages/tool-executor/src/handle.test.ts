import { createSuccessResult, type LiveCall, type ToolResult } from '@toolblocks/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  createHandles,
  type Handle,
  type HandleLimits,
  type Handles,
  type LiveActionContext,
} from './handle.ts'

const result = createSuccessResult([])
const answer = async (): Promise<ToolResult> => result
const live: LiveCall = { started: result, fetch: answer, apply: answer, abort: answer }

function makeUse(
  conversationId: string | undefined,
  spawn: () => Promise<LiveCall> = async () => live,
): LiveActionContext {
  const { signal } = new AbortController()
  return {
    entry: { tool: { name: 't', inputSchema: true, execute: answer, spawn } },
    call: { id: 'c', name: 't', arguments: {} },
    context: {
      signal,
      root: '/w',
      answers: {},
      ask: async () => ({ action: 'decline' }),
      ...(conversationId !== undefined && { conversationId }),
    },
    unanswered: 'fail',
    record: () => undefined,
    warn: () => undefined,
  }
}

const makeHandles = (limits: HandleLimits = {}): Handles => createHandles(limits, () => undefined)

/** Returns the handle, or the refusal. */
async function start(handles: Handles, id: string, conversation?: string): Promise<Handle> {
  const started = await handles.start(id, makeUse(conversation))
  if ('refused' in started) throw new Error(JSON.stringify(started.refused.content))
  return started.handle
}

test('a handle is found by its name in its own conversation, until it is removed', async () => {
  const handles = makeHandles()
  const handle = await start(handles, 'build', 'c1')
  expect(handles.find('c1', 'build')).toBe(handle)
  expect(handles.find('c2', 'build')).toBeUndefined()
  expect(handles.find(undefined, 'build')).toBeUndefined()
  expect(await handles.endStarts(() => true)).toEqual([handle])
  expect(handles.hasStopped('c1', 'build')).toBe(false)
  handles.remove(handle)
  expect(handles.find('c1', 'build')).toBeUndefined()
  expect(await handles.endStarts(() => true)).toEqual([])
  expect([handles.hasStopped('c1', 'build'), handles.hasStopped('c2', 'build')]).toEqual([
    true,
    false,
  ])
})

test('a name belongs to one handle at a time in each conversation, also while it starts', async () => {
  const handles = makeHandles()
  const refusal = 'a handle \\"a\\" already exists; choose another id, or abort it first'
  const open = Promise.withResolvers<LiveCall>()
  const starting = handles.start(
    'a',
    makeUse('c1', async () => await open.promise),
  )
  await expect(start(handles, 'a', 'c1')).rejects.toThrow(refusal)
  await start(handles, 'a', 'c2')
  open.reject(new Error('no disk'))
  await expect(starting).rejects.toThrow('no disk')
  const handle = await start(handles, 'a', 'c1')
  await expect(start(handles, 'a', 'c1')).rejects.toThrow(refusal)
  handles.remove(handle)
  await start(handles, 'a', 'c1')
})

test('running and starting handles of a conversation are counted together, without those of another one', async () => {
  const handles = makeHandles({ handles: 2 })
  await start(handles, 'other', 'c2')
  const handle = await start(handles, 'a', 'c1')
  const open = Promise.withResolvers<LiveCall>()
  const starting = handles.start(
    'b',
    makeUse('c1', async () => await open.promise),
  )
  await expect(start(handles, 'c', 'c1')).rejects.toThrow(
    '2 handles are running, which is the maximum (\\"a\\", \\"b\\"); abort one first',
  )
  await start(handles, 'c', 'c2')
  open.resolve(live)
  await starting
  handles.remove(handle)
  await start(handles, 'c', 'c1')
})

test('by default sixteen handles may exist', async () => {
  const handles = makeHandles()
  for (let index = 0; index < 16; index += 1) await start(handles, `h${index}`)
  await expect(start(handles, 'h16')).rejects.toThrow(/16 handles are running/)
})

test('the end of a handle does not affect another one with its name', async () => {
  const handles = makeHandles()
  const first = await start(handles, 'a')
  handles.remove(first)
  const second = await start(handles, 'a')
  handles.remove(first)
  expect(handles.find(undefined, 'a')).toBe(second)
})

test('the names of the last thousand stopped handles are remembered', async () => {
  const handles = makeHandles()
  const stop = async (id: string): Promise<void> => handles.remove(await start(handles, id))
  for (const id of ['again', 'first', 'again']) await stop(id)
  for (let index = 0; index < 999; index += 1) await stop(`h${index}`)
  expect(handles.hasStopped(undefined, 'first')).toBe(false)
  expect(handles.hasStopped(undefined, 'again')).toBe(true)
})

test('a handle that is used in time is not idle, and one that is not used is reported as idle once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const idle: Handle[] = []
  const handles = createHandles({ idleMs: 100 }, (handle) => void idle.push(handle))
  const [used, unused, removed] = [
    await start(handles, 'a'),
    await start(handles, 'b'),
    await start(handles, 'c'),
  ]
  vi.advanceTimersByTime(99)
  handles.touch(used)
  handles.remove(removed)
  vi.advanceTimersByTime(99)
  expect(idle).toEqual([unused])
  vi.advanceTimersByTime(1)
  expect(idle).toEqual([unused, used])
  vi.advanceTimersByTime(1000)
  expect(idle).toHaveLength(2)
})

test('by default a handle may be unused for ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const idle: Handle[] = []
  await start(
    createHandles({}, (handle) => void idle.push(handle)),
    'a',
  )
  vi.advanceTimersByTime(600_000 - 1)
  expect(idle).toEqual([])
  vi.advanceTimersByTime(1)
  expect(idle).toHaveLength(1)
})
