import type { JsonObject } from '@toolblocks/protocol'
import type { RequestChange } from '../turns/request-change.ts'
import type { ToolNames } from '../tools/tool-names.ts'

/** What `doStream` and `doGenerate` of a language model of the AI SDK take; its own types are met, not named. */
export interface AiSdkPrompt {
  prompt: AiSdkMessage[]
  tools: AiSdkTool[]
  toolChoice?: { type: 'required' }
  /** Reads the names that a model answers with. */
  names: ToolNames
  /** What is written otherwise than it was given. */
  changes: readonly RequestChange[]
}

/** What one provider of the AI SDK wants to be told or given back, by its name. */
export type ProviderOptions = Record<string, Record<string, never>>

/** A message of a prompt. */
export type AiSdkMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: (AiSdkText | AiSdkFile)[] }
  | { role: 'assistant'; content: (AiSdkText | AiSdkReasoning | AiSdkCall)[] }
  | { role: 'tool'; content: AiSdkResult[] }

export interface AiSdkText {
  type: 'text'
  text: string
}

export interface AiSdkFile {
  type: 'file'
  data: { type: 'data'; data: string }
  mediaType: string
  filename?: string
}

export interface AiSdkReasoning {
  type: 'reasoning'
  text: string
  providerOptions?: ProviderOptions
}

export interface AiSdkCall {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: unknown
  providerOptions?: ProviderOptions
}

export interface AiSdkResult {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: AiSdkOutput
}

/** `content` has no way to say that a call failed. */
export type AiSdkOutput =
  | { type: 'text' | 'error-text'; value: string }
  | { type: 'content'; value: (AiSdkText | AiSdkFile)[] }

/** A tool as a model is told of it. */
export interface AiSdkTool {
  type: 'function'
  name: string
  description?: string
  inputSchema: JsonObject
}
