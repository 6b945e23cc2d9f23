import type {
  ContentBlock,
  InquiryEvent,
  JsonValue,
  ToolCall,
  ToolResult,
} from '@toolblocks/protocol'

/** One thing that happened in a conversation. */
export type ConversationEvent =
  | { type: 'turn_start'; turn: number }
  | { type: 'user_message'; content: readonly ContentBlock[] }
  | { type: 'assistant_message'; content: readonly ContentBlock[] }
  | { type: 'tool_call'; call: ToolCall }
  | { type: 'tool_result'; result: ToolResult }
  | InquiryEvent

/** An event written by a newer version: kept and handed on as it is. */
export interface UnknownEvent {
  type: 'unknown'
  value: JsonValue
}

/** An event as it is in the store. */
export interface StoredEvent {
  /** 1 for the first event of the conversation, without gaps. */
  seq: number
  /** When it was appended: ISO 8601, UTC. */
  at: string
  event: ConversationEvent | UnknownEvent
}
