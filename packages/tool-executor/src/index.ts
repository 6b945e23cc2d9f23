export { type PreparedCall, prepareCall, readTypedArguments } from './prepare-call.ts'
export {
  createToolExecutor,
  type ToolExecutor,
  type ToolExecutorOptions,
} from './create-tool-executor.ts'
export type { AnsweredLiveCall, CallPermission } from './execute-call.ts'
export { createDescribeTools, describeParameter, type ReceivedText } from './describe-tools.ts'
export type { ExecutorProblem, ExecutorProblemCode } from './executor-problem.ts'
export {
  type ToolPolicy,
  type ToolEntry,
  ToolExecutorError,
  type ToolExecutorErrorCode,
} from './tool-entry.ts'
export { type FoundToolsForm, SEARCH_TOOLS } from './search-tools.ts'
export type { HandleLimits } from './handle.ts'
export { locateArguments, type LiveSchemaForm } from './live-schema.ts'
export type {
  AllowCall,
  ApprovalMaterial,
  ApproveCall,
  AskingCall,
  WrapWait,
} from './permit-call.ts'
export { identifyResources, type IdentifiedResources } from './identify-resources.ts'
