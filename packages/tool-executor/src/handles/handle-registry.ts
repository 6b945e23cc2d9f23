import type { Handle, HandleLimits } from './handle.ts'

/** How many names of stopped handles are remembered, to tell them from names that never were. */
const MOST_STOPPED = 1000
const DEFAULTS = { handles: 16, idleMs: 10 * 60 * 1000 } as const

/** The handles that live. */
export interface HandleRegistry {
  find(conversationId: string | undefined, id: string): Handle | undefined
  /** Whether a handle of this name lived and has stopped. */
  hasStopped(conversationId: string | undefined, id: string): boolean
  /** Keeps a name for a handle that starts, or says why there cannot be one more of this name. */
  reserve(conversationId: string | undefined, id: string): string | undefined
  /** Lets go of a name kept. */
  release(conversationId: string | undefined, id: string): void
  add(handle: Handle): void
  /** Puts off the end of an unused handle. */
  touch(handle: Handle): void
  remove(handle: Handle): void
  all(): readonly Handle[]
}

/** Makes an empty registry; `onIdle` gets handles nobody has used for too long. */
export function createHandleRegistry(
  { handles: most = DEFAULTS.handles, idleMs = DEFAULTS.idleMs }: HandleLimits,
  onIdle: (handle: Handle) => void,
): HandleRegistry {
  const handles = new Map<string, Handle>()
  const stopped = new Set<string>()
  const reserved = new Map<string, string>()
  const timers = new Map<Handle, NodeJS.Timeout>()

  function touch(handle: Handle): void {
    clearTimeout(timers.get(handle))
    timers.set(handle, setTimeout(onIdle, idleMs, handle).unref())
  }

  return {
    find: (conversationId, id) => handles.get(keyOf(conversationId, id)),
    hasStopped: (conversationId, id) => stopped.has(keyOf(conversationId, id)),
    reserve: (conversationId, id) => {
      const key = keyOf(conversationId, id)
      if (handles.has(key) || reserved.has(key))
        return `a handle "${id}" is live already; choose another id, or abort it first`
      const names = [...[...handles.values()].map((handle) => handle.id), ...reserved.values()]
      if (names.length < most) {
        reserved.set(key, id)
        return undefined
      }
      const live = names.map((name) => `"${name}"`).join(', ')
      return `${most} handles are live, which is as many as may be (${live}); abort one first`
    },
    release: (conversationId, id) => void reserved.delete(keyOf(conversationId, id)),
    add: (handle) => {
      handles.set(keyOf(handle.conversationId, handle.id), handle)
      touch(handle)
    },
    touch,
    remove: (handle) => {
      const key = keyOf(handle.conversationId, handle.id)
      clearTimeout(timers.get(handle))
      timers.delete(handle)
      // The name may be another handle's by now.
      if (handles.get(key) !== handle) return
      handles.delete(key)
      stopped.delete(key)
      stopped.add(key)
      const [oldest] = stopped
      if (stopped.size > MOST_STOPPED && oldest !== undefined) stopped.delete(oldest)
    },
    all: () => [...handles.values()],
  }
}

function keyOf(conversationId: string | undefined, id: string): string {
  return JSON.stringify([conversationId, id])
}
