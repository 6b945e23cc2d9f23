import type { JsonSchema, Meta } from '../json.ts'
import type { LiveCall } from './live-call.ts'
import type { ToolCall } from './tool-call.ts'
import type { ToolContext } from './tool-context.ts'
import type { ToolResult } from './tool-result.ts'

/** What a model and a person need to know of a tool. */
export interface ToolDefinition {
  name: string
  title?: string
  /** One or two sentences, sent with every request. */
  summary?: string
  /** The whole story, given on demand where a `summary` exists. */
  description?: string
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  /** MCP's hints, such as `readOnlyHint`; claims, never permissions. */
  annotations?: Readonly<Record<string, unknown>>
  icons?: readonly unknown[]
  _meta?: Meta
}

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
