import type { RecordInquiry } from '@toolblocks/inquiry'
import {
  createNotSettledWarning,
  MAX_LIVE_INTERACTIONS,
  type Answer,
  type AnswerQuestion,
  type FoundQuestion,
  type LimitedOutput,
  type LiveCall,
  type Problem,
  type Status,
  TOOL_GRACE_MS,
  type ToolCall,
  type ToolContext,
  type ToolResult,
  type Queue,
  createFailure,
  createLimitedOutput,
  createQueue,
  withinGrace,
} from '@toolblocks/protocol'
import { NotSettledError } from './executor-problem.ts'
import type { ToolEntry } from './tool-entry.ts'

/** A live call under the name a model gave it. */
export interface Handle {
  readonly id: string
  readonly conversationId: string | undefined
  readonly entry: ToolEntry
  /** The call that started it. */
  readonly call: ToolCall
  readonly live: LiveCall
  /** Ends whatever the live call waits for. */
  readonly end: AbortController
  status: Status
  /** Its last word was an error. */
  hasFailed: boolean
  /** What a waiting handle asks, each with the blocks before it; one that waits and asks nothing waits for free input. */
  pending: readonly FoundQuestion[]
  /** How many inputs and answers it was given, and may be. */
  interactions: number
  readonly mostInteractions: number
  /** How many calls a host made for what people answered. */
  hostCalls: number
  /** By question id: records what came of a question that the driving model was given. */
  readonly put: Map<string, (answer: Answer) => Promise<void>>
  /** Blocks that came while a model was awaiting, and are delivered with the next result. */
  readonly kept: LimitedOutput
  /** Actions on one handle wait for each other. */
  readonly inTurn: Queue
}

/** What one action on a live call works with. */
export interface LiveActionContext {
  entry: ToolEntry
  call: ToolCall
  /** Its port asks people, already routed, checked and recorded. */
  context: ToolContext & { ask: AnswerQuestion }
  unanswered: 'fail' | 'return'
  /** Gets the questions and answers of the driving model. */
  record: RecordInquiry
  warn: (problem: Problem) => void
}

/** How many handles may live, how long without being used, and how much they are given. */
export interface HandleLimits {
  /** Default: 16 in all conversations together. */
  handles?: number
  /** Milliseconds without an action after which a handle is aborted. Default: ten minutes. */
  idleMs?: number
  /**
   * How many inputs and answers one handle is given by a model, a person or the configuration, until it is ended: against a tool that asks
   * without end. What is fetched does not count. Default: `MAX_LIVE_INTERACTIONS`.
   */
  interactions?: number
}

/** How many names of stopped handles are remembered, to tell them from names that never were. */
const MAX_STOPPED = 1000

const DEFAULTS = { handles: 16, idleMs: 10 * 60 * 1000 } as const

/** The handles that live, and those on their way. */
export interface Handles {
  find(conversationId: string | undefined, id: string): Handle | undefined
  /** Whether a handle of this name lived and has stopped. */
  hasStopped(conversationId: string | undefined, id: string): boolean
  /** Starts a live call under a name that is free; an aborted start leaves nothing alive. Without a handle, the result says why. */
  start(id: string, use: LiveActionContext): Promise<{ handle: Handle } | { refused: ToolResult }>
  /** Puts off the end of an unused handle. */
  touch(handle: Handle): void
  remove(handle: Handle): void
  /** Those that are meant, once all of these that were starting have been aborted. */
  endStarts(
    isMeant: (handle: Pick<Handle, 'conversationId' | 'entry'>) => boolean,
  ): Promise<readonly Handle[]>
}

