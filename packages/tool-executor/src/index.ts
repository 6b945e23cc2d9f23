export {
  createToolExecutor,
  type ToolExecutor,
  type ToolExecutorOptions,
} from './create-tool-executor.ts'
export { identifyResources } from './finish-result.ts'
export { type ApproveCall, type ApplyRules, type RuleVerdict } from './permit-call.ts'
export { prepareCall } from './prepare-call.ts'
export { shapeTool } from './shape-tool.ts'
export { decideByRules } from './decide-by-rules.ts'
export { type IsBelow, type RuleEffect } from './rules.ts'
export { type ToolPolicy, type ToolEntry, ToolExecutorError } from './tool-entry.ts'
export { type CallPermission } from './execute-call.ts'
export { type PreparedCall } from './prepare-call.ts'
export { type AnsweredLiveCall } from './execute-call.ts'
export { type IdentifiedResources } from './finish-result.ts'
export { type ShapedTool } from './shape-tool.ts'
export { type EntryShape, type ToolShape } from './tool-entry.ts'
