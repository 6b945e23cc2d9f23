export { optional, required, type UntypedCall } from './arguments/read-argument.ts'
export type { DefinedTool, Formatted, LiveSteps } from './defined-tool.ts'
export { defineTool, type ToolOptions } from './define-tool.ts'
export { describeTools } from './describe-tools.ts'
export { waiting, type Waiting } from './live/waiting.ts'
export { error, type ErrorOptions } from './results/error.ts'
export { image, type ImageOptions } from './results/image.ts'
export { resource, type ResourceOptions } from './results/resource.ts'
export type { Output, Returned } from './results/returned.ts'
export { text } from './results/text.ts'
export { value } from './results/value.ts'
export type { Ask } from './run/ask.ts'
export type { FormatRun, LiveRun, ToolRun } from './run/tool-run.ts'
export { runTools } from './run-tools.ts'
export type { InputOf, OutputOf, Schema, StandardSchema } from './schemas/schema.ts'
export { testTool, type TestOptions } from './test-tool.ts'
export { toTool } from './to-tool.ts'
export { ToolDefinitionError, type ToolDefinitionErrorCode } from './tool-definition-error.ts'
export {
  booleanQuestion,
  schemaToParameters,
  selectQuestion,
  textQuestion,
} from '@toolblocks/protocol'
