import type {
  Approval,
  AssistantMessage,
  ContentBlock,
  Delivery,
  InquiryEvent,
  JsonObject,
  JsonValue,
  ToolCall,
  ToolResult,
} from '@toolblocks/protocol'

/** One thing that happened in a conversation. */
export type ConversationEvent =
  /** A turn begins; turns are counted from 1. */
  | { type: 'turn_start'; turn: number }
  | { type: 'user_message'; content: readonly ContentBlock[] }
  | ({ type: 'assistant_message' } & AssistantMessage)
  | { type: 'tool_call'; call: ToolCall }
  | { type: 'tool_result'; result: ToolResult }
  | InquiryEvent
  | ApprovalEvent
  | DeliveryEvent
  /** What is other from here on: a model, instructions, tools; only what changes. */
  | { type: 'configuration'; values: JsonObject }
  | Compaction
  /** The events after the one with the `seq` `to` are undone; they stay in the store. */
  | { type: 'rewind'; to: number }

/** What became of the question whether a call may run. */
export interface ApprovalEvent {
  type: 'approval'
  callId: string
  /** `cancelled`: nobody decided, so that the call does not run. */
  decision: Approval['decision']
  /** Who decided; `rule`: what was configured or remembered. */
  by: 'user' | 'rule'
  /** What is run instead of the call's own, where a person has changed them. */
  arguments?: JsonObject
  /** What the person said about it. Absent: nothing. */
  reason?: string
}

/** What a model was given of a result. It is recorded, so that a text which was given once stays as it was. */
export interface DeliveryEvent {
  type: 'delivery'
  /** Of each resource that has an identity and that the model was not only told of. */
  deliveries: readonly Delivery[]
  /** Whose result it was. */
  callId?: string
  /** All that the model was given. */
  text?: string
  /** Characters (UTF-16 code units) that the text would have without references and cuts. */
  wholeLength?: number
}

/** What a model is given instead of some turns from here on; the turns stay in the store. */
export interface Compaction {
  type: 'compaction'
  /** The first of them, counted from 1. */
  fromTurn: number
  /** The last of them, inclusive. */
  toTurn: number
  /** Stands for all of them. */
  summary?: string
  /** Leaves out what the model thought. */
  reasoning?: 'strip'
  /** Leaves out calls with their results, or the content of results (uris and hashes stay), or of calls too. */
  toolCalls?: 'omit' | 'strip-results' | 'strip'
}

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
  /** When a value was last taken out of it, if one was: ISO 8601, UTC. */
  scrubbedAt?: string
}
