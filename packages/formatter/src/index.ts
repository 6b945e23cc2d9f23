export { codeFence } from './text/parts.ts'
export type {
  ModelAnswer,
  GivenResult,
  ModelCall,
  ModelMessage,
  ModelRequest,
  ToolResultsMessage,
  UserMessage,
} from './model/model-request.ts'
export { formatBlocks, formatResult } from './text/format-result.ts'
export type { FormatOptions, StructuredPolicy } from './text/format-block.ts'
export {
  createDeliveryLedger,
  type DeliveryLedger,
  type GivenResource,
  type LedgerOptions,
} from './deliver/delivery-ledger.ts'
export {
  type DeliverOptions,
  type DeliveredResult,
  deliverMessage,
  deliverResult,
  shareBudget,
} from './deliver/deliver-result.ts'
export {
  type MediaPart,
  type ModelParts,
  type ModelPartsOptions,
  toModelParts,
} from './media/to-model-parts.ts'
export type { Media } from './media/media-of.ts'
export type { MediaRule, ModelProfile, RequestLimit } from './model/model-profile.ts'
export { type ToolNames, argumentsObject } from './tools/tool-names.ts'
export { type NameRule } from './model/model-profile.ts'
export type { PropertyRule } from './model/model-profile.ts'
export { findStanding, type Standing } from './request/find-standing.ts'
export type { RequestChange } from './tools/request-change.ts'
export type { RequestOptions } from './request/read-request.ts'
