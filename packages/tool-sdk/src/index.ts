export {
  type InputOf,
  type OutputOf,
  type Schema,
  type StandardSchema,
  type UntypedCall,
  optional,
  required,
} from './schemas/schema.ts'
export {
  type DefinedTool,
  type FormatRun,
  type Formatted,
  type LiveRun,
  type LiveSteps,
  type ToolRun,
  type Waiting,
  waiting,
} from './run/defined-tool.ts'
export { defineTool, type ToolOptions } from './define-tool.ts'
export { describeTools } from './describe-tools.ts'
export {
  type ErrorOptions,
  type Output,
  type Returned,
  error,
  text,
  value,
} from './results/returned.ts'
export { type ImageOptions, type ResourceOptions, image, resource } from './results/resource.ts'
export type { Ask } from './run/ask.ts'
export { runTools } from './run-tools.ts'
export { testTool, type TestOptions } from './test-tool.ts'
export { toTool } from './to-tool.ts'
export {
  ToolDefinitionError,
  type ToolDefinitionErrorCode,
} from './schemas/tool-definition-error.ts'
export {
  booleanQuestion,
  schemaToParameters,
  selectQuestion,
  textQuestion,
} from '@toolblocks/protocol'
