export { codeFence } from './markdown/code-fence.ts'
export type {
  ModelAnswer,
  GivenResult,
  ModelCall,
  ModelMessage,
  ModelRequest,
  ToolResultsMessage,
  UserMessage,
} from './conversation/model-request.ts'
export { formatBlocks } from './format-blocks.ts'
export type { FormatOptions, StructuredPolicy } from './format-options.ts'
export { formatResult } from './format-result.ts'
export {
  createDeliveryLedger,
  type DeliveryLedger,
  type GivenResource,
  type LedgerOptions,
} from './deliver/delivery-ledger.ts'
export {
  type DeliveredResult,
  deliverMessage,
  type DeliverOptions,
  deliverResult,
} from './deliver/deliver-result.ts'
export { shareBudget } from './deliver/share-budget.ts'
export {
  type MediaPart,
  type ModelParts,
  type ModelPartsOptions,
  toModelParts,
} from './model-parts/to-model-parts.ts'
export type { Media } from './model-parts/media-of.ts'
export type { MediaRule, ModelProfile, RequestLimit } from './model-parts/model-profile.ts'
export { argumentsObject } from './tools/arguments-object.ts'
export type { NameRule } from './tools/claim-names.ts'
export type { PropertyRule } from './tools/name-properties.ts'
export { findStanding, type Standing } from './turns/find-standing.ts'
export type { RequestChange } from './turns/request-change.ts'
export type { RequestOptions } from './turns/read-request.ts'
export type { ToolNames } from './tools/tool-names.ts'
