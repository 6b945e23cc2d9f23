import { randomUUID } from 'node:crypto'
import type { Problem, Progress, ToolCall, ToolContext } from '@toolblocks/protocol'
import { type Deadline, startDeadline } from './deadline.ts'

/** A call that is being executed on a server. */
export interface RunningCall {
  readonly call: ToolCall
  readonly context: ToolContext
  readonly deadline: Deadline
  readonly timeoutMs: number
  /** Nobody waits for it. */
  readonly isLive: boolean
  /** Names the call's progress, and the requests that belong to it. */
  readonly token: string
  /** The tasks that the server made of it. */
  readonly tasks: string[]
  /** Gets what is worth a warning before there is a result. */
  readonly warnings: Problem[]
  /** How often the server asked something. */
  asked: number
}

/** The calls of one server that are being executed. */
export interface RunningCalls {
  begin(
    call: ToolCall,
    context: ToolContext,
    how: Pick<RunningCall, 'timeoutMs' | 'isLive'>,
  ): RunningCall
  end(running: RunningCall): void
  byToken(token: unknown): RunningCall | undefined
  byTask(task: string): RunningCall | undefined
  all(): readonly RunningCall[]
  /** No call of the server loses time until what it returns is called. */
  pause(): () => void
}

/** Keeps track of calls by their tokens. */
export function trackCalls(): RunningCalls {
  const calls = new Map<unknown, RunningCall>()
  const prefix = `${randomUUID()}-`
  let count = 0
  return {
    begin: (call, context, { timeoutMs, isLive }) => {
      count += 1
      const running: RunningCall = {
        call,
        context,
        deadline: startDeadline(timeoutMs, context.signal),
        timeoutMs,
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
      deadline.stop()
      calls.delete(token)
    },
    byToken: (token) => calls.get(token),
    byTask: (task) => [...calls.values()].find(({ tasks }) => tasks.includes(task)),
    all: () => [...calls.values()],
    pause: () => {
      const resumes = [...calls.values()].map(({ deadline }) => deadline.pause())
      return () => {
        for (const resume of resumes) resume()
      }
    },
  }
}

/** Hands on the progress of a call; what is no progress is dropped. */
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
