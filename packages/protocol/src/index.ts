export type {
  Annotations,
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  QuestionContent,
  Resource,
  ResourceLink,
  TextContent,
} from './content/content-block.ts'
export type { Delivery } from './delivery.ts'
export type { JsonSchema, JsonValue, Meta } from './json.ts'
export {
  MAX_CONTENT_BLOCKS,
  MAX_INQUIRY_ROUNDS,
  MAX_JSON_DEPTH,
  MAX_JSON_NODES,
  MAX_OUTPUT_BYTES,
  MAX_QUESTIONS,
  MAX_SCHEMA_DEPTH,
  MAX_UNSCANNED_BYTES,
  MAX_URI_BYTES,
} from './limits.ts'
export type { Problem } from './problem.ts'
export type {
  Answer,
  AnswerQuestion,
  Answers,
  CancelReason,
  QuestionContext,
  QuestionSource,
} from './questions/answer.ts'
export type { InputRequest } from './questions/input-request.ts'
export type {
  FormatBlocks,
  ModelText,
  RenderBlocks,
  SafeHtml,
  TerminalText,
} from './rendered-text.ts'
export { createErrorResult, createSuccessResult } from './tools/create-result.ts'
export type { LiveCall, LiveInput } from './tools/live-call.ts'
export type { Tool, ToolDefinition } from './tools/tool.ts'
export type { ToolCall } from './tools/tool-call.ts'
export type {
  AskPorts,
  CallContext,
  CallTool,
  KeepBytes,
  Progress,
  ToolContext,
} from './tools/tool-context.ts'
export type {
  BlobRef,
  Outcome,
  ResourceIdentity,
  ResultMetadata,
  Status,
  ToolResult,
} from './tools/tool-result.ts'
export type {
  ParameterDefinition,
  ToolDescription,
  ToolDescriptions,
} from './wire/tool-description.ts'
export type { Action, ToolRequest } from './wire/tool-request.ts'
