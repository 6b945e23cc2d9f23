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

/** A model request, independent of the provider. */
export interface ModelRequest {
  messages: readonly ModelMessage[]
  tools: readonly ToolDefinition[]
  /** Instructions (system prompt), if the provider has a place for them. */
  instructions?: string
  /** Maximum tokens of the response. Default: the provider's. */
  maxOutputTokens?: number
  /** `required`: the model must call a tool. Default: it may. */
  toolChoice?: 'required'
}

/** A message of a conversation. Results follow the message with the calls, before anything else. */
export type ModelMessage = UserMessage | ModelResponse | ToolResultsMessage

/** A message of a person, with attachments. */
export interface UserMessage {
  role: 'user'
  content: readonly ContentBlock[]
  /** The deliveries of the attachments, which results may refer to. Default: none. */
  deliveries?: readonly Delivery[]
}

/** The response of a model, with its calls. */
export interface ModelResponse extends AssistantMessage {
  role: 'assistant'
  calls: readonly ModelCall[]
}

/** A call of a model. */
export interface ModelCall extends ToolCall {
  /** Provider data that goes back with the call, under the provider's name. */
  _meta?: JsonObject
}

/** The results of all calls of the previous message, in order. */
interface ToolResultsMessage {
  role: 'tool'
  results: readonly ResultForModel[]
}

/** A result for a model. */
export interface ResultForModel {
  /** The call of the result. */
  call: Pick<ToolCall, 'id' | 'name'>
  result: ToolResult
  /** The text from the delivery: shortened, or with references. Absent: the complete result is formatted. */
  text?: ModelText
  /** The deliveries of the same result. Media that became a reference are not given again, unless their target is not in the request. */
  deliveries?: readonly Delivery[]
}
