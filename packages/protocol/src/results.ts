export { formatErrorTrace } from './tools/format-error-trace.ts'
export { describeBadArguments } from './tools/tool-call.ts'
export {
  createNotSettledWarning,
  describeThrown,
  isMisreadResult,
  isStatus,
  MISSING_CONTENT,
  readErrorDetails,
  readStatus,
  getSkippedBlocks,
  withErrorDetails,
  withStatus,
  withWarnings,
} from './tools/tool-result.ts'
