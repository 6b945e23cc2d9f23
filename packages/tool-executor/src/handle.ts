import type { RecordInquiry } from '@toolblocks/inquiry'
import {
  type Answer,
  type AnswerQuestion,
  type LiveCall,
  type Problem,
  type Status,
  type ToolCall,
  type ToolContext,
  type ToolResult,
  createFailure,
} from '@toolblocks/protocol'
import {
  type FoundQuestion,
  type LimitedOutput,
  type Queue,
  createLimitedOutput,
  MAX_LIVE_INTERACTIONS,
  TOOL_GRACE_MS,
  createQueue,
  withinGrace,
  createNotSettledWarning,
  withWarnings,
} from '@toolblocks/protocol/internal'
import { NotSettledError } from './executor-problem.ts'
import type { ToolEntry } from './tool-entry.ts'

/** A running call of a stateful tool, under the name that the model gave it. */
export interface Handle {
  readonly id: string
  readonly conversationId: string | undefined
  readonly entry: ToolEntry
  /** The call that started it. */
  readonly call: ToolCall
  readonly live: LiveCall
  /** Ends everything that the running call waits for. */
  readonly end: AbortController
  status: Status
  /** Whether its last response was an error. */
  hasFailed: boolean
  /** The questions of a waiting handle, each with the blocks before it. Empty if it waits for free input. */
  pending: readonly FoundQuestion[]
  /** How many inputs and answers it has received, and the limit. */
  interactions: number
  readonly mostInteractions: number
  /** How many calls the host has made with people's answers. */
  hostCalls: number
  /** By question id: records the answer to a question that the driving model was asked. */
  readonly put: Map<string, (answer: Answer) => Promise<void>>
  /** Blocks that arrived while a model was awaiting. The next result delivers them. */
  readonly kept: LimitedOutput
  /** Serializes the actions on one handle. */
  readonly inTurn: Queue
}

/** The context of one action on a running call. */
export interface LiveActionContext {
  entry: ToolEntry
  call: ToolCall
  /** Its port asks people; routing, checks and recording are applied already. */
  context: ToolContext & { ask: AnswerQuestion }
  unanswered: 'fail' | 'return'
  /** Receives the questions and answers of the driving model. */
  record: RecordInquiry
  warn: (problem: Problem) => void
}

/** Limits of handles: number, idle time and input. */
export interface HandleLimits {
  /** Maximum number of handles of one conversation. Default: 16. */
  handles?: number
  /** Milliseconds without an action after which a handle is aborted. Default: 600,000. */
  idleMs?: number
  /**
   * How many inputs and answers of a model, a person or the configuration one handle may receive before it is ended. This stops a tool that asks
   * without end. Fetches do not count. Default: `MAX_LIVE_INTERACTIONS`.
   */
  interactions?: number
}

/** How many names of stopped handles are remembered, to distinguish them from unknown names. */
const MAX_STOPPED = 1000

const DEFAULTS = { handles: 16, idleMs: 10 * 60 * 1000 } as const

/** The running handles and those that are starting. */
export interface Handles {
  find(conversationId: string | undefined, id: string): Handle | undefined
  /** Whether a handle of this name existed and has stopped. */
  hasStopped(conversationId: string | undefined, id: string): boolean
  /** Starts a running call under an unused name. An aborted start leaves no process behind. Without a handle, the result says why. */
  start(id: string, use: LiveActionContext): Promise<{ handle: Handle } | { refused: ToolResult }>
  /** Restarts the idle time of a handle. */
  touch(handle: Handle): void
  remove(handle: Handle): void
  /** Aborts the selected starts, and resolves to those handles once all of them have ended. */
  endStarts(
    isMeant: (handle: Pick<Handle, 'conversationId' | 'entry'>) => boolean,
  ): Promise<readonly Handle[]>
}

