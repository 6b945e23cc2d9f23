import type { JsonObject } from '@toolblocks/protocol'
import type { RequestChange } from '../turns/request-change.ts'
import type { ToolNames } from '../tools/tool-names.ts'

/** What `messages.create` of Anthropic takes, beside the model and `max_tokens`; its own types are met, not named. */
export interface AnthropicRequest {
  system?: string
  messages: AnthropicMessage[]
  tools: AnthropicTool[]
  tool_choice?: { type: 'any' }
  /** Reads the names that the model answers with. */
  names: ToolNames
  /** What is written otherwise than it was given. */
  changes: readonly RequestChange[]
}

/** A message. */
export type AnthropicMessage =
  | { role: 'user'; content: (AnthropicResult | AnthropicPart)[] }
  | { role: 'assistant'; content: (AnthropicThinking | AnthropicText | AnthropicCall)[] }

export interface AnthropicText {
  type: 'text'
  text: string
}

/** Any block that the model said, such as a thought with its signature, as it came. */
export interface AnthropicThinking {
  type: 'thinking'
  thinking: string
  signature: string
}

export type AnthropicPart =
  | AnthropicText
  | {
      type: 'image'
      source: {
        type: 'base64'
        media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
        data: string
      }
    }
  | {
      type: 'document'
      source: { type: 'base64'; media_type: 'application/pdf'; data: string }
      title?: string
    }

export interface AnthropicCall {
  type: 'tool_use'
  id: string
  name: string
  input: unknown
}

export interface AnthropicResult {
  type: 'tool_result'
  tool_use_id: string
  is_error?: boolean
  content: string | AnthropicPart[]
}

/** A tool as the model is told of it. */
export interface AnthropicTool {
  name: string
  description?: string
  input_schema: { type: 'object' } & JsonObject
}
