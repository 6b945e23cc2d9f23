import type { LiveCall } from './live-call.ts'
import type { ToolCall } from './tool-call.ts'
import type { ToolContext } from './tool-context.ts'
import type { ToolDefinition } from './tool-definition.ts'
import type { ToolResult } from './tool-result.ts'

/** Something that can be called, wherever it runs. */
export interface Tool extends ToolDefinition {
  /** Runs the call once. Never rejects for anything the tool did: a failure is a result with `isError`. */
  execute(call: ToolCall, context: ToolContext): Promise<ToolResult>
  /** Shows the call to a person before it runs. */
  formatArguments?(call: ToolCall, context: ToolContext): Promise<ToolResult>
  /** Starts a call that stays alive; its presence makes the tool stateful. */
  spawn?(call: ToolCall, context: ToolContext): Promise<LiveCall>
  /** What a stateful tool can do; absent means all four. */
  actions?: readonly ('spawn' | 'fetch' | 'apply' | 'abort')[]
}
