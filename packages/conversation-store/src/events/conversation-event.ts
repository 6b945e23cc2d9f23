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
  /** The whole event, its `type` included. */
  value: JsonValue
}

/** An event that happened elsewhere, for example one of an older system that is imported. */
export interface DatedEvent {
  event: ConversationEvent
  /** When it happened: ISO 8601, with an offset or `Z`. */
  at: string
  /** The record it was made from, as it came; kept beside it, and proven like it. */
  original?: Uint8Array
}

/** An event as it is in the store. */
export interface StoredEvent {
  /** 1 for the first event of the conversation, without gaps. */
  seq: number
  /** When it happened, which is when it was appended unless the append said otherwise: ISO 8601, UTC. */
  at: string
  /** `unknown` where a newer version wrote it. */
  event: ConversationEvent | UnknownEvent
  /** The record it was made from, where the append gave one. */
  original?: Uint8Array
}
