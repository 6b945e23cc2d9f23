export {
  countCharacters,
  firstUnits,
  shortenText,
  sizeInWords,
  sizeOfBase64,
} from './text/characters.ts'
export type { AssistantMessage, TokenUsage } from './conversation/assistant-message.ts'
export {
  type Approval,
  type ToolCall,
  describeBadArguments,
  isToolCall,
} from './tools/tool-call.ts'
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
  audienceOf,
  isAnnotations,
  isAudience,
  isAudioContent,
  isContentBlock,
  isEmbeddedResource,
  isImageContent,
  isLeftOut,
  isPriority,
  isQuestionContent,
  isQuoted,
  isResource,
  isResourceLink,
  isTextContent,
  sayAndQuote,
  textOf,
} from './content/content-block.ts'
export { blocksOfSameJson } from './content/blocks-of-same-json.ts'
export { type Delivery, type DeliveryPlace, isDelivery } from './conversation/delivery.ts'
export { describeValue, nameInWords, quoteBriefly, textOfValue } from './text/describe-value.ts'
export {
  META_ERROR,
  META_IDENTITY,
  META_MADE_BY,
  META_QUOTED,
  META_RE,
  META_STATUS,
  META_WARNINGS,
  META_WIRE,
  withWireClaims,
} from './content/meta-keys.ts'
export {
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  type Meta,
  field,
  isJsonObject,
  isPlainObject,
} from './json/json.ts'
export { findNonJson, isJsonSchema, isJsonValue } from './json/is-json.ts'
export {
  type ReferencedPlace,
  appendPointer,
  followReference,
  isLocalReference,
  pointerSteps,
  valueAtPointer,
} from './json/json-pointer.ts'
export {
  IMPORT_BYTES_PER_NODE,
  MAX_ANSWER_BYTES,
  MAX_ANSWER_EVENT_BYTES,
  MAX_ANSWER_IDLE_MS,
  MAX_CALLS_PER_MESSAGE,
  MAX_CALL_BYTES,
  MAX_CALL_NAME_BYTES,
  MAX_CONNECTIONS,
  MAX_CONTENT_BLOCKS,
  MAX_DESCRIPTION_BYTES,
  MAX_IMPORT_BLOB_BYTES,
  MAX_IMPORT_DEPTH,
  MAX_IMPORT_FILES,
  MAX_IMPORT_FILE_BYTES,
  MAX_IMPORT_MS,
  MAX_IMPORT_RECORD_BYTES,
  MAX_IMPORT_ROWS,
  MAX_INQUIRY_ROUNDS,
  MAX_JSON_DEPTH,
  MAX_JSON_NODES,
  MAX_KEPT_CALLS_PER_MESSAGE,
  MAX_LIVE_INTERACTIONS,
  MAX_LIVE_PROGRAMS,
  MAX_MESSAGE_BYTES,
  MAX_OUTPUT_BYTES,
  MAX_QUESTIONS,
  MAX_REFUSAL_BYTES,
  MAX_REQUEST_BYTES,
  MAX_REQUEST_MS,
  MAX_RUNNING_PROGRAMS,
  MAX_SCHEMA_DEPTH,
  MAX_SERVED_CALLS,
  MAX_SESSIONS,
  MAX_UNSCANNED_BYTES,
  MAX_URI_BYTES,
  PORT_GRACE_MS,
  TOOL_GRACE_MS,
} from './limits/limits.ts'
export { createQueue, type Leaving, type Queue } from './limits/queue.ts'
export {
  type JsonScan,
  endOfJsonString,
  isEscapedInJson,
  isJsonWhiteSpace,
  parseJson,
  printableJson,
  scanJson,
} from './json/json-text.ts'
export { explainMissingPeer } from './text/missing-peer.ts'
export {
  type MergedTool,
  type OverrideProblemCode,
  type ToolOverrides,
  mergeToolOverrides,
} from './parameters/merge-tool-overrides.ts'
export {
  type ParameterDefinition,
  argumentsMarked,
  isParameterDefinition,
} from './parameters/parameter-definition.ts'
export {
  ANNOTATION_KEYWORDS,
  SCHEMA_MAPS,
  mapSchema,
  withPrefixItems,
} from './parameters/map-schema.ts'
export { fillDefaults, hasDefault } from './parameters/fill-defaults.ts'
export {
  isRequired,
  parametersToSchema,
  schemaToParameters,
} from './parameters/parameters-to-schema.ts'
export { isProblem, type Problem } from './json/problem.ts'
export type {
  ProgramExit,
  ProgramPlan,
  ProgramStart,
  StartedProgram,
  StartProgram,
} from './programs/start-program.ts'
export { fenceText } from './text/fence-text.ts'
export {
  type Answer,
  type AnswerQuestion,
  type Answers,
  type CancelReason,
  isAnswer,
  isAnswers,
  type QuestionContext,
  type QuestionSource,
} from './questions/answer.ts'
export {
  type InputRequest,
  booleanQuestion,
  isInputRequest,
  selectQuestion,
  textQuestion,
} from './content/input-request.ts'
export {
  type AskedParty,
  type InquiryEvent,
  isInquiryEvent,
  type RecordedAnswer,
} from './questions/inquiry-event.ts'
export { describeQuestion, isSecret } from './questions/is-secret.ts'
export {
  type AskedQuestions,
  type FoundQuestion,
  askQuestions,
  describeUnanswered,
  findQuestions,
} from './questions/ask-questions.ts'
export type {
  FormatBlocks,
  ModelText,
  RenderBlocks,
  RenderLine,
  SafeHtml,
  TerminalText,
} from './text/rendered-text.ts'
export { lineRange, workspacePath } from './resources/workspace-path.ts'
export {
  type CanonicalUri,
  type PathPlatform,
  type UriOptions,
  type UriProblemCode,
  canonicalUri,
} from './resources/canonical-uri.ts'
export {
  type BlobRef,
  type ErrorDetails,
  type LiveHandle,
  MISSING_CONTENT,
  type Outcome,
  type ResourceIdentity,
  type ResultMetadata,
  type Status,
  type ToolResult,
  createErrorResult,
  createFailure,
  createSuccessResult,
  isBlobRef,
  isMeantAsResult,
  isOutcome,
  isResourceIdentity,
  isResultMetadata,
  isStatus,
  isToolResult,
  readErrorDetails,
  readStatus,
  skippedBlocks,
  withErrorDetails,
  withStatus,
  describeThrown,
  withWarnings,
} from './tools/tool-result.ts'
export { createKeptOutput, type KeptOutput } from './calls/kept-output.ts'
export {
  type LiveRun,
  describeEndedCall,
  runLiveCall,
  tooManyInteractions,
} from './calls/run-live-call.ts'
export {
  type AskPorts,
  type CallContext,
  type CallTool,
  type KeepBytes,
  LIVE_ACTIONS,
  type LiveAction,
  type LiveCall,
  type LiveInput,
  type Progress,
  type Tool,
  type ToolContext,
  toToolContext,
} from './calls/tool.ts'
export { inputQuestion, type LiveResponse, readLiveResponse } from './calls/read-live-response.ts'
export { isToolDefinition, type ToolDefinition } from './tools/tool-definition.ts'
export {
  type ToolResultValue,
  isToolResultValue,
  isValidKind,
  isWellKnownValue,
  normalizeResultValue,
  readResultValue,
} from './values/tool-result-value.ts'
export { type DisplayHints, type PreferredView, isDisplayHints } from './values/display-hints.ts'
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
export { type Action, isAction, isToolRequest, type ToolRequest } from './wire/tool-request.ts'
export { type Grace, withinGrace } from './limits/within-grace.ts'
