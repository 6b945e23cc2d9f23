import { type JsonObject, type ToolResult, isJsonObject } from '@toolblocks/protocol'
import { METHOD_NOT_FOUND, MISSING_CAPABILITY, RpcError } from '../wire/message.ts'
import { TASKS } from '../wire/request-meta.ts'
import type { CallAttempt, OpenClientRequest } from './call-attempt.ts'
import { findLostTask, type TaskRecords } from './task-records.ts'
import {
  createServedTasks,
  declaresTasks,
  getPollInterval,
  getTimeToLive,
  type ServedTask,
} from './served-tasks.ts'

/** The announcement of a task's state. */
export const TASK_CHANGED = 'notifications/tasks'

/** Throws the error that MCP requires if a client has not declared that it can follow tasks. */
export function requireTasks(capabilities: JsonObject): void {
  if (declaresTasks(capabilities)) return
  const message = `The client must declare the extension ${TASKS}.`
  const requiredCapabilities = { extensions: { [TASKS]: {} } }
  throw new RpcError(MISSING_CAPABILITY, message, { requiredCapabilities })
}

/** Calls that clients of MCP 2026-07-28 follow as tasks. */
export interface FollowedCalls {
  /** Continues a call as a task, and returns the result that names the task. If there are too many, ends the call and rejects with an `RpcError`. */
  follow(
    attempt: CallAttempt,
    owner: string,
    toServed: (result: ToolResult) => JsonObject,
  ): Promise<JsonObject>
  /** Answers `tasks/get`, `tasks/update` and `tasks/cancel`. */
  answer(method: string, params: JsonObject, owner: string): Promise<JsonObject>
  /** Whether this process has a task with this id. */
  has(taskId: string): boolean
  /** Returns those of these tasks that the client has. */
  findTasks(taskIds: readonly unknown[], owner: string): readonly string[]
  /** Announces the state of these tasks now and after each change, and keeps them, until the returned function is called. */
  watch(taskIds: readonly string[], announce: (task: JsonObject) => void): () => void
  close(): void
}

/** Creates the tasks of a server. `records`: those of all replicas. */
export function createFollowedCalls(records?: TaskRecords): FollowedCalls {
  const tasks = createServedTasks()
  /** Answers the open requests of a task that has not ended. */
  const answering = new Map<ServedTask, CallAttempt['answer']>()

  function begin({ abort }: CallAttempt, owner: string): ServedTask {
    try {
      return tasks.begin(owner)
    } catch (error) {
      abort()
      throw error
    }
  }

  return {
    follow: async (attempt, owner, toServed) => {
      const task = begin(attempt, owner)
      const { signal } = task
      attempt.join({
        context: {
          signal,
          onProgress: ({ message }) => {
            if (message !== undefined) task.message = message
          },
        },
        // Nothing but the state of a task reaches its client.
        notify: () => undefined,
        onOpenRequests: (open) => tasks.change(task, toState(open)),
      })
      answering.set(task, attempt.answer)
      // Without the store, other replicas do not know the task.
      await records?.begin(task, describeTask(task)).catch(() => undefined)
      void tasks
        .settle(task, attempt.result.then(toServed))
        .finally(() => void answering.delete(task))
        .then(async () => await records?.end(task, describeTask(task)))
        .catch(() => undefined)
      return { resultType: 'task', ...describeTask(task), status: 'working' }
    },
    has: (taskId) => tasks.list().some(({ id }) => id === taskId),
    answer: async (method, params, owner) => {
      const lost = await findLostTask(tasks, params, { owner, records })
      if (lost && method === 'tasks/get') return { ...lost.described, ...lost.state }
      if (lost) return {}
      const task = tasks.find(params, owner)
      switch (method) {
        case 'tasks/get':
          return { ...describeTask(task), ...task.state }
        case 'tasks/update': {
          const { inputResponses } = params
          if (isJsonObject(inputResponses)) answering.get(task)?.(inputResponses)
          return {}
        }
        case 'tasks/cancel':
          tasks.cancel(task)
          return {}
        default:
          throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
      }
    },
    findTasks: (taskIds, owner) =>
      tasks
        .list(owner)
        .map(({ id }) => id)
        .filter((id) => taskIds.includes(id)),
    watch: (taskIds, announce) => {
      const tell = (task: ServedTask): void => {
        if (taskIds.includes(task.id)) announce({ ...describeTask(task), ...task.state })
      }
      const watched = tasks.list().filter(({ id }) => taskIds.includes(id))
      for (const task of watched) tell(task)
      // The client need not ask about them.
      const stops = [tasks.watch(tell), ...watched.map((task) => tasks.keep(task))]
      return () => {
        for (const stop of stops) stop()
      }
    },
    close: tasks.close,
  }
}

/** A task without open requests works. */
function toState(open: readonly OpenClientRequest[]): ServedTask['state'] {
  if (open.length === 0) return { status: 'working' }
  const requests = open.map(({ key, method, params }) => [key, { method, params }])
  return { status: 'input_required', inputRequests: Object.fromEntries(requests) }
}

/** Returns what every message about a task says, besides its state. */
function describeTask(task: ServedTask): JsonObject {
  return {
    taskId: task.id,
    ...(task.message !== undefined && { statusMessage: task.message }),
    createdAt: task.createdAt.toISOString(),
    lastUpdatedAt: task.updatedAt.toISOString(),
    ttlMs: getTimeToLive(task),
    pollIntervalMs: getPollInterval(task),
  }
}
