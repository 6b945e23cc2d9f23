// Inner parts that the packages of the same version share. No API: they may change in any version.
export { countBytes, decodeBase64 } from '#bytes'
export { type LimitedOutput, createLimitedOutput } from './calls/limited-output.ts'
export { readLiveResponse } from './calls/read-live-response.ts'
export {
  createTooManyInteractionsResult,
  describeEndedCall,
  runLiveCall,
} from './calls/run-live-call.ts'
export { LIVE_ACTIONS, type LiveAction, type LiveInput, toToolContext } from './calls/tool.ts'
export {
  createQuotingBlocks,
  isAudience,
  isOmittedResourceLink,
  isPriority,
  isQuotedText,
} from './content/content-block.ts'
export { findBlocksWithJson } from './content/find-blocks-with-json.ts'
export {
  META_CLIENT,
  META_ERROR,
  META_IDENTITY,
  META_MADE_BY,
  META_QUOTED,
  META_RE,
  META_STATUS,
  META_WARNINGS,
  META_WIRE,
  withOriginalWireFields,
} from './content/meta-keys.ts'
export { type RepeatedMedia, isRepeatedContent, replaceMedia } from './content/repeated-content.ts'
export { isDelivery } from './conversation/delivery.ts'
export { findNonJson, isJsonSchema, isJsonValue } from './json/is-json.ts'
export {
  appendPointer,
  followReference,
  isLocalReference,
  splitPointer,
  valueAtPointer,
} from './json/json-pointer.ts'
export {
  escapeUnprintable,
  findJsonStringEnd,
  isEscapedInJson,
  isJsonWhiteSpace,
  parseJson,
  scanJson,
} from './json/json-text.ts'
export { getOwnField, isPlainObject } from './json/json.ts'
export { type SelectedData, readDataPath, selectData } from './json/select-data.ts'
export {
  IMPORT_BYTES_PER_NODE,
  MAX_ANSWER_BYTES,
  MAX_ANSWER_EVENT_BYTES,
  MAX_ANSWER_IDLE_MS,
  MAX_ANSWER_MS,
  MAX_CALLS_PER_MESSAGE,
  MAX_CALL_BYTES,
  MAX_CALL_NAME_BYTES,
  MAX_CONNECTIONS,
  MAX_CONNECT_MS,
  MAX_CONTENT_BLOCKS,
  MAX_DESCRIPTION_BYTES,
  MAX_DOCUMENT_DEPTH,
  MAX_HEAD_BYTES,
  MAX_IMPORT_BLOB_BYTES,
  MAX_IMPORT_DEPTH,
  MAX_IMPORT_FILES,
  MAX_IMPORT_FILE_BYTES,
  MAX_IMPORT_MS,
  MAX_IMPORT_RECORD_BYTES,
  MAX_IMPORT_ROWS,
  MAX_INQUIRY_ROUNDS,
  MAX_INTERIM_ANSWERS,
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
  MAX_REQUEST_HEAD_MS,
  MAX_REQUEST_MS,
  MAX_RESULT_LENGTH,
  MAX_RUNNING_PROGRAMS,
  MAX_SCHEMA_DEPTH,
  MAX_SEARCHED_LENGTH,
  MAX_SEARCH_TEXT_LENGTH,
  MAX_SERVED_CALLS,
  MAX_SESSIONS,
  MAX_SESSION_IDLE_MS,
  MAX_TURN_LENGTH,
  MAX_UNSCANNED_BYTES,
  MAX_URI_BYTES,
  MAX_WAITING_CALLS,
  PORT_GRACE_MS,
  TOOL_GRACE_MS,
} from './limits/limits.ts'
export { type Queue, type QueueAbort, createQueue, createQueues } from './limits/queue.ts'
export { limitTime } from './limits/limit-time.ts'
export { settlesWithin } from './limits/settles-within.ts'
export { withinGrace } from './limits/within-grace.ts'
export { hasType } from './parameters/correct-keyword.ts'
export { correctSchema } from './parameters/correct-schema.ts'
export { fillDefaults, hasDefault } from './parameters/fill-defaults.ts'
export { makeDefaultsOptional } from './parameters/make-defaults-optional.ts'
export {
  ANNOTATION_KEYWORDS,
  SCHEMA_MAPS,
  mapSchema,
  normalizePrefixItems,
} from './parameters/map-schema.ts'
export { mergeToolOverrides } from './parameters/merge-tool-overrides.ts'
export { findMarkedArguments, isParameterDefinition } from './parameters/parameter-definition.ts'
export { firstSentence, isRequired, parametersToSchema } from './parameters/parameters-to-schema.ts'
export { isRepeatable } from './questions/answer.ts'
export {
  type FoundQuestion,
  askQuestions,
  describeUnanswered,
  findQuestions,
} from './questions/ask-questions.ts'
export { type RecordedAnswer, isInquiryEvent } from './questions/inquiry-event.ts'
export { describeQuestion } from './questions/is-secret.ts'
export { getLineRange } from './resources/workspace-path.ts'
export {
  countCharacters,
  formatByteSize,
  getBase64ByteLength,
  shortenText,
  takeCodeUnits,
} from './text/characters.ts'
export { describeValue, formatValue, quoteBriefly, quoteName } from './text/describe-value.ts'
export { formatDuration } from './text/duration.ts'
export { fenceText } from './text/fence-text.ts'
export { formatNote, nameInNote, quoteInNote } from './text/format-note.ts'
export { toLastState } from './text/last-state.ts'
export { describeMissingPeer } from './text/missing-peer.ts'
export { repairBase64 } from './text/repair-base64.ts'
export { InvalidArgumentError, requireArguments } from './text/require-arguments.ts'
export { type OptionChoices, requireChoice, requireChoices } from './text/require-choices.ts'
export { type ResultData, findResultData } from './tools/find-result-data.ts'
export { formatErrorTrace } from './tools/format-error-trace.ts'
export { describeBadArguments, isToolCall } from './tools/tool-call.ts'
export {
  type LiveHandle,
  MISSING_CONTENT,
  createNotSettledWarning,
  describeThrown,
  getSkippedBlocks,
  isMisreadResult,
  isOutcome,
  isResultMetadata,
  isStatus,
  withWarnings,
} from './tools/tool-result.ts'
export { type DisplayHints, type PreferredView } from './values/display-hints.ts'
export {
  isToolResultValue,
  isValidKind,
  isWellKnownValue,
  findValueForPerson,
  normalizeResultValue,
} from './values/tool-result-value.ts'
export { findKindMismatch, isWellKnownKind } from './values/well-known-value.ts'
export { formatProgressLine, readProgressLine } from './wire/progress-line.ts'
export { isToolDescription, schemaToArguments } from './wire/tool-description.ts'
export { isToolRequest } from './wire/tool-request.ts'
export { getErrorText } from './text/error-text.ts'
