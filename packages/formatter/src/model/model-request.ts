import type {
  AssistantMessage,
  ContentBlock,
  Delivery,
  JsonObject,
  ModelText,
  ToolCall,
  ToolDefinition,
  ToolResult,
} from '@toolblocks/protocol'

/** What a model is asked, in the words of no provider. */
export interface ModelRequest {
  messages: readonly ModelMessage[]
  tools: readonly ToolDefinition[]
  /** Stand above the conversation, where a provider has a place for them. */
  instructions?: string
  /** Tokens that the answer may have. Default: as the provider decides. */
  maxOutputTokens?: number
  /** `required`: the model must call a tool. Default: it may. */
  toolChoice?: 'required'
}

/** One message of a conversation; results follow the message that called, before anything else. */
export type ModelMessage = UserMessage | ModelResponse | ToolResultsMessage

/** What a person says, with what is attached to it. */
export interface UserMessage {
  role: 'user'
  content: readonly ContentBlock[]
  /** Of what is attached: what results may point to. Default: nothing is. */
  deliveries?: readonly Delivery[]
}

/** What a model said, and the calls it wanted made. */
export interface ModelResponse extends AssistantMessage {
  role: 'assistant'
  calls: readonly ModelCall[]
}

/** A call as a model made it. */
export interface ModelCall extends ToolCall {
  /** What a provider wants back with the call, under its name. */
  _meta?: JsonObject
}

/** The results of all calls of the message before, in their order. */
export interface ToolResultsMessage {
  role: 'tool'
  results: readonly ResultForModel[]
}

/** A result for a model. */
export interface ResultForModel {
  /** The call that it answers. */
  call: Pick<ToolCall, 'id' | 'name'>
  result: ToolResult
  /** What was decided when it was delivered: shortened, pointing to what the model has. Absent: the result is written whole. */
  text?: ModelText
  /** Of the same decision: media that were only pointed to are not given again, unless what they point to is not in the request. */
  deliveries?: readonly Delivery[]
}
