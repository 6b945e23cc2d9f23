export {
  createToolExecutor,
  type ToolExecutor,
  type ToolExecutorOptions,
} from './create-tool-executor.ts'
export { ToolExecutorError } from './executor-error.ts'
export type { Approval, ApprovalMaterial, ApproveCall } from './permission/approve-call.ts'
export type { Policy, ToolEntry } from './tools/tool-entry.ts'
