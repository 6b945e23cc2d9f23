export { codeFence } from './markdown/code-fence.ts'
export type {
  AssistantMessage,
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
  type LedgerOptions,
} from './deliver/delivery-ledger.ts'
export {
  type DeliveredResult,
  type DeliverOptions,
  deliverResult,
} from './deliver/deliver-result.ts'
export { shareBudget } from './deliver/share-budget.ts'
