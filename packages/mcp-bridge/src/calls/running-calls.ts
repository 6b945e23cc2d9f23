import { randomUUID } from 'node:crypto'
import { type Problem, type Progress, type ToolCall, type ToolContext } from '@toolblocks/protocol'
import { type Deadline, type Deadlines } from './deadline.ts'

/** A call that is being executed on a server. */
export interface RunningCall {
  /** Of all calls of the server, counted from 1. */
  readonly number: number
  readonly call: ToolCall
  readonly context: ToolContext
  readonly deadline: Deadline
  readonly timeoutMs: number
  /** Nobody waits for it. */
  readonly isLive: boolean
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
  /** The token that names the call's progress, and the requests that belong to it. */
  tokenOf(running: RunningCall): string
  byToken(token: unknown): RunningCall | undefined
  byTask(task: string): RunningCall | undefined
  all(): readonly RunningCall[]
  /** No call of the server loses time until what it returns is called. */
  pause(): () => void
}

/** Keeps track of calls by their tokens. */
export function trackCalls(deadlines: Deadlines): RunningCalls {
  const calls = new Map<number, RunningCall>()
  const prefix = `${randomUUID()}-`
  let count = 0
  return {
    begin: (call, context, how) => {
      count += 1
      const running: RunningCall = {
        number: count,
        call,
        context,
        deadline: deadlines.start(how.timeoutMs, context.signal),
        timeoutMs: how.timeoutMs,
        isLive: how.isLive,
        tasks: [],
        warnings: [],
        asked: 0,
      }
      calls.set(count, running)
      return running
    },
    end: (running) => {
      deadlines.stop(running.deadline)
      calls.delete(running.number)
    },
    tokenOf: ({ number }) => `${prefix}${number}`,
    byToken: (token) =>
      typeof token === 'string' && token.startsWith(prefix)
        ? calls.get(Number(token.slice(prefix.length)))
        : undefined,
    byTask: (task) => [...calls.values()].find(({ tasks }) => tasks.includes(task)),
    all: () => [...calls.values()],
    pause: () => {
      const resumes = [...calls.values()].map(({ deadline }) => deadlines.pause(deadline))
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
