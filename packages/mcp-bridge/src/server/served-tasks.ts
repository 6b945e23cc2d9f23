import { randomUUID } from 'node:crypto'
import { type JsonObject, type ToolDefinition, isJsonObject } from '@toolblocks/protocol'
import { INTERNAL_ERROR, INVALID_PARAMS, type MessageError, RpcError } from '../wire/message.ts'
import { getMessageError } from '../wire/peer.ts'
import { TASKS } from '../wire/request-meta.ts'
import type { ToolService } from './tool-service.ts'

/** What a task has come to. */
type TaskState =
  | { status: 'working' | 'cancelled' }
  /** `inputRequests`: the requests without a response, by their keys. */
  | { status: 'input_required'; inputRequests: JsonObject }
  | { status: 'completed'; result: JsonObject }
  | { status: 'failed'; error: MessageError }

/** A call whose result the client requests later. */
export interface ServedTask {
  readonly id: string
  /** The identity of the client, as far as it is known. Other clients do not find the task. */
  readonly owner: string
  readonly createdAt: Date
  /** Aborts when the task is cancelled, or dropped. */
  readonly signal: AbortSignal
  /** Milliseconds that the task is kept after the last request about it has ended. */
  readonly keepMs: number
  updatedAt: Date
  /** When the client last asked about it, or last waited for it. */
  askedAt: Date
  /** What the tool last said about its progress. */
  message?: string
  state: TaskState
}

/** The tasks of a server, in memory. */
export interface ServedTasks {
  /**
   * Creates a task. A task without requests for `keepMs` (default: 1 hour) is cancelled and dropped. If there are too many, the oldest one that has
   * ended is dropped; throws an `RpcError` if none has ended.
   */
  begin(owner: string, keepMs?: number): ServedTask
  /** Returns the task that a request names; throws an `RpcError` if the client has none with that id. */
  find(params: JsonObject, owner: string): ServedTask
  /** Keeps a task without further requests about it until the returned function is called: its client waits for a message about it. */
  keep(task: ServedTask): () => void
  /** Returns the tasks of one client. Default: of all clients. */
  list(owner?: string): readonly ServedTask[]
  /** Sets the state of a task that has not ended. */
  change(task: ServedTask, state: TaskState): void
  /** Ends a task with the outcome of its work. */
  settle(task: ServedTask, work: Promise<JsonObject>): Promise<void>
  cancel(task: ServedTask): void
  /** Calls the listener after each change, until the returned function is called. */
  watch(changed: (task: ServedTask) => void): () => void
  /** Cancels and drops all tasks. */
  close(): void
}

const MIN_POLL_MS = 250
const MAX_POLL_MS = 5000
const KEEP_MS = 60 * 60 * 1000
const MAX_TASKS = 1000

/** Creates a server's tasks. */
export function createServedTasks(): ServedTasks {
  const kept = new Map<
    string,
    { task: ServedTask; ending: AbortController; timer: NodeJS.Timeout; waiting: number }
  >()
  const watchers = new Set<(task: ServedTask) => void>()

  function change(task: ServedTask, state: TaskState): void {
    if (hasEnded(task)) return
    task.state = state
    const now = new Date()
    task.updatedAt = now
    if (isAwaited(task)) prolong(task, now)
    for (const changed of watchers) changed(task)
  }

  function isAwaited({ id }: ServedTask): boolean {
    return (kept.get(id)?.waiting ?? 0) > 0
  }

  function prolong(task: ServedTask, now = new Date()): void {
    task.askedAt = now
    kept.get(task.id)?.timer.refresh()
  }

  function expire(task: ServedTask): void {
    if (isAwaited(task)) prolong(task)
    else drop(task)
  }

  function dropEnded(): void {
    for (const { task } of kept.values()) if (hasEnded(task)) return drop(task)
    throw new RpcError(INTERNAL_ERROR, `The maximum of ${MAX_TASKS} running tasks is reached.`)
  }

  function cancel(task: ServedTask): void {
    change(task, { status: 'cancelled' })
    kept.get(task.id)?.ending.abort()
  }

  function drop(task: ServedTask): void {
    cancel(task)
    clearTimeout(kept.get(task.id)?.timer)
    kept.delete(task.id)
  }

  return {
    begin: (owner, keepMs = KEEP_MS) => {
      if (kept.size >= MAX_TASKS) dropEnded()
      const ending = new AbortController()
      const now = new Date()
      const task: ServedTask = {
        id: randomUUID(),
        owner,
        createdAt: now,
        signal: ending.signal,
        keepMs,
        updatedAt: now,
        askedAt: now,
        state: { status: 'working' },
      }
      const timer = setTimeout(() => expire(task), keepMs).unref()
      kept.set(task.id, { task, ending, timer, waiting: 0 })
      return task
    },
    find: ({ taskId }, owner) => {
      const keptTask = typeof taskId === 'string' ? kept.get(taskId) : undefined
      if (keptTask?.task.owner !== owner)
        throw new RpcError(INVALID_PARAMS, `Unknown task: ${String(taskId)}`)
      prolong(keptTask.task)
      return keptTask.task
    },
    keep: (task) => {
      const wait = (more: number): void => {
        const keptTask = kept.get(task.id)
        if (!keptTask) return
        keptTask.waiting += more
        prolong(task)
      }
      wait(1)
      return () => wait(-1)
    },
    list: (owner) =>
      [...kept.values()]
        .map(({ task }) => task)
        .filter((task) => owner === undefined || task.owner === owner),
    change,
    settle: async (task, work) => {
      try {
        change(task, { status: 'completed', result: await work })
      } catch (error) {
        change(task, { status: 'failed', error: getMessageError(error) })
      }
    },
    cancel,
    watch: (changed) => {
      watchers.add(changed)
      return () => void watchers.delete(changed)
    },
    close: () => {
      for (const { task } of kept.values()) drop(task)
    },
  }
}

/** Whether the state of a task is its last. */
export function hasEnded({ state: { status } }: ServedTask): boolean {
  return status !== 'working' && status !== 'input_required'
}

/** Milliseconds from the creation of a task until it may be dropped. */
export function getTimeToLive({ createdAt, askedAt, keepMs }: ServedTask): number {
  return askedAt.getTime() - createdAt.getTime() + keepMs
}

/** Milliseconds after which a client should ask again: short tasks are asked about often, long ones seldom. */
export function getPollInterval({ createdAt }: ServedTask): number {
  const age = Date.now() - createdAt.getTime()
  return Math.round(Math.min(Math.max(age / 4, MIN_POLL_MS), MAX_POLL_MS))
}

/** Whether a call of some tool can be a task: of a tool that there is, or of a server that is still starting. */
export function mayHaveTasks(service: ToolService): boolean {
  const isStarting = (service.starting?.names() ?? []).length > 0
  return isStarting || service.definitions().some(takesLong)
}

/** Whether a tool says that its calls may take so long that a client should not wait. */
export function supportsTasks(service: ToolService, name: unknown): boolean {
  const definition = service.definitions().find((tool) => tool.name === name)
  return definition !== undefined && takesLong(definition)
}

function takesLong(definition: ToolDefinition): boolean {
  const execution = 'execution' in definition ? definition.execution : undefined
  if (!isJsonObject(execution)) return false
  const { taskSupport } = execution
  return taskSupport === 'optional' || taskSupport === 'required'
}

/** Whether a client of MCP 2026-07-28 declares that it can follow tasks. */
export function declaresTasks({ extensions }: JsonObject): boolean {
  return isJsonObject(extensions) && extensions[TASKS] !== undefined
}
