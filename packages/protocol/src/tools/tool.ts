import type { LiveCall } from './live-call.ts'
import type { ToolCall } from './tool-call.ts'
import type { ToolContext } from './tool-context.ts'
import type { ToolDefinition } from './tool-definition.ts'
import type { ToolResult } from './tool-result.ts'

/** What a stateful tool can be asked to do. */
export const LIVE_ACTIONS = ['spawn', 'fetch', 'apply', 'abort'] as const

/** One of them. */
export type LiveAction = (typeof LIVE_ACTIONS)[number]

/** Something that can be called, wherever it runs. */
export interface Tool extends ToolDefinition {
  /**
   * Runs the call once; calls may run side by side. Never rejects for anything the tool did: a failure is a result with `isError`. Called again with
   * more `answers` when the result asked questions.
   */
  execute(call: ToolCall, context: ToolContext): Promise<ToolResult>
  /** Shows the call to a person before it runs, and does nothing else; an error result keeps the call from running. */
  formatArguments?(call: ToolCall, context: ToolContext): Promise<ToolResult>
  /** Starts a call that stays alive; its presence makes the tool stateful. A rejection means that nothing lives. */
  spawn?(call: ToolCall, context: ToolContext): Promise<LiveCall>
  /** What a stateful tool can do; absent means all four. */
  actions?: readonly LiveAction[]
}
