import type { Answers, ContentBlock, Progress, ToolCall } from '@toolblocks/protocol'
import type { ToolQuestions } from './ask.ts'

/** The levels of MCP's log messages, least severe first. */
const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const

/** A level of MCP's log messages. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Writes to the tool's log. */
interface WriteLog {
  /** Writes a message of the level `info`. */
  (message: string): void
  /** Writes a message of a level. */
  (level: LogLevel, message: string): void
}

/** The members of every context. */
interface SharedContext {
  /**
   * The call: its `id` (empty if the host does not send it), the `name` under which the tool was called, and the `arguments` as the caller sent
   * them, before defaults are filled in.
   */
  readonly call: ToolCall
  /** The tool's own settings from the configuration of the host. Default: `{}`. */
  readonly options: Readonly<Record<string, unknown>>
  /** The absolute path of the workspace. In a program it is also the current directory. */
  readonly root: string
  /** The host's id of the workspace. Absent if the host has none. */
  readonly workspaceId?: string
  /** The host's id of the conversation. Absent if the host has none. */
  readonly conversationId?: string
  /** Aborts when the call is cancelled or its time is over. Pass it to `fetch` and similar functions, and end soon after. */
  readonly signal: AbortSignal
  /**
   * Writes a line to the tool's log: standard error in a program and in an MCP server, `onLog` of `toTool` and `testTool` in process. A host shows
   * the newest line to a person who waits for the call, and all lines when the call fails. The model does not receive them. Default level: `info`.
   */
  readonly log: WriteLog
}

/** The members of the context of a run. */
interface RunningContext extends SharedContext {
  /** The answers that the host has so far, by question id. */
  readonly answers: Answers
  /**
   * Reports the progress of the call, like MCP's progress notification: how much is done, the total if it is known, and one
   * line for a person. `done` grows with each report. It reaches the host while the call runs; reports after the end are dropped. Throws a
   * `TypeError` if `done` or `total` is not a finite number.
   */
  readonly progress: (done: number, total?: number, message?: string) => void
}

/** The second parameter of `run`. */
export interface RunContext extends RunningContext {
  /** Asks the caller questions. */
  readonly ask: ToolQuestions
  /** Adds text or blocks before the next question, and before the result of `run`. */
  readonly show: (...content: readonly (string | ContentBlock)[]) => void
}

/** The second parameter of `run` of a stateful tool, which shows with `yield` and asks with `yield waiting(…)`. */
export type LiveContext = RunningContext

/** The second parameter of `formatArguments`. */
export type FormatContext = SharedContext

/** Where the log and the progress of a run go. */
interface Reports {
  log(level: LogLevel, message: string): void
  progress(report: Progress): void
}

/** A call before its arguments are checked. */
export interface GivenCall extends Omit<RunningContext, 'log' | 'progress'> {
  readonly reports: Reports
}

/** The context of a run, without what only some runs have. Reports are dropped once `isOver` returns true. */
export function createContext(
  { reports, ...fields }: GivenCall,
  isOver: () => boolean,
): LiveContext {
  return {
    ...fields,
    log: (...parts: readonly string[]) => {
      const [level, message] = parts.length > 1 ? parts : ['info', parts[0]]
      reports.log(isLogLevel(level) ? level : 'info', String(message))
    },
    progress: (done, total, message) => {
      checkCount('done', done)
      if (total !== undefined) checkCount('total', total)
      if (isOver()) return
      reports.progress({
        progress: done,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      })
    },
  }
}

function isLogLevel(level: unknown): level is LogLevel {
  return LOG_LEVELS.some((known) => known === level)
}

function checkCount(name: string, count: unknown): void {
  if (Number.isFinite(count)) return
  throw new TypeError(
    `progress(done, total?, message?): ${name}: expected a finite number, got ${String(count)}`,
  )
}

/** A log message as one entry of a log of lines. */
export function formatLogEntry(level: LogLevel, message: string): string {
  return level === 'info' ? message : `[${level}] ${message}`
}
