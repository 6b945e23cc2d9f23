import { type CallContext, type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getProgress } from './serve-call.ts'
import { findLostTask, type LostTask, type TaskRecords } from './task-records.ts'
import type { ServedClient } from './served-features.ts'
import {
  createServedTasks,
  getPollInterval,
  getTimeToLive,
  hasEnded,
  type ServedTask,
} from './served-tasks.ts'
import {
  type Id,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  RpcError,
} from '../wire/message.ts'
import type { PeerRequest, Reply } from '../wire/peer.ts'
import { RELATED_TASK } from '../wire/request-meta.ts'

/** The calls of one client of MCP 2025-11-25 that it follows as tasks. */
export interface SessionTasks {
  /** Starts a call, and returns the result that names its task. Rejects with an `RpcError` if there are too many. */
  begin(
    params: JsonObject,
    run: (
      context: Required<Pick<CallContext, 'signal' | 'onProgress'>>,
      client: ServedClient,
    ) => Promise<JsonObject>,
  ): Promise<JsonObject>
  /** Settles when no task runs. */
  settled(): Promise<void>
  /** Answers `tasks/get`, `tasks/result`, `tasks/list` and `tasks/cancel`. */
  answer(request: PeerRequest): Promise<JsonObject>
  /** Cancels and drops all tasks. */
  close(): void
}

/** What a server of tasks declares. */
export const TASKS_CAPABILITY = { list: {}, cancel: {}, requests: { tools: { call: {} } } }

const MIN_KEEP_MS = 1000
const MAX_KEEP_MS = 24 * 60 * 60 * 1000

/**
 * Creates the tasks of a session. `getClient` returns its client; messages to it belong to one of its requests, if there is one. `records`: the tasks of all replicas, of which one
 * may continue the session.
 */
