export { deliverMessage, deliverResult } from './deliver/deliver-result.ts'
export { createDeliveryLedger, type DeliveryLedger } from './deliver/delivery-ledger.ts'
export { limitResult } from './deliver/limit-result.ts'
export { type ModelProfile } from './model/model-profile.ts'
export {
  type ModelResponse,
  type ResultForModel,
  type ModelCall,
  type ModelMessage,
  type ModelRequest,
} from './model/model-request.ts'
export { type RequestOptions } from './request/read-request.ts'
export { type FormatOptions, type StructuredPolicy } from './text/format-block.ts'
export { formatBlocks, formatResult } from './text/format-result.ts'
export { codeFence } from './text/parts.ts'
export { type RequestChange } from './tools/request-change.ts'
export { type DeliveredResult } from './deliver/deliver-result.ts'
export { type ToolNames } from './tools/tool-names.ts'