/** Creates the store of handles by name. `onIdle` receives each handle that was unused for too long. */
export function createHandles(limits: HandleLimits, onIdle: (handle: Handle) => void): Handles {
  const { handles: most = DEFAULTS.handles, idleMs = DEFAULTS.idleMs } = limits
  const handles = new Map<string, Handle>()
  const starting = new Map<string, Start>()
  const stopped = new Set<string>()
  const timers = new WeakMap<Handle, NodeJS.Timeout>()

  function restartTimer(handle: Handle): void {
    clearTimeout(timers.get(handle))
    timers.set(handle, setTimeout(onIdle, idleMs, handle).unref())
  }

  /** Returns the reason why no handle of this name can start. */
  function findRefusal(conversationId: string | undefined, id: string): string | undefined {
    const key = getKey(conversationId, id)
    if (handles.has(key) || starting.has(key))
      return `a handle "${id}" already exists; choose another id, or abort it first`
    // A conversation neither uses up the handles of another one nor learns their names.
    const own = [...handles.values(), ...starting.values()].filter(
      (each) => each.conversationId === conversationId,
    )
    const names = own.map((each) => `"${each.id}"`).join(', ')
    return own.length < most
      ? undefined
      : `${most} handles are running, which is the maximum (${names}); abort one first`
  }

  return {
    find: (conversationId, id) => handles.get(getKey(conversationId, id)),
    hasStopped: (conversationId, id) => stopped.has(getKey(conversationId, id)),
    start: async (id, use) => {
      const { conversationId, signal } = use.context
      const key = getKey(conversationId, id)
      const refusal = findRefusal(conversationId, id)
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
        if ('content' in handle) return { refused: handle }
        handles.set(key, handle)
        restartTimer(handle)
        return { handle }
      } finally {
        signal.removeEventListener('abort', stop)
        starting.delete(key)
      }
    },
    touch: restartTimer,
    remove: (handle) => {
      const key = getKey(handle.conversationId, handle.id)
      clearTimeout(timers.get(handle))
      // Another handle may have the name by now.
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

/** A start in progress. If it ends with a result, it was aborted. */
interface Start extends Pick<Handle, 'id' | 'conversationId' | 'entry' | 'end'> {
  readonly done: Promise<Handle | ToolResult>
}

/** How much output of a handle is kept while a model awaits, in characters of JSON. */
const KEPT_CHARACTERS = 1024 * 1024

async function begin(
  id: string,
  { entry, call, context, warn }: LiveActionContext,
  { end, limits }: { end: AbortController; limits: HandleLimits },
): Promise<Handle | ToolResult> {
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
      // A start that succeeds after the abort is ended.
      void spawning.then(async (late) => await late?.abort()).catch(() => undefined)
      return undefined
    },
  })
  if (!live || end.signal.aborted) {
    await live?.abort()
    const { content = [], metadata } = live?.started ?? {}
    const aborted = createFailure(`The start of the handle "${id}" was aborted.`, 'cancelled')
    const whole = { ...aborted, content: [...aborted.content, ...content] }
    return withWarnings(whole, { after: metadata?.warnings ?? [] })
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

/** A stateful call whose every action settles within its grace period after the abort, and which ends within it. */
function limitLiveCall(live: LiveCall, name: string): LiveCall {
  const failLate = (): never => {
    throw new NotSettledError(`the tool "${name}"`, TOOL_GRACE_MS)
  }
  const ms = TOOL_GRACE_MS
  return {
    started: live.started,
    fetch: async ({ signal }) =>
      await withinGrace(async () => await live.fetch({ signal }), {
        signal,
        ms,
        whenLate: failLate,
      }),
    apply: async (input, { signal }) =>
      await withinGrace(async () => await live.apply(input, { signal }), {
        signal,
        ms,
        whenLate: failLate,
      }),
    abort: async () =>
      await withinGrace(async () => await live.abort(), {
        signal: ABORTED,
        ms,
        whenLate: failLate,
      }),
  }
}

/** Returns a result for an action that is not possible. No handle changes. */
export function refuse(reason: string): ToolResult {
  return createFailure(`Nothing was done: ${reason}.`)
}
