export { readTypedArguments } from './arguments/fit-arguments.ts'
export { prepareCall, type PreparedCall } from './arguments/prepare-call.ts'
export {
  createToolExecutor,
  type ToolExecutor,
  type ToolExecutorOptions,
} from './create-tool-executor.ts'
export type { AnsweredCall } from './execute-call.ts'
export { createDescribeTools } from './describe/create-describe-tools.ts'
export { parameterFacts } from './describe/parameter-facts.ts'
export type { ExecutorProblem, ExecutorProblemCode } from './executor-problem.ts'
export { ToolExecutorError, type ToolExecutorErrorCode } from './executor-error.ts'
export type { HandleLimits } from './handles/handle.ts'
export { placeOfArguments, type LiveSchemaForm } from './handles/live-schema.ts'
export type { AroundWait } from './permission/around-wait.ts'
export type { AllowCall, ApprovalMaterial, ApproveCall } from './permission/approve-call.ts'
export { identifyResources, type IdentifiedResources } from './results/identify-resources.ts'
export type { Policy, ToolEntry } from './tools/tool-entry.ts'
