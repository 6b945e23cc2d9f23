export { codeFence } from './text/parts.ts'
export type {
  ModelResponse,
  ResultForModel,
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
  type DeliveredResource,
  type LedgerOptions,
} from './deliver/delivery-ledger.ts'
export {
  type DeliverOptions,
  formatWithin,
  type ResultFormat,
  type DeliveredResult,
  deliverMessage,
  deliverResult,
  splitBudget,
} from './deliver/deliver-result.ts'
export {
  type MediaPart,
  type ModelPart,
  type ModelParts,
  type ModelPartsOptions,
  toModelParts,
} from './media/to-model-parts.ts'
export type { Media } from './media/find-media.ts'
export type { MediaRule, ModelProfile, RequestLimit } from './model/model-profile.ts'
export { type ToolNames, toArgumentsObject } from './tools/tool-names.ts'
export { type NameRule } from './model/model-profile.ts'
export type { PropertyRule } from './model/model-profile.ts'
export { findContentInRequest, type ContentInRequest } from './request/find-content-in-request.ts'
export type { RequestChange } from './tools/request-change.ts'
export type { RequestOptions } from './request/read-request.ts'
export { limitResult, type LimitOptions } from './deliver/limit-result.ts'
