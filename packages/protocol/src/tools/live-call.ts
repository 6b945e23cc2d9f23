import type { JsonValue } from '../json.ts'
import type { Answers } from '../questions/answer.ts'
import type { ToolResult } from './tool-result.ts'

/** What a live tool is given: free input, or answers to what it asked. */
export type LiveInput = { input: JsonValue } | { answers: Answers }

/** A call that stays alive, whatever keeps it: a process, a pseudo-terminal, a task. */
export interface LiveCall {
  readonly started: ToolResult
  fetch(signal: AbortSignal): Promise<ToolResult>
  apply(input: LiveInput, signal: AbortSignal): Promise<ToolResult>
  abort(): Promise<ToolResult>
}
