export type { LimitedOutput } from './calls/limited-output.ts'
export { createLimitedOutput } from './calls/limited-output.ts'
export type { LiveResponse } from './calls/read-live-response.ts'
export { createInputQuestion, readLiveResponse } from './calls/read-live-response.ts'
export type { LiveRun } from './calls/run-live-call.ts'
export {
  describeEndedCall,
  runLiveCall,
  createTooManyInteractionsResult,
} from './calls/run-live-call.ts'
export type { AskPorts, CallContext, ExecuteCall, KeepBytes, LiveAction } from './calls/tool.ts'
export type { LiveCall, LiveInput, Progress, Tool, ToolContext } from './calls/tool.ts'
export { LIVE_ACTIONS, toToolContext } from './calls/tool.ts'
export { findBlocksWithJson } from './content/find-blocks-with-json.ts'
export type { Annotations, AudioContent, ContentBlock } from './content/content-block.ts'
export type { EmbeddedResource, ImageContent, QuestionContent } from './content/content-block.ts'
export type { Resource, ResourceLink, TextContent } from './content/content-block.ts'
export { getAudience, isAnnotations, isAudience, isAudioContent } from './content/content-block.ts'
export { isContentBlock, isEmbeddedResource, isImageContent } from './content/content-block.ts'
export {
  isOmittedResourceLink,
  isPriority,
  isQuestionContent,
  isQuotedText,
} from './content/content-block.ts'
export {
  isResource,
  isResourceLink,
  isTextContent,
  createQuotingBlocks,
} from './content/content-block.ts'
export { getText } from './content/content-block.ts'
export type { InputRequest } from './content/input-request.ts'
export { booleanQuestion, isInputRequest, selectQuestion } from './content/input-request.ts'
export { textQuestion } from './content/input-request.ts'
export { META_ERROR, META_IDENTITY, META_MADE_BY, META_QUOTED } from './content/meta-keys.ts'
export { META_RE, META_STATUS, META_WARNINGS, META_WIRE } from './content/meta-keys.ts'
export { withOriginalWireFields } from './content/meta-keys.ts'
export type { AssistantMessage, TokenUsage } from './conversation/assistant-message.ts'
export type { Delivery, DeliveryPlace } from './conversation/delivery.ts'
export { isDelivery } from './conversation/delivery.ts'
export { findNonJson, isJsonSchema, isJsonValue } from './json/is-json.ts'
export type { ReferencedPlace } from './json/json-pointer.ts'
export { appendPointer, followReference, isLocalReference } from './json/json-pointer.ts'
export { splitPointer, valueAtPointer } from './json/json-pointer.ts'
export type { JsonScan } from './json/json-text.ts'
export {
  findJsonStringEnd,
  isEscapedInJson,
  isJsonWhiteSpace,
  parseJson,
} from './json/json-text.ts'
export { escapeUnprintable, scanJson } from './json/json-text.ts'
export type { JsonObject, JsonSchema, JsonValue, Meta } from './json/json.ts'
export { getOwnField, isJsonObject, isPlainObject } from './json/json.ts'
export type { Problem } from './json/problem.ts'
export { isProblem } from './json/problem.ts'
export { IMPORT_BYTES_PER_NODE, MAX_ANSWER_BYTES, MAX_ANSWER_EVENT_BYTES } from './limits/limits.ts'
export { MAX_ANSWER_IDLE_MS, MAX_CALL_BYTES, MAX_CALL_NAME_BYTES } from './limits/limits.ts'
export { MAX_CALLS_PER_MESSAGE, MAX_CONNECTIONS, MAX_CONTENT_BLOCKS } from './limits/limits.ts'
export { MAX_DESCRIPTION_BYTES, MAX_IMPORT_BLOB_BYTES, MAX_IMPORT_DEPTH } from './limits/limits.ts'
export { MAX_IMPORT_FILE_BYTES, MAX_IMPORT_FILES, MAX_IMPORT_MS } from './limits/limits.ts'
export { MAX_IMPORT_RECORD_BYTES, MAX_IMPORT_ROWS, MAX_INQUIRY_ROUNDS } from './limits/limits.ts'
export { MAX_JSON_DEPTH, MAX_JSON_NODES, MAX_KEPT_CALLS_PER_MESSAGE } from './limits/limits.ts'
export { MAX_LIVE_INTERACTIONS, MAX_LIVE_PROGRAMS, MAX_MESSAGE_BYTES } from './limits/limits.ts'
export { MAX_OUTPUT_BYTES, MAX_QUESTIONS, MAX_REFUSAL_BYTES } from './limits/limits.ts'
export { MAX_REQUEST_BYTES, MAX_REQUEST_MS, MAX_RUNNING_PROGRAMS } from './limits/limits.ts'
export { MAX_SCHEMA_DEPTH, MAX_SERVED_CALLS, MAX_SESSIONS } from './limits/limits.ts'
export { MAX_UNSCANNED_BYTES, MAX_URI_BYTES, PORT_GRACE_MS } from './limits/limits.ts'
export { TOOL_GRACE_MS } from './limits/limits.ts'
export type { QueueAbort, Queue } from './limits/queue.ts'
export { createQueue } from './limits/queue.ts'
export type { Grace } from './limits/within-grace.ts'
export { withinGrace } from './limits/within-grace.ts'
export { fillDefaults, hasDefault } from './parameters/fill-defaults.ts'
export { ANNOTATION_KEYWORDS, mapSchema, SCHEMA_MAPS } from './parameters/map-schema.ts'
export { normalizePrefixItems } from './parameters/map-schema.ts'
export type { MergedTool, OverrideProblemCode } from './parameters/merge-tool-overrides.ts'
export type { ToolOverrides } from './parameters/merge-tool-overrides.ts'
export { mergeToolOverrides } from './parameters/merge-tool-overrides.ts'
export type { ParameterDefinition } from './parameters/parameter-definition.ts'
export { findMarkedArguments, isParameterDefinition } from './parameters/parameter-definition.ts'
export { isRequired, parametersToSchema } from './parameters/parameters-to-schema.ts'
export { schemaToParameters } from './parameters/parameters-to-schema.ts'
export type { ProgramExit, ProgramPlan, ProgramStart } from './programs/start-program.ts'
export type { StartedProgram, StartProgram } from './programs/start-program.ts'
export type { Answer, AnswerQuestion, Answers, CancelReason } from './questions/answer.ts'
export type { QuestionContext, QuestionSource } from './questions/answer.ts'
export { isAnswer, isAnswers } from './questions/answer.ts'
export type { AskedQuestions, FoundQuestion } from './questions/ask-questions.ts'
export { askQuestions, describeUnanswered, findQuestions } from './questions/ask-questions.ts'
export type { AskedParty, InquiryEvent, RecordedAnswer } from './questions/inquiry-event.ts'
export { isInquiryEvent } from './questions/inquiry-event.ts'
export { describeQuestion, isSecret } from './questions/is-secret.ts'
export type { CanonicalUri, PathPlatform, UriOptions } from './resources/canonical-uri.ts'
export type { UriProblemCode } from './resources/canonical-uri.ts'
export { canonicalUri } from './resources/canonical-uri.ts'
export { getLineRange, toWorkspacePath } from './resources/workspace-path.ts'
export { countCharacters, takeCodeUnits, shortenText, formatByteSize } from './text/characters.ts'
export { getBase64ByteLength } from './text/characters.ts'
export { countBytes, decodeBase64 } from '#bytes'
export { describeValue, quoteName, quoteBriefly, formatValue } from './text/describe-value.ts'
export { fenceText } from './text/fence-text.ts'
export { describeMissingPeer } from './text/missing-peer.ts'
export type {
  FormatBlocks,
  ModelText,
  RenderBlocks,
  RenderTerminalLine,
} from './text/rendered-text.ts'
export type { SafeHtml, TerminalText } from './text/rendered-text.ts'
export type { Approval, ToolCall } from './tools/tool-call.ts'
export { describeBadArguments, isToolCall } from './tools/tool-call.ts'
export type { ToolDefinition } from './tools/tool-definition.ts'
export { isToolDefinition } from './tools/tool-definition.ts'
export type { BlobRef, ErrorDetails, LiveHandle, Outcome } from './tools/tool-result.ts'
export { createNotSettledWarning } from './tools/tool-result.ts'
export type { ResourceIdentity, ResultMetadata, Status, ToolResult } from './tools/tool-result.ts'
export { createErrorResult, createFailure, createSuccessResult } from './tools/tool-result.ts'
export { describeThrown, isBlobRef, isMisreadResult, isOutcome } from './tools/tool-result.ts'
export { isResourceIdentity, isResultMetadata, isStatus } from './tools/tool-result.ts'
export { isToolResult, MISSING_CONTENT, readErrorDetails, readStatus } from './tools/tool-result.ts'
export {
  getSkippedBlocks,
  withErrorDetails,
  withStatus,
  withWarnings,
} from './tools/tool-result.ts'
export type { DisplayHints, PreferredView } from './values/display-hints.ts'
export { isDisplayHints } from './values/display-hints.ts'
export type { ToolResultValue } from './values/tool-result-value.ts'
export { isToolResultValue, isValidKind, isWellKnownValue } from './values/tool-result-value.ts'
export { normalizeResultValue, readResultValue } from './values/tool-result-value.ts'
export type { DiffHunk, DiffValue, FileContentValue, FileEntry } from './values/well-known-value.ts'
export type { FileListValue, ImageValue, StructuredValue } from './values/well-known-value.ts'
export type { TableColumn, TableValue, TextValue } from './values/well-known-value.ts'
export type { WellKnownKind, WellKnownValue } from './values/well-known-value.ts'
export { isWellKnownKind } from './values/well-known-value.ts'
export { formatProgressLine, readProgressLine } from './wire/progress-line.ts'
export type { ToolDescription, ToolDescriptions } from './wire/tool-description.ts'
export { descriptionToDefinition, isToolDescription } from './wire/tool-description.ts'
export { isToolDescriptions, schemaToArguments } from './wire/tool-description.ts'
export type { Action, ToolRequest } from './wire/tool-request.ts'
export { isAction, isToolRequest } from './wire/tool-request.ts'
