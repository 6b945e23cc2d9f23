import { setTimeout as pause } from 'node:timers/promises'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { INTERNAL_ERROR } from '../wire/message.ts'
import type { Reply } from '../wire/peer.ts'
import { answerInputRequired, type AskingServer } from './answer-server.ts'
import type { Connection } from './keep-connection.ts'
import { pauseDeadline, reportProgress, type RunningCall } from './running-calls.ts'

const DEFAULT_POLL_MS = 1000
const MIN_POLL_MS = 250
const MAX_POLL_MS = 30_000
/** How many times a request about a task is sent again if it was lost, and the milliseconds before the first time; doubled each time. */
const MAX_REPEATS = 6
const FIRST_PAUSE_MS = 500
/** Milliseconds that a server has to answer `tasks/cancel`. */
const CANCEL_MS = 2000

/** The connection of the call. */
type TaskConnection = Pick<Connection, 'request' | 'endOfTask' | 'ended'>

/** The task that a server created for a call. */
interface Task {
  id: string
  status: string
  message?: string
  pollMs: number
  document: JsonObject
}

/**
 * Waits for a task's end and reports its progress. The reply is the one that the call itself would have had. If there is none, the call may have been
 * executed, whatever a request about the task says: its server has begun it.
 */
export async function followTask(
  created: JsonObject,
  running: RunningCall,
  served: { connection: TaskConnection; asking: AskingServer },
): Promise<Reply> {
  const reply = await waitForEnd(created, running, served)
  switch (reply.kind) {
    case 'loss':
      return { ...reply, loss: { ...reply.loss, maybeExecuted: true } }
    case 'error':
      return { ...reply, hasBegun: true }
    case 'result':
    case 'aborted':
      return reply
  }
}

async function waitForEnd(
  created: JsonObject,
  running: RunningCall,
  { connection, asking }: { connection: TaskConnection; asking: AskingServer },
): Promise<Reply> {
  let task = readTask(created)
  if (!task) return lost('the server sent a task without an id')
  const { id } = task
  const { signal } = running.deadline
  // Before 2026-07-28 a task was in its own field, and its result had to be requested.
  const endOfTask = isJsonObject(created['task']) ? connection.endOfTask : undefined
  running.tasks.push(id)
  const isFollowed = asking.hooks.onTask?.(running.call) === true
  if (isFollowed && !running.isTimeoutSet) pauseDeadline(running.deadline)
  const answered = new Set<string>()
  try {
    while (true) {
      reportProgress(running, { message: task.message ?? `Task ${task.status}` })
      if (task.status === 'cancelled') return lost('the server cancelled its task', task.message)
      const { status } = task
      const end = endOfTask
        ? await repeat(async () => await endOfTask({ id, status }, signal), connection, signal)
        : findEnd(task)
      if (end) return end
      if (task.status === 'input_required')
        await answerTask(task, answered, { running, connection, asking })
      await pause(task.pollMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return { kind: 'aborted' }
      const get = async (): Promise<Reply> =>
        await connection.request('tasks/get', { taskId: id }, signal)
      const reply = await repeat(get, connection, signal)
      if (reply.kind !== 'result') return reply
      task = readTask(reply.result)
      if (!task) return lost('the server no longer knows the task')
    }
  } finally {
    if (signal.aborted)
      await connection.request('tasks/cancel', { taskId: id }, AbortSignal.timeout(CANCEL_MS))
  }
}

/** Returns the reply of a task that needs no more polling. */
function findEnd({ status, document }: Task): Reply | undefined {
  if (status === 'completed') return { kind: 'result', result: document['result'] }
  if (status !== 'failed') return undefined
  const { code, message, data } = isJsonObject(document['error']) ? document['error'] : {}
  return {
    kind: 'error',
    code: typeof code === 'number' ? code : INTERNAL_ERROR,
    message: typeof message === 'string' ? message : 'the task failed',
    ...(data !== undefined && { data }),
  }
}

/** Answers new questions only: answered ones stay in the state for a while. */
async function answerTask(
  { document, id }: Task,
  answered: Set<string>,
  {
    running,
    connection,
    asking,
  }: { running: RunningCall; connection: TaskConnection; asking: AskingServer },
): Promise<void> {
  const requests = isJsonObject(document['inputRequests']) ? document['inputRequests'] : {}
  const open = Object.entries(requests).filter(([key]) => !answered.has(key))
  if (open.length === 0) return
  const { inputResponses = {} } = await answerInputRequired(
    { inputRequests: Object.fromEntries(open) },
    running,
    asking,
  )
  for (const [key] of open) answered.add(key)
  const { signal } = running.deadline
  const update = async (): Promise<Reply> =>
    await connection.request('tasks/update', { taskId: id, inputResponses }, signal)
  await repeat(update, connection, signal)
}

/** Sends a request about a task. All of them may be repeated, so it is sent again if it was lost or not understood and the connection was not. */
async function repeat<Answer extends Reply | undefined>(
  send: () => Promise<Answer>,
  { ended }: TaskConnection,
  signal: AbortSignal,
): Promise<Answer> {
  let answer = await send()
  for (let count = 0; count < MAX_REPEATS; count += 1) {
    if (answer?.kind !== 'loss') break
    const { kind, transient } = answer.loss
    if (kind === 'session-expired' || !(transient || kind === 'not-understood')) break
    if (await Promise.race([ended, Promise.resolve()])) break
    await pause(FIRST_PAUSE_MS * 2 ** count, undefined, { signal }).catch(() => undefined)
    answer = await send()
  }
  return answer
}

function readTask(value: unknown): Task | undefined {
  if (!isJsonObject(value)) return undefined
  const inner = value['task']
  const document = isJsonObject(inner) ? inner : value
  const { taskId, status, statusMessage } = document
  if (typeof taskId !== 'string' || typeof status !== 'string') return undefined
  const poll = document['pollInterval'] ?? document['pollIntervalMs']
  const pollMs =
    typeof poll === 'number' ? Math.min(Math.max(poll, MIN_POLL_MS), MAX_POLL_MS) : DEFAULT_POLL_MS
  return {
    id: taskId,
    status,
    pollMs,
    document,
    ...(typeof statusMessage === 'string' && { message: statusMessage }),
  }
}

function lost(reason: string, serverText?: string): Reply {
  const loss = { kind: 'lost', reason, maybeExecuted: true, transient: false } as const
  return { kind: 'loss', loss: { ...loss, ...(serverText !== undefined && { serverText }) } }
}
