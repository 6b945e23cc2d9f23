export { type LimitedOutput } from './calls/limited-output.ts'
export { type LiveResponse } from './calls/read-live-response.ts'
export { type LiveRun } from './calls/run-live-call.ts'
export {
  type AskPorts,
  type CallContext,
  type ExecuteCall,
  type KeepBytes,
  type LiveAction,
  type LiveCall,
  type LiveInput,
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
export { type AssistantMessage, type TokenUsage } from './conversation/assistant-message.ts'
export { type Delivery, type DeliveryPlace, isDelivery } from './conversation/delivery.ts'
export { type ReferencedPlace } from './json/json-pointer.ts'
export { type JsonScan } from './json/json-text.ts'
export { type JsonObject, type JsonSchema, type JsonValue, type Meta } from './json/json.ts'
export { type Problem, isProblem } from './json/problem.ts'
export { type QueueAbort, type Queue, type Queues } from './limits/queue.ts'
export { type Grace } from './limits/within-grace.ts'
export {
  type MergedTool,
  type OverrideProblemCode,
  type ToolOverrides,
} from './parameters/merge-tool-overrides.ts'
export { type ParameterDefinition } from './parameters/parameter-definition.ts'
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
  isAnswer,
  isAnswers,
} from './questions/answer.ts'
export { type AskedQuestions, type FoundQuestion } from './questions/ask-questions.ts'
export {
  type AskedParty,
  type InquiryEvent,
  type RecordedAnswer,
  isInquiryEvent,
} from './questions/inquiry-event.ts'
export { describeQuestion, isSecret } from './questions/is-secret.ts'
export {
  type CanonicalUri,
  type PathPlatform,
  type UriOptions,
  type UriProblemCode,
  canonicalUri,
} from './resources/canonical-uri.ts'
export { getLineRange, toWorkspacePath } from './resources/workspace-path.ts'
export {
  type FormatBlocks,
  type ModelText,
  type RenderBlocks,
  type RenderTerminalLine,
  type SafeHtml,
  type TerminalText,
} from './content/rendered-text.ts'
export { type Approval, type ToolCall, isToolCall } from './tools/tool-call.ts'
export { type ToolDefinition, isToolDefinition } from './tools/tool-definition.ts'
export {
  type BlobRef,
  type ErrorDetails,
  type LiveHandle,
  type Outcome,
  type ResourceIdentity,
  type ResultMetadata,
  type Status,
  type ToolResult,
  createErrorResult,
  createFailure,
  createSuccessResult,
  isBlobRef,
  isOutcome,
  isResourceIdentity,
  isResultMetadata,
  isToolResult,
} from './tools/tool-result.ts'
export { type DisplayHints, type PreferredView, isDisplayHints } from './values/display-hints.ts'
export {
  type ToolResultValue,
  isToolResultValue,
  isValidKind,
  isWellKnownValue,
  normalizeResultValue,
  readResultValue,
} from './values/tool-result-value.ts'
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
  isWellKnownKind,
} from './values/well-known-value.ts'
export {
  type ToolDescription,
  type ToolDescriptions,
  descriptionToDefinition,
  isToolDescription,
  isToolDescriptions,
  schemaToArguments,
} from './wire/tool-description.ts'
export { type Action, type ToolRequest, isAction, isToolRequest } from './wire/tool-request.ts'
