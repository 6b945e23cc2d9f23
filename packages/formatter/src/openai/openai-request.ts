import type { JsonObject } from '@toolblocks/protocol'
import type { RequestChange } from '../turns/request-change.ts'
import type { ToolNames } from '../tools/tool-names.ts'

/** What `responses.create` of OpenAI takes, beside the model; its own types are met, not named. */
export interface ResponsesRequest {
  instructions?: string
  input: ResponsesItem[]
  tools: ResponsesTool[]
  tool_choice?: 'required'
  /** Reads the names that the model answers with. */
  names: ToolNames
  /** What is written otherwise than it was given. */
  changes: readonly RequestChange[]
}

/** An item of the input. */
export type ResponsesItem =
  | { role: 'user'; content: ResponsesPart[] }
  | { role: 'assistant'; content: string }
  | ResponsesCall
  | { type: 'function_call_output'; call_id: string; output: string | ResponsesPart[] }
  | ResponsesKept

/** Any item that the model said, such as its encrypted reasoning, as it came. */
export interface ResponsesKept {
  type: 'reasoning'
  id: string
  summary: { type: 'summary_text'; text: string }[]
}

export interface ResponsesCall {
  type: 'function_call'
  call_id: string
  name: string
  arguments: string
}

export type ResponsesPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' }
  | { type: 'input_file'; filename: string; file_data: string }

/** A tool as the model is told of it. */
export interface ResponsesTool {
  type: 'function'
  name: string
  description?: string
  parameters: { [keyword: string]: unknown }
  strict: false
}

/** What `chat.completions.create` of OpenAI and of servers compatible with it takes, beside the model. */
export interface ChatRequest {
  messages: ChatMessage[]
  /** Absent where there is none: an empty list is refused. */
  tools?: ChatTool[]
  tool_choice?: 'required'
  /** Reads the names that the model answers with. */
  names: ToolNames
  /** What is written otherwise than it was given. */
  changes: readonly RequestChange[]
}

/** A message. */
export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: ChatPart[] }
  | { role: 'assistant'; content: string | null; tool_calls?: ChatCall[] }
  | { role: 'tool'; tool_call_id: string; content: string }

export type ChatPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'file'; file: { filename: string; file_data: string } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }

export interface ChatCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** A tool as the model is told of it. */
export interface ChatTool {
  type: 'function'
  function: {
    name: string
    description?: string
    parameters: JsonObject & { [keyword: string]: unknown }
  }
}
