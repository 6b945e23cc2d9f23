import { expect, onTestFinished, test, vi } from 'vitest'
import {
  type Handle,
  type HandleLimits,
  type HandleRegistry,
  createHandleRegistry,
} from './handle.ts'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a registry looks at nothing else
const handleOf = (id: string, conversationId?: string): Handle => ({ id, conversationId }) as Handle

function registryOf(limits: HandleLimits = {}): HandleRegistry {
  return createHandleRegistry(limits, () => undefined)
}

test('a handle is found under its name in its own conversation, until it is removed', () => {
  const registry = registryOf()
  const handle = handleOf('build', 'c1')
  registry.add(handle)
  expect(registry.find('c1', 'build')).toBe(handle)
  expect(registry.find('c2', 'build')).toBeUndefined()
  expect(registry.find(undefined, 'build')).toBeUndefined()
  expect(registry.all()).toEqual([handle])
  expect(registry.hasStopped('c1', 'build')).toBe(false)
  registry.remove(handle)
  expect(registry.find('c1', 'build')).toBeUndefined()
  expect(registry.all()).toEqual([])
  expect([registry.hasStopped('c1', 'build'), registry.hasStopped('c2', 'build')]).toEqual([
    true,
    false,
  ])
})

test('a name is kept for one handle at a time, in each conversation', () => {
  const registry = registryOf()
  const refusal = 'a handle "a" is live already; choose another id, or abort it first'
  expect(registry.reserve('c1', 'a')).toBeUndefined()
  expect(registry.reserve('c1', 'a')).toBe(refusal)
  expect(registry.reserve('c2', 'a')).toBeUndefined()
  registry.release('c1', 'a')
  expect(registry.reserve('c1', 'a')).toBeUndefined()
  registry.release('c1', 'a')
  const handle = handleOf('a', 'c1')
  registry.add(handle)
  expect(registry.reserve('c1', 'a')).toBe(refusal)
  registry.remove(handle)
  expect(registry.reserve('c1', 'a')).toBeUndefined()
})

test('handles that live and those that start are counted together, in all conversations', () => {
  const registry = registryOf({ handles: 2 })
  const handle = handleOf('a', 'c1')
  registry.add(handle)
  expect(registry.reserve('c2', 'b')).toBeUndefined()
  expect(registry.reserve(undefined, 'c')).toBe(
    '2 handles are live, which is as many as may be ("a", "b"); abort one first',
  )
  registry.release('c2', 'b')
  expect(registry.reserve(undefined, 'c')).toBeUndefined()
  registry.remove(handle)
})

test('sixteen handles may live where nothing else is said', () => {
  const registry = registryOf()
  for (let at = 0; at < 16; at += 1) expect(registry.reserve('c', `h${at}`)).toBeUndefined()
  expect(registry.reserve('c', 'h16')).toMatch(/^16 handles are live/)
})

test('the end of a handle leaves another one of its name alone', () => {
  const registry = registryOf()
  const [first, second] = [handleOf('a'), handleOf('a')]
  registry.add(first)
  registry.add(second)
  registry.remove(first)
  expect(registry.find(undefined, 'a')).toBe(second)
  expect(registry.hasStopped(undefined, 'a')).toBe(false)
  registry.remove(second)
})

test('of stopped handles the last thousand names are remembered', () => {
  const registry = registryOf()
  const stop = (id: string): void => {
    const handle = handleOf(id)
    registry.add(handle)
    registry.remove(handle)
  }
  stop('again')
  stop('first')
  stop('again')
  for (let at = 0; at < 999; at += 1) stop(`h${at}`)
  expect(registry.hasStopped(undefined, 'first')).toBe(false)
  expect(registry.hasStopped(undefined, 'again')).toBe(true)
})

test('a handle that is used in time is not idle, and one that is not is so once', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const idle: Handle[] = []
  const registry = createHandleRegistry({ idleMs: 100 }, (handle) => void idle.push(handle))
  const [used, unused, removed] = [handleOf('a'), handleOf('b'), handleOf('c')]
  for (const handle of [used, unused, removed]) registry.add(handle)
  vi.advanceTimersByTime(99)
  registry.touch(used)
  registry.remove(removed)
  vi.advanceTimersByTime(99)
  expect(idle).toEqual([unused])
  vi.advanceTimersByTime(1)
  expect(idle).toEqual([unused, used])
  vi.advanceTimersByTime(1000)
  expect(idle).toHaveLength(2)
})

test('a handle may be unused for ten minutes where nothing else is said', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const idle: Handle[] = []
  createHandleRegistry({}, (handle) => void idle.push(handle)).add(handleOf('a'))
  vi.advanceTimersByTime(600_000 - 1)
  expect(idle).toEqual([])
  vi.advanceTimersByTime(1)
  expect(idle).toHaveLength(1)
})
