export { countCharacters, firstUnits, shortenText } from './text/characters.ts'
export type { AssistantMessage, TokenUsage } from './conversation/assistant-message.ts'
export type { Approval } from './tools/approval.ts'
export { textOf } from './content/text-of.ts'
export { audienceOf } from './content/audience-of.ts'
export { blocksOfSameJson } from './content/blocks-of-same-json.ts'
export { type Annotations, isAnnotations, isAudience, isPriority } from './content/annotations.ts'
export type {
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  QuestionContent,
  ResourceLink,
  TextContent,
} from './content/content-block.ts'
export {
  isAudioContent,
  isContentBlock,
  isEmbeddedResource,
  isImageContent,
  isQuestionContent,
  isResourceLink,
  isTextContent,
} from './content/is-content-block.ts'
export { isResource, type Resource } from './content/resource.ts'
export { type Delivery, type DeliveryPlace, isDelivery } from './conversation/delivery.ts'
export { describeValue, quoteBriefly } from './text/describe-value.ts'
export { isLeftOut } from './content/is-left-out.ts'
export { withWireClaims } from './wire/wire-claims.ts'
export { field, isJsonObject, isPlainObject } from './json/fields.ts'
export { textOfValue } from './text/text-of-value.ts'
export { findNonJson } from './json/find-non-json.ts'
export { isJsonSchema, isJsonValue } from './json/is-json.ts'
export { appendPointer, pointerSteps, valueAtPointer } from './json/json-pointer.ts'
export { followReference, isLocalReference, type ReferencedPlace } from './json/local-reference.ts'
export type { JsonObject, JsonSchema, JsonValue, Meta } from './json/json.ts'
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
} from './limits.ts'
export { parseJson } from './json/parse-json.ts'
export { endOfJsonString, isEscapedInJson, isJsonWhiteSpace } from './json/json-string.ts'
export { type JsonScan, scanJson } from './json/scan-json.ts'
export { explainMissingPeer } from './missing-peer.ts'
export {
  META_ERROR,
  META_IDENTITY,
  META_MADE_BY,
  META_QUOTED,
  META_RE,
  META_STATUS,
  META_WARNINGS,
  META_WIRE,
} from './meta-keys.ts'
export {
  mergeToolOverrides,
  type MergedTool,
  type ToolOverrides,
} from './parameters/merge-tool-overrides.ts'
export {
  isParameterDefinition,
  type ParameterDefinition,
} from './parameters/parameter-definition.ts'
export type { OverrideProblemCode } from './parameters/override-problem-code.ts'
export { ANNOTATION_KEYWORDS } from './parameters/annotation-keywords.ts'
export { mapSchema, SCHEMA_MAPS } from './parameters/map-schema.ts'
export { fillDefaults, hasDefault } from './parameters/fill-defaults.ts'
export { argumentsMarked } from './parameters/arguments-marked.ts'
export { isRequired, parametersToSchema } from './parameters/parameters-to-schema.ts'
export { schemaToParameters } from './parameters/schema-to-parameters.ts'
export { withPrefixItems } from './parameters/with-prefix-items.ts'
export { isProblem, type Problem } from './problem.ts'
export type {
  ProgramExit,
  ProgramPlan,
  ProgramStart,
  StartedProgram,
  StartProgram,
} from './programs/start-program.ts'
export { isQuoted, sayAndQuote } from './content/quote-text.ts'
export { nameInWords } from './text/name-in-words.ts'
export { fenceText } from './text/fence-text.ts'
export { sizeInWords, sizeOfBase64 } from './text/size-in-words.ts'
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
export { printableJson } from './json/printable-json.ts'
export { booleanQuestion, selectQuestion, textQuestion } from './questions/create-question.ts'
export {
  type AskedParty,
  type InquiryEvent,
  isInquiryEvent,
  type RecordedAnswer,
} from './questions/inquiry-event.ts'
export { type InputRequest, isInputRequest } from './questions/input-request.ts'
export { isSecret } from './questions/is-secret.ts'
export { askQuestions, type AskedQuestions } from './questions/ask-questions.ts'
export { describeQuestion } from './questions/describe-question.ts'
export { describeUnanswered } from './questions/describe-unanswered.ts'
export { findQuestions, type FoundQuestion } from './questions/find-questions.ts'
export type {
  FormatBlocks,
  ModelText,
  RenderBlocks,
  RenderLine,
  SafeHtml,
  TerminalText,
} from './text/rendered-text.ts'
export { lineRange } from './resources/line-range.ts'
export { canonicalUri, type CanonicalUri, type UriOptions } from './resources/canonical-uri.ts'
export type { PathPlatform } from './resources/file-uri.ts'
export type { UriProblemCode } from './resources/uri-problem.ts'
export { workspacePath } from './resources/workspace-path.ts'
export { createErrorResult, createFailure, createSuccessResult } from './tools/create-result.ts'
export { describeBadArguments } from './tools/describe-bad-arguments.ts'
export { type ErrorDetails, readErrorDetails, withErrorDetails } from './tools/error-details.ts'
export { createKeptOutput, type KeptOutput } from './tools/kept-output.ts'
export { describeEndedCall, tooManyInteractions } from './tools/describe-ended-call.ts'
export type { LiveCall, LiveInput } from './tools/live-call.ts'
export { inputQuestion, type LiveResponse, readLiveResponse } from './tools/read-live-response.ts'
export { type LiveRun, runLiveCall } from './tools/run-live-call.ts'
export { isMeantAsResult, MISSING_CONTENT, skippedBlocks } from './tools/skipped-blocks.ts'
export { isStatus, readStatus, type Status, withStatus } from './tools/status.ts'
export { LIVE_ACTIONS, type LiveAction, type Tool } from './tools/tool.ts'
export { isToolCall, type ToolCall } from './tools/tool-call.ts'
export {
  type AskPorts,
  type CallContext,
  type CallTool,
  type KeepBytes,
  type Progress,
  type ToolContext,
  toToolContext,
} from './tools/tool-context.ts'
export { isToolDefinition, type ToolDefinition } from './tools/tool-definition.ts'
export {
  type BlobRef,
  isBlobRef,
  isOutcome,
  isResourceIdentity,
  isResultMetadata,
  isToolResult,
  type LiveHandle,
  type Outcome,
  type ResourceIdentity,
  type ResultMetadata,
  type ToolResult,
} from './tools/tool-result.ts'
export { type DisplayHints, isDisplayHints, type PreferredView } from './values/display-hints.ts'
export { normalizeResultValue, readResultValue } from './values/normalize-result-value.ts'
export {
  isToolResultValue,
  isValidKind,
  isWellKnownValue,
  type ToolResultValue,
} from './values/tool-result-value.ts'
export { isWellKnownKind } from './values/well-known-shape.ts'
export type {
  DiffHunk,
  DiffValue,
  FileContentValue,
  FileEntry,
  FileListValue,
  ImageValue,
  StructuredValue,
  TableColumn,
  TableValue,
  TextValue,
  WellKnownKind,
  WellKnownValue,
} from './values/well-known-value.ts'
export { descriptionToDefinition, schemaToArguments } from './wire/describe-tool.ts'
export {
  isToolDescription,
  isToolDescriptions,
  type ToolDescription,
  type ToolDescriptions,
} from './wire/tool-description.ts'
export { type Action, isAction, isToolRequest, type ToolRequest } from './wire/tool-request.ts'
export { type Grace, withinGrace } from './tools/within-grace.ts'
