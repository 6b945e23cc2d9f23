import type { Handle, HandleLimits } from './handle.ts'

const DEFAULTS = { handles: 16, idleMs: 10 * 60 * 1000 } as const

/** The handles that live. */
export interface HandleRegistry {
  find(conversationId: string | undefined, id: string): Handle | undefined
  /** Whether a handle of this name lived and has stopped. */
  hasStopped(conversationId: string | undefined, id: string): boolean
  /** Why there cannot be one more handle of this name. */
  refusal(conversationId: string | undefined, id: string): string | undefined
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
  const timers = new Map<Handle, NodeJS.Timeout>()
  function touch(handle: Handle): void {
    clearTimeout(timers.get(handle))
    timers.set(handle, setTimeout(onIdle, idleMs, handle).unref())
  }

  return {
    find: (conversationId, id) => handles.get(keyOf(conversationId, id)),
    hasStopped: (conversationId, id) => stopped.has(keyOf(conversationId, id)),
    refusal: (conversationId, id) => {
      if (handles.has(keyOf(conversationId, id)))
        return `a handle "${id}" is live already; choose another id, or abort it first`
      if (handles.size < most) return undefined
      const live = [...handles.values()].map((handle) => `"${handle.id}"`).join(', ')
      return `${most} handles are live, which is as many as may be (${live}); abort one first`
    },
    add: (handle) => {
      handles.set(keyOf(handle.conversationId, handle.id), handle)
      touch(handle)
    },
    touch,
    remove: (handle) => {
      const key = keyOf(handle.conversationId, handle.id)
      clearTimeout(timers.get(handle))
      timers.delete(handle)
      if (handles.delete(key)) stopped.add(key)
    },
    all: () => [...handles.values()],
  }
}

function keyOf(conversationId: string | undefined, id: string): string {
  return JSON.stringify([conversationId, id])
}
