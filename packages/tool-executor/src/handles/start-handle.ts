import {
  createFailure,
  createKeptOutput,
  type LiveCall,
  TOOL_GRACE_MS,
  type ToolResult,
  withinGrace,
} from '@toolblocks/protocol'
import { notSettled } from '../executor-problem.ts'
import { boundLiveCall } from './bound-live-call.ts'
import { refuse } from './describe-handle.ts'
import type { Handle, StartingHandle } from './handle.ts'
import type { HandleRegistry } from './handle-registry.ts'
import type { LiveUse } from './live-use.ts'

/** How much is kept of what a handle said while a model was awaiting, in characters of JSON. */
const KEPT_CHARACTERS = 1024 * 1024

/** What came of a start. */
type Started = { kind: 'started'; handle: Handle } | { kind: 'refused'; result: ToolResult }

/** Live calls on their way. */
export interface Starts {
  /** Starts a live call under a name that is free; an aborted start leaves nothing alive. */
  start(id: string, use: LiveUse): Promise<Started>
  /** Aborts starts, and waits until they are over. */
  end(isEnding: (start: StartingHandle) => boolean): Promise<void>
}

/** Starts live calls and adds them to a registry. */
export function createStarts(registry: HandleRegistry): Starts {
  const starting = new Set<StartingHandle>()

  return {
    start: async (id, use) => {
      const { entry, context } = use
      const { conversationId, signal } = context
      const refusal = registry.reserve(conversationId, id)
      if (refusal !== undefined) return { kind: 'refused', result: refuse(refusal) }
      const end = new AbortController()
      const stop = (): void => end.abort()
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop, { once: true })
      const start = { conversationId, entry, end, done: begin(id, use, end) }
      starting.add(start)
      try {
        const handle = await start.done
        if (!handle) return { kind: 'refused', result: aborted(id) }
        registry.add(handle)
        return { kind: 'started', handle }
      } finally {
        signal.removeEventListener('abort', stop)
        starting.delete(start)
        registry.release(conversationId, id)
      }
    },
    end: async (isEnding) => {
      const ending = [...starting].filter(isEnding)
      for (const { end } of ending) end.abort()
      await Promise.allSettled(ending.map(({ done }) => done))
    },
  }
}

async function begin(
  id: string,
  { entry, call, context, warn }: LiveUse,
  end: AbortController,
): Promise<Handle | undefined> {
  const { signal } = end
  const { name } = entry.tool
  const spawning = (async (): Promise<LiveCall | undefined> => {
    const spawned = await entry.tool.spawn?.(call, { ...context, signal })
    return spawned && boundLiveCall(spawned, name)
  })()
  const live = await withinGrace(async () => await spawning, {
    signal,
    ms: TOOL_GRACE_MS,
    whenLate: () => {
      warn(notSettled(`the start of the tool "${name}"`, TOOL_GRACE_MS))
      // What starts after all is not left alive.
      void spawning.then(async (late) => await late?.abort()).catch(() => undefined)
      return undefined
    },
  })
  if (!live || end.signal.aborted) {
    await live?.abort()
    return undefined
  }
  return {
    id,
    conversationId: context.conversationId,
    entry,
    call,
    live,
    end,
    status: 'running',
    hasFailed: false,
    pending: [],
    put: new Map(),
    interactions: 0,
    hostCalls: 0,
    kept: createKeptOutput({ characters: KEPT_CHARACTERS, span: 'between two results' }),
    busy: Promise.resolve(),
  }
}

function aborted(id: string): ToolResult {
  const text = `The start of the handle "${id}" was aborted.`
  return createFailure(text, 'cancelled')
}