export function createSessionTasks(
  getClient: (relatedTo?: Id) => ServedClient,
  records?: TaskRecords,
): SessionTasks {
  const { id: owner } = getClient()
  const tasks = createServedTasks()
  /** The open `tasks/result` requests, by their tasks. */
  const awaiting = new Map<ServedTask, Set<PeerRequest>>()
  const listeners = new Set<() => void>()
  tasks.watch((task) => getClient().notify('notifications/tasks/status', describeTask(task)))

  /** Questions are sent while the client requests the result, as MCP says: over HTTP they need an open request. */
  async function getAwaitingRequest(
    task: ServedTask,
    signal: AbortSignal,
  ): Promise<PeerRequest | undefined> {
    while (!signal.aborted && !hasEnded(task)) {
      const open = [...(awaiting.get(task) ?? [])].find((request) => !request.signal.aborted)
      if (open) return open
      await waitForChange(signal)
    }
    return undefined
  }

  /** Waits until a task or a request for a result changes. */
  async function waitForChange(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = tasks.watch(() => resolve())
    const wake = (): void => resolve()
    listeners.add(wake)
    signal.addEventListener('abort', wake)
    await promise
    signal.removeEventListener('abort', wake)
    listeners.delete(wake)
    stop()
  }

  /** Asks the client. If the request that carries a question ends before its answer, the next request for the result carries it. */
  async function ask(
    task: ServedTask,
    { method, params, signal }: Pick<PeerRequest, 'method' | 'params' | 'signal'>,
  ): Promise<Reply> {
    while (true) {
      const carrier = await getAwaitingRequest(task, signal)
      if (!carrier) return { kind: 'aborted' }
      const ending = AbortSignal.any([signal, carrier.signal])
      const reply = await getClient(carrier.id).request(method, withTask(params, task), ending)
      if (reply.kind === 'result' || !carrier.signal.aborted) return reply
    }
  }

  function createTaskClient(task: ServedTask): ServedClient {
    let asked = 0
    const note = (more: number): void => {
      asked += more
      tasks.change(
        task,
        asked > 0 ? { status: 'input_required', inputRequests: {} } : { status: 'working' },
      )
    }
    return {
      ...getClient(),
      continueAsTask: () => undefined,
      request: async (method, params, signal) => {
        note(1)
        try {
          return await ask(task, { method, params, signal })
        } finally {
          note(-1)
        }
      },
      notify: (method, params) => {
        const [carrier] = awaiting.get(task) ?? []
        getClient(carrier?.id).notify(method, params)
      },
    }
  }

  async function getResult(request: PeerRequest): Promise<JsonObject> {
    const { params, signal } = request
    const task = tasks.find(params, owner)
    const requests = awaiting.get(task) ?? new Set()
    awaiting.set(task, requests.add(request))
    const leave = tasks.keep(task)
    for (const wake of listeners) wake()
    while (!signal.aborted && !hasEnded(task)) await waitForChange(signal)
    leave()
    requests.delete(request)
    if (requests.size === 0) awaiting.delete(task)
    const { state } = task
    switch (state.status) {
      case 'completed':
        return withTask(state.result, task)
      case 'failed': {
        const { code, message, data } = state.error
        throw new RpcError(code, message, data)
      }
      case 'cancelled':
      case 'working':
      case 'input_required':
        throw new RpcError(INTERNAL_ERROR, `The task was cancelled: ${task.id}`)
    }
  }

  return {
    begin: async (params, run) => {
      const { task: wanted } = params
      const ttl = isJsonObject(wanted) ? wanted['ttl'] : undefined
      const keepMs =
        typeof ttl === 'number' ? Math.min(Math.max(ttl, MIN_KEEP_MS), MAX_KEEP_MS) : undefined
      const task = tasks.begin(owner, keepMs)
      const client = createTaskClient(task)
      const { onProgress } = getProgress(params, async (method, notificationParams) =>
        client.notify(method, notificationParams),
      )
      const context: Parameters<typeof run>[0] = {
        signal: task.signal,
        onProgress: (progress) => {
          if (progress.message !== undefined) task.message = progress.message
          onProgress?.(progress)
        },
      }
      const created = { task: describeTask(task) }
      await records?.begin(task, describeTask(task)).catch(() => undefined)
      void tasks
        .settle(task, run(context, client))
        .then(async () => await records?.end(task, describeTask(task)))
        .catch(() => undefined)
      return created
    },
    settled: async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const check = (): void => {
        if (tasks.list().every(hasEnded)) resolve()
      }
      const stop = tasks.watch(check)
      check()
      await promise
      stop()
    },
    answer: async (request) => {
      const { method, params } = request
      const lost = await findLostTask(tasks, params, { owner, records })
      if (lost) return answerLost(method, lost)
      switch (method) {
        case 'tasks/list':
          return { tasks: tasks.list(owner).map(describeTask) }
        case 'tasks/get':
          return describeTask(tasks.find(params, owner))
        case 'tasks/result':
          return await getResult(request)
        case 'tasks/cancel': {
          const task = tasks.find(params, owner)
          if (hasEnded(task))
            throw new RpcError(INVALID_PARAMS, `The task has ended: it is ${task.state.status}.`)
          tasks.cancel(task)
          return describeTask(task)
        }
        default:
          throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
      }
    },
    close: tasks.close,
  }
}

/** Answers a request about a task that another replica has begun. */
function answerLost(method: string, { described, state }: LostTask): JsonObject {
  switch (method) {
    case 'tasks/get':
      return { ...described, status: state.status }
    case 'tasks/cancel':
      throw new RpcError(INVALID_PARAMS, `The task has ended: it is ${state.status}.`)
  }
  switch (state.status) {
    case 'completed':
      return withTask(state.result, { id: String(described['taskId']) })
    case 'failed': {
      const { code, message, data } = state.error
      throw new RpcError(code, message, data)
    }
    case 'cancelled':
      throw new RpcError(INTERNAL_ERROR, `The task was cancelled: ${String(described['taskId'])}`)
  }
}

/** Says which task a message belongs to. */
function withTask(message: JsonObject, { id }: Pick<ServedTask, 'id'>): JsonObject {
  const { _meta: meta } = message
  return { ...message, _meta: { ...(isJsonObject(meta) && meta), [RELATED_TASK]: { taskId: id } } }
}

function describeTask(task: ServedTask): JsonObject {
  const { state } = task
  // In this version a tool that has failed is a task that has failed.
  const isFailed = state.status === 'completed' && state.result['isError'] === true
  return {
    taskId: task.id,
    status: isFailed ? 'failed' : state.status,
    ...(task.message !== undefined && { statusMessage: task.message }),
    createdAt: task.createdAt.toISOString(),
    lastUpdatedAt: task.updatedAt.toISOString(),
    ttl: getTimeToLive(task),
    pollInterval: getPollInterval(task),
  }
}