/** Keeps handles under the names that models give them; `onIdle` gets those nobody has used for too long. */
export function createHandles(limits: HandleLimits, onIdle: (handle: Handle) => void): Handles {
  const { handles: most = DEFAULTS.handles, idleMs = DEFAULTS.idleMs } = limits
  const handles = new Map<string, Handle>()
  const starting = new Map<string, Start>()
  const stopped = new Set<string>()
  const timers = new Map<Handle, NodeJS.Timeout>()

  function touch(handle: Handle): void {
    clearTimeout(timers.get(handle))
    timers.set(handle, setTimeout(onIdle, idleMs, handle).unref())
  }

  /** Why there cannot be one more of this name. */
  function findRefusal(key: string, id: string): string | undefined {
    if (handles.has(key) || starting.has(key))
      return `a handle "${id}" is live already; choose another id, or abort it first`
    const all = [...handles.values(), ...starting.values()]
    const names = all.map((each) => `"${each.id}"`).join(', ')
    return all.length < most
      ? undefined
      : `${most} handles are live, which is as many as may be (${names}); abort one first`
  }

  return {
    find: (conversationId, id) => handles.get(getKey(conversationId, id)),
    hasStopped: (conversationId, id) => stopped.has(getKey(conversationId, id)),
    start: async (id, use) => {
      const { conversationId, signal } = use.context
      const key = getKey(conversationId, id)
      const refusal = findRefusal(key, id)
      if (refusal !== undefined) return { refused: refuse(refusal) }
      const end = new AbortController()
      const stop = (): void => end.abort()
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop, { once: true })
      const start = {
        id,
        conversationId,
        entry: use.entry,
        end,
        done: begin(id, use, { end, limits }),
      }
      starting.set(key, start)
      try {
        const handle = await start.done
        const text = `The start of the handle "${id}" was aborted.`
        if (!handle) return { refused: createFailure(text, 'cancelled') }
        handles.set(key, handle)
        touch(handle)
        return { handle }
      } finally {
        signal.removeEventListener('abort', stop)
        starting.delete(key)
      }
    },
    touch,
    remove: (handle) => {
      const key = getKey(handle.conversationId, handle.id)
      clearTimeout(timers.get(handle))
      timers.delete(handle)
      // The name may be another handle's by now.
      if (handles.get(key) !== handle) return
      handles.delete(key)
      stopped.delete(key)
      stopped.add(key)
      const [oldest] = stopped
      if (stopped.size > MAX_STOPPED && oldest !== undefined) stopped.delete(oldest)
    },
    endStarts: async (isMeant) => {
      const ending = [...starting.values()].filter(isMeant)
      for (const { end } of ending) end.abort()
      await Promise.allSettled(ending.map(({ done }) => done))
      return [...handles.values()].filter(isMeant)
    },
  }
}

function getKey(conversationId: string | undefined, id: string): string {
  return JSON.stringify([conversationId, id])
}

/** A live call on its way; without a handle in the end, it was aborted meanwhile. */
interface Start extends Pick<Handle, 'id' | 'conversationId' | 'entry' | 'end'> {
  readonly done: Promise<Handle | undefined>
}

/** How much is kept of what a handle said while a model was awaiting, in characters of JSON. */
const KEPT_CHARACTERS = 1024 * 1024

async function begin(
  id: string,
  { entry, call, context, warn }: LiveActionContext,
  { end, limits }: { end: AbortController; limits: HandleLimits },
): Promise<Handle | undefined> {
  const { signal } = end
  const { name } = entry.tool
  const spawning = (async (): Promise<LiveCall | undefined> => {
    const spawned = await entry.tool.spawn?.(call, { ...context, signal })
    return spawned && limitLiveCall(spawned, name)
  })()
  const live = await withinGrace(async () => await spawning, {
    signal,
    ms: TOOL_GRACE_MS,
    whenLate: () => {
      warn(createNotSettledWarning(`the start of the tool "${name}"`, TOOL_GRACE_MS))
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
    mostInteractions: limits.interactions ?? MAX_LIVE_INTERACTIONS,
    hostCalls: 0,
    kept: createLimitedOutput({ characters: KEPT_CHARACTERS, span: 'between two results' }),
    inTurn: createQueue(),
  }
}

const ABORTED = AbortSignal.abort()

/** A live call each of whose members settles within its grace after the abort, and ends within it when it is told to. */
function limitLiveCall(live: LiveCall, name: string): LiveCall {
  const whenLate = (): never => {
    throw new NotSettledError(`the tool "${name}"`, TOOL_GRACE_MS)
  }
  const ms = TOOL_GRACE_MS
  return {
    started: live.started,
    fetch: async ({ signal }) =>
      await withinGrace(async () => await live.fetch({ signal }), { signal, ms, whenLate }),
    apply: async (input, { signal }) =>
      await withinGrace(async () => await live.apply(input, { signal }), { signal, ms, whenLate }),
    abort: async () =>
      await withinGrace(async () => await live.abort(), { signal: ABORTED, ms, whenLate }),
  }
}

/** An action that cannot be done, and why. Nothing happened to any handle. */
export function refuse(reason: string): ToolResult {
  return createFailure(`Nothing was done: ${reason}.`)
}
