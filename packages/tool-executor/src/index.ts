export { prepareCall, readTypedArguments } from './prepare-call.ts'
export {
  createToolExecutor,
  type ToolExecutor,
  type ToolExecutorOptions,
} from './create-tool-executor.ts'
export { describeParameter } from './describe-tools.ts'
export { type ToolPolicy, type ToolEntry, ToolExecutorError } from './tool-entry.ts'
export { SEARCH_TOOLS } from './search-tools.ts'
export { locateArguments } from './live-schema.ts'
export { type AllowCall, type ApproveCall, type WrapWait } from './permit-call.ts'
export { identifyResources } from './identify-resources.ts'
