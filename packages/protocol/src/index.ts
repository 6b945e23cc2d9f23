export {
  type AskPorts,
  type CallContext,
  type ExecuteCall,
  type KeepBytes,
  type LiveCall,
  type Progress,
  type Tool,
  type ToolContext,
} from './calls/tool.ts'
export {
  type Annotations,
  type AudioContent,
  type ContentBlock,
  type EmbeddedResource,
  type ImageContent,
  type QuestionContent,
  type Resource,
  type ResourceLink,
  type TextContent,
  getAudience,
  isAudioContent,
  isContentBlock,
  isEmbeddedResource,
  isImageContent,
  isQuestionContent,
  isResource,
  isResourceLink,
  isTextContent,
  getText,
} from './content/content-block.ts'
export {
  type InputRequest,
  booleanQuestion,
  isInputRequest,
  selectQuestion,
  textQuestion,
} from './content/input-request.ts'
export {
  type FormatBlocks,
  type ModelText,
  type RenderBlocks,
  type RenderTerminalLine,
  type SafeHtml,
  type TerminalText,
} from './content/rendered-text.ts'
export { type AssistantMessage, type TokenUsage } from './conversation/assistant-message.ts'
export { type Delivery } from './conversation/delivery.ts'
export {
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  type Meta,
  isJsonObject,
} from './json/json.ts'
export { type Problem } from './json/problem.ts'
export { type ToolOverrides } from './parameters/merge-tool-overrides.ts'
export { type ParameterDefinition } from './parameters/parameter-definition.ts'
export { schemaToParameters } from './parameters/parameters-to-schema.ts'
export {
  type ProgramExit,
  type ProgramPlan,
  type ProgramStart,
  type StartedProgram,
  type StartProgram,
} from './programs/start-program.ts'
export {
  type Answer,
  type AnswerQuestion,
  type Answers,
  type AnsweredQuestion,
  type CancelReason,
  type QuestionContext,
  type QuestionSource,
} from './questions/answer.ts'
export { type AskedParty, type InquiryEvent } from './questions/inquiry-event.ts'
export { isSecret } from './questions/is-secret.ts'
export { canonicalUri } from './resources/canonical-uri.ts'
export { toWorkspacePath } from './resources/workspace-path.ts'
export {
  type Operation,
  type OperationEnd,
  type RunningOperation,
  type Telemetry,
  type TelemetryAttributes,
} from './telemetry/telemetry.ts'
export { type Approval, type ToolCall } from './tools/tool-call.ts'
export { type ToolDefinition, isToolDefinition } from './tools/tool-definition.ts'
export {
  type BlobRef,
  type Outcome,
  type ResourceIdentity,
  type ResultMetadata,
  type Status,
  type ToolResult,
  createErrorResult,
  createFailure,
  createSuccessResult,
  isToolResult,
  readErrorDetails,
  readStatus,
  withErrorDetails,
  withStatus,
} from './tools/tool-result.ts'
export { type ToolResultValue, readResultValue } from './values/tool-result-value.ts'
export {
  type DiffHunk,
  type DiffValue,
  type FileContentValue,
  type FileEntry,
  type FileListValue,
  type ImageValue,
  type StructuredValue,
  type TableColumn,
  type TableValue,
  type TextValue,
  type WellKnownKind,
  type WellKnownValue,
} from './values/well-known-value.ts'
export {
  type ToolDescription,
  type ToolDescriptions,
  descriptionToDefinition,
} from './wire/tool-description.ts'
export { type Action, type ToolRequest } from './wire/tool-request.ts'
export { type CanonicalUri } from './resources/canonical-uri.ts'
export { type ErrorDetails } from './tools/tool-result.ts'
