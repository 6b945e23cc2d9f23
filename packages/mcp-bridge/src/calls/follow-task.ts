import { setTimeout as pause } from 'node:timers/promises'
import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import type { Reply } from '../connection/connection.ts'
import { signalOf } from '../connection/ending.ts'
import { answerInputRequired } from '../elicitation/answer-input-required.ts'
import type { AskingServer } from '../elicitation/answer-requests.ts'
import { reportProgress, type RunningCall } from './running-calls.ts'
import { INTERNAL_ERROR } from '../connection/error-codes.ts'

/** Sends a request on the connection of the call. */
export type SendRequest = (
  method: string,
  params: JsonObject,
  signal: AbortSignal,
) => Promise<Reply>

const DEFAULT_POLL_MS = 1000
const MIN_POLL_MS = 250
const MAX_POLL_MS = 30_000
/** What a server gets for being told that a task is cancelled. */
const CANCEL_MS = 2000

/** The task that a server made of a call, in the words of either generation. */
interface Task {
  id: string
  status: string
  message?: string
  pollMs: number
  /** The extension of 2026-07-28 gives a task's end and questions with its state; 2025-11-25 asks for them. */
  generation: 'core' | 'extension'
  document: JsonObject
}

/** Waits for a task's end, and says how far it is; the reply is the one that the call would have had. */
export async function followTask(
  created: JsonObject,
  running: RunningCall,
  { send, asking }: { send: SendRequest; asking: AskingServer },
): Promise<Reply> {
  let task = readTask(created)
  if (!task) return lost('the server spoke of a task without an id')
  const { id } = task
  const signal = signalOf(running.deadline)
  running.tasks.push(id)
  const answered = new Set<string>()
  try {
    while (true) {
      reportProgress(running, { message: task.message ?? `Task ${task.status}` })
      const end = await endOf(task, send, signal)
      if (end) return end
      if (task.status === 'input_required')
        await answerTask(task, answered, { running, send, asking })
      await pause(task.pollMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return { kind: 'aborted' }
      const reply = await send('tasks/get', { taskId: id }, signal)
      if (reply.kind !== 'result') return reply
      const next = readTask(reply.result)
      if (!next) return lost('the server no longer speaks of the task')
      task = { ...next, generation: task.generation }
    }
  } finally {
    if (signal.aborted) await send('tasks/cancel', { taskId: id }, AbortSignal.timeout(CANCEL_MS))
  }
}

/** The reply that a task stands for once it needs no more polling. */
async function endOf(
  task: Task,
  send: SendRequest,
  signal: AbortSignal,
): Promise<Reply | undefined> {
  const { status, generation, document, id } = task
  if (status === 'cancelled') return lost('the server cancelled its task', task.message)
  const isOver = status === 'completed' || status === 'failed'
  switch (generation) {
    case 'core':
      // Asked for early where input is required: only then does the server put its questions.
      return isOver || status === 'input_required'
        ? await send('tasks/result', { taskId: id }, signal)
        : undefined
    case 'extension': {
      if (!isOver) return undefined
      if (status === 'completed') return { kind: 'result', result: document['result'] }
      const error = isJsonObject(document['error']) ? document['error'] : {}
      const { code, message, data } = error
      return {
        kind: 'error',
        code: typeof code === 'number' ? code : INTERNAL_ERROR,
        message: typeof message === 'string' ? message : 'the task failed',
        ...(data !== undefined && { data }),
      }
    }
  }
}

/** Answers what was not answered before: questions stay in the state for a while. */
async function answerTask(
  { document, id }: Task,
  answered: Set<string>,
  { running, send, asking }: { running: RunningCall; send: SendRequest; asking: AskingServer },
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
  await send('tasks/update', { taskId: id, inputResponses }, signalOf(running.deadline))
}

function readTask(given: unknown): Task | undefined {
  if (!isJsonObject(given)) return undefined
  const inner = given['task']
  const document = isJsonObject(inner) ? inner : given
  const { taskId, status, statusMessage } = document
  if (typeof taskId !== 'string' || typeof status !== 'string') return undefined
  const poll = document['pollInterval'] ?? document['pollIntervalMs']
  const pollMs =
    typeof poll === 'number' ? Math.min(Math.max(poll, MIN_POLL_MS), MAX_POLL_MS) : DEFAULT_POLL_MS
  const generation = isJsonObject(inner) ? 'core' : 'extension'
  return {
    id: taskId,
    status,
    pollMs,
    generation,
    document,
    ...(typeof statusMessage === 'string' && { message: statusMessage }),
  }
}

function lost(reason: string, said?: string): Reply {
  const loss = { kind: 'lost', reason, maybeExecuted: true, transient: false } as const
  return { kind: 'loss', loss: { ...loss, ...(said !== undefined && { said }) } }
}
