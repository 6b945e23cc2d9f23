export { type PreparedCall, prepareCall, readTypedArguments } from './prepare-call.ts'
export {
  createToolExecutor,
  type ToolExecutor,
  type ToolExecutorOptions,
} from './create-tool-executor.ts'
export type { AnsweredCall } from './execute-call.ts'
export { createDescribeTools, parameterFacts } from './describe-tools.ts'
export type { ExecutorProblem, ExecutorProblemCode } from './executor-problem.ts'
export {
  type Policy,
  type ToolEntry,
  ToolExecutorError,
  type ToolExecutorErrorCode,
} from './tool-entry.ts'
export type { HandleLimits } from './handle.ts'
export { placeOfArguments, type LiveSchemaForm } from './live-schema.ts'
export type { AllowCall, ApprovalMaterial, ApproveCall, AroundWait } from './permit-call.ts'
export { identifyResources, type IdentifiedResources } from './identify-resources.ts'
