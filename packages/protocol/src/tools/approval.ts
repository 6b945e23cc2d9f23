import type { ToolCall } from './tool-call.ts'

/** What a person decides about a call. Edited `arguments` are checked again before anything runs. */
export type Approval =
  | { decision: 'allowed'; arguments?: ToolCall['arguments'] }
  | { decision: 'denied'; reason?: string }
  /** Nothing was decided: the question was cancelled. */
  | { decision: 'cancelled' }
