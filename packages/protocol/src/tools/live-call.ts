import type { JsonValue } from '../json/json.ts'
import type { Answers } from '../questions/answer.ts'
import type { ToolResult } from './tool-result.ts'

/** What a live tool is given: free input while it runs, or answers to what it asked. */
export type LiveInput = { input: JsonValue } | { answers: Answers }

/**
 * A call that stays alive, whatever keeps it: a process, a pseudo-terminal, a task. Where it stands is in
 * `_meta["computer.jp/status"]` of each result (`running`, `waiting`, `stopped`; absent: stopped). Whoever holds it calls `fetch` and
 * `apply` one after the other, never side by side; `abort` at any moment, beside them too. No member rejects for anything the tool did: that is
 * a result with `isError`. A rejection is a failure of the one call, and the holder goes on.
 */
export interface LiveCall {
  /** What the tool said when it had started. */
  readonly started: ToolResult
  /**
   * What is new since the last result; without news, an empty result with the status, at once or after a short wait. After the end: a
   * result of status `stopped`. `signal` ends the waiting, not the tool.
   */
  fetch(waiting: { signal: AbortSignal }): Promise<ToolResult>
  /** Gives input or answers, and what came of them. After the end: an error result of status `stopped`. */
  apply(input: LiveInput, waiting: { signal: AbortSignal }): Promise<ToolResult>
  /**
   * Ends the tool, with all it has started, and gives its last words. What waits in `fetch` or `apply` settles. Aborting again, or after the end,
   * does no harm.
   */
  abort(): Promise<ToolResult>
}
