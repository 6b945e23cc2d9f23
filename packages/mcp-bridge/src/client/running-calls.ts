import { randomUUID } from 'node:crypto'
import type { Problem, Progress, ToolCall, ToolContext } from '@toolblocks/protocol'
import { limitTime } from '@toolblocks/protocol/internal'

/** A call that runs on a server. */
export interface RunningCall {
  readonly call: ToolCall
  readonly context: ToolContext
  readonly deadline: Deadline
  readonly timeoutMs: number
  /** Whether the timeout was configured for the server or the tool. */
  readonly isTimeoutSet: boolean
  /** Whether no caller waits for it. */
  readonly isLive: boolean
  /** Identifies the call's progress, and the requests that belong to it. */
  readonly token: string
  /** The tasks that the server created for it. */
  readonly tasks: string[]
  /** Receives warnings before there is a result. */
  readonly warnings: Problem[]
  /** The number of questions of the server. */
  asked: number
}

/** The running calls of one server. */
export interface RunningCalls {
  begin(
    call: ToolCall,
    context: ToolContext,
    how: Pick<RunningCall, 'timeoutMs' | 'isTimeoutSet' | 'isLive'>,
  ): RunningCall
  end(running: RunningCall): void
  byToken(token: unknown): RunningCall | undefined
  byTask(task: string): RunningCall | undefined
  all(): readonly RunningCall[]
  /** Pauses the timeouts of all calls of the server until the returned function is called. */
  pause(): () => void
}

/** Tracks calls by their tokens. */
export function trackCalls(): RunningCalls {
  const calls = new Map<unknown, RunningCall>()
  const prefix = `${randomUUID()}-`
  let count = 0
  return {
    begin: (call, context, { timeoutMs, isTimeoutSet, isLive }) => {
      count += 1
      const running: RunningCall = {
        call,
        context,
        deadline: startDeadline(timeoutMs, context.signal),
        timeoutMs,
        isTimeoutSet,
        isLive,
        token: `${prefix}${count}`,
        tasks: [],
        warnings: [],
        asked: 0,
      }
      calls.set(running.token, running)
      return running
    },
    end: ({ deadline, token }) => {
      stopDeadline(deadline)
      calls.delete(token)
    },
    byToken: (token) => calls.get(token),
    byTask: (task) => [...calls.values()].find(({ tasks }) => tasks.includes(task)),
    all: () => [...calls.values()],
    pause: () => {
      const resumes = [...calls.values()].map(({ deadline }) => pauseDeadline(deadline))
      return () => {
        for (const resume of resumes) resume()
      }
    },
  }
}

/** Passes on the progress of a call; invalid values are dropped. */
export function reportProgress(
  running: RunningCall,
  params: Readonly<Record<string, unknown>>,
): void {
  const { progress, total, message } = params
  const report: Progress = {
    ...(typeof progress === 'number' && { progress }),
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  }
  if (Object.keys(report).length > 0) running.context.onProgress?.(report)
}

/** The end of a call in active time: at the deadline, or when the call is cancelled. */
export interface Deadline {
  /** Aborts at the end, with the reason. */
  readonly signal: AbortSignal
  /** Whether it ended because of the timeout. */
  isOver: boolean
  readonly milliseconds: number
  readonly outer: AbortSignal
  readonly end: (reason: unknown) => void
  readonly abort: () => void
  /** Stops the timer and returns the milliseconds of active time that are left. */
  stopTimer: (() => number) | undefined
  /** Milliseconds of active time that were left at the last start. */
  left: number
  pauses: number
}

/** The longest time of Node's timers. */
export const NEVER_MS = 2 ** 31 - 1

/** Starts a deadline after this active time, below a signal that may outlive the call. */
export function startDeadline(milliseconds: number, outer: AbortSignal): Deadline {
  const ending = new AbortController()
  const deadline: Deadline = {
    signal: ending.signal,
    isOver: false,
    milliseconds,
    outer,
    end: (reason) => {
      stopDeadline(deadline)
      ending.abort(reason)
    },
    abort: () => deadline.end(outer.reason),
    stopTimer: undefined,
    left: Math.min(milliseconds, NEVER_MS),
    pauses: 0,
  }
  if (outer.aborted) deadline.abort()
  else {
    outer.addEventListener('abort', deadline.abort)
    run(deadline)
  }
  return deadline
}

function run(deadline: Deadline): void {
  deadline.stopTimer = limitTime(deadline.left, () => expire(deadline), { ref: false })
}

function expire(deadline: Deadline): void {
  deadline.isOver = true
  deadline.end(new Error(`no answer within ${deadline.milliseconds} ms`))
}

/** Pauses until the returned function is called; several pauses may overlap. */
export function pauseDeadline(deadline: Deadline): () => void {
  if (deadline.pauses === 0) deadline.left = deadline.stopTimer?.() ?? deadline.left
  deadline.pauses += 1
  let isPaused = true
  return () => {
    if (!isPaused) return
    isPaused = false
    deadline.pauses -= 1
    if (deadline.pauses === 0) run(deadline)
  }
}

/** Stops the timer and no longer listens to the outer signal. */
export function stopDeadline(deadline: Deadline): void {
  deadline.stopTimer?.()
  deadline.outer.removeEventListener('abort', deadline.abort)
  // A late answer to a question must not start it again.
  deadline.pauses = Number.POSITIVE_INFINITY
}
