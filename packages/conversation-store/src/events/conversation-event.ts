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

/** One event of a conversation. */
export type ConversationEvent =
  /** A turn begins. Turns are counted from 1. */
  | { type: 'turn_start'; turn: number }
  | { type: 'user_message'; content: readonly ContentBlock[] }
  | ({ type: 'assistant_message' } & AssistantMessage)
  | { type: 'tool_call'; call: ToolCall }
  | { type: 'tool_result'; result: ToolResult }
  | InquiryEvent
  | ApprovalEvent
  | DeliveryEvent
  /** Changed settings from here on: a model, instructions, tools. Contains only what changes. */
  | { type: 'configuration'; values: JsonObject }
  | Compaction
  /**
   * The conversation is again as it was after the event whose `seq` is `to`: the events since then are undone, and so are rewinds since then. All
   * events stay in the store.
   */
  | { type: 'rewind'; to: number }

/** The decision whether a call may run. */
export interface ApprovalEvent {
  type: 'approval'
  callId: string
  /** `cancelled`: no person decided, so the call does not run. */
  decision: Approval['decision']
  /** Who decided. */
  by: 'user' | 'rule'
  /** The rule that decided, as it was written without its effect: `git(command^=git log)`. Absent: none, or it was not recorded. */
  rule?: string
  /** Where the rule is, for people: `configuration`. Absent: unknown. */
  source?: string
  /** Arguments that replace those of the call, if a person changed them. */
  arguments?: JsonObject
  /** The person's comment on the decision. Absent: no comment. */
  reason?: string
}

/** The form in which a model received a result. It is recorded, so that the model always receives the same text again. */
export interface DeliveryEvent {
  type: 'delivery'
  /** One delivery for each resource that has an identity and of which the model received more than its name. */
  deliveries: readonly Delivery[]
  /** Id of the call that returned the result. */
  callId?: string
  /** The complete text that the model received. */
  text?: string
  /** Number of characters (UTF-16 code units) that the text would have without references and cuts. */
  wholeLength?: number
}

/** What a model receives instead of some turns from here on. The turns stay in the store. */
export interface Compaction {
  type: 'compaction'
  /** The first of the turns, counted from 1. */
  fromTurn: number
  /** The last of the turns, inclusive. */
  toTurn: number
  /** A text that replaces all of the turns. */
  summary?: string
  /** Omits the model's reasoning. */
  reasoning?: 'strip'
  /**
   * What to omit: the calls with their results (`omit`), the content of results (`strip-results`; URIs and hashes stay), or the content of calls
   * too (`strip`).
   */
  toolCalls?: 'omit' | 'strip-results' | 'strip'
}

/** An event that a newer version wrote. It is kept and returned unchanged. */
export interface UnknownEvent {
  type: 'unknown'
  /** The complete event, including its `type`. */
  value: JsonValue
}

/** An event with its own time, for example one that is imported from an older system. */
export interface DatedEvent {
  event: ConversationEvent
  /** When the event happened: ISO 8601, with an offset or `Z`. */
  at: string
  /** The record from which the event was made, byte for byte. It is kept beside the event and verified in the same way. */
  original?: Uint8Array
}

/** An event as the store returns it. */
export interface StoredEvent {
  /** 1 for the first event of the conversation, then without gaps. */
  seq: number
  /** When the event happened: ISO 8601, UTC. Default: the time of the append. */
  at: string
  /** `unknown` if a newer version wrote it. */
  event: ConversationEvent | UnknownEvent
  /** The record from which the event was made, if the append included one. */
  original?: Uint8Array
  /** When a value was last scrubbed from the event, if one was: ISO 8601, UTC. */
  scrubbedAt?: string
}
