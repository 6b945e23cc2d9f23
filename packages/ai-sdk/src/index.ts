export {
  type AiSdkTools,
  toAiSdkTools,
  type ToolblocksTool,
  type ToolblocksTools,
  type ToolblocksUIMessage,
} from './tools/to-ai-sdk-tools.ts'
export { type ApprovalStorage } from './tools/approvals.ts'
export { type WrappedModel } from './tools/prepare-model.ts'
export { createQuestions, type Questions } from './tools/questions.ts'
export { fromAiSdkTool } from './from-ai-sdk-tool.ts'
export { toEvents } from './messages/to-events.ts'
export { toUiMessages } from './messages/to-ui-messages.ts'
