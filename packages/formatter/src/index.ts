export { codeFence } from './text/parts.ts'
export {
  type ModelResponse,
  type ResultForModel,
  type ModelCall,
  type ModelMessage,
  type ModelRequest,
} from './model/model-request.ts'
export { formatBlocks, formatResult } from './text/format-result.ts'
export { type FormatOptions, type StructuredPolicy } from './text/format-block.ts'
export { createDeliveryLedger, type DeliveryLedger } from './deliver/delivery-ledger.ts'
export {
  formatWithin,
  type ResultFormat,
  deliverMessage,
  deliverResult,
} from './deliver/deliver-result.ts'
export { type MediaPart, type ModelParts, toModelParts } from './media/to-model-parts.ts'
export { type Media } from './media/find-media.ts'
export { type ModelProfile } from './model/model-profile.ts'
export { type RequestChange } from './tools/request-change.ts'
export { type RequestOptions } from './request/read-request.ts'
export { limitResult } from './deliver/limit-result.ts'
