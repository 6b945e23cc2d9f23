export {
  createToolExecutor,
  type ToolExecutor,
  type ToolExecutorOptions,
} from './create-tool-executor.ts'
export { identifyResources } from './finish-result.ts'
export { type AllowCall, type ApproveCall } from './permit-call.ts'
export { prepareCall } from './prepare-call.ts'
export { shapeTool } from './shape-tool.ts'
export { type ToolPolicy, type ToolEntry, ToolExecutorError } from './tool-entry.ts'
export { type CallPermission } from './execute-call.ts'
export { type PreparedCall } from './prepare-call.ts'
export { type AnsweredLiveCall } from './execute-call.ts'
export { type IdentifiedResources } from './finish-result.ts'
export { type ShapedTool } from './shape-tool.ts'
export { type EntryShape, type ToolShape } from './tool-entry.ts'
