export {
  type InferInput,
  type InferOutput,
  type StandardSchema,
  type ToolSchema,
  type UntypedArguments,
  optional,
  required,
} from './schemas/schema.ts'
export { type DefinedTool, type LiveSteps, type Waiting, waiting } from './run/defined-tool.ts'
export type {
  FormatContext,
  LiveContext,
  LogLevel,
  RunContext,
  WriteLog,
} from './run/tool-context.ts'
export { defineTool, type ToolOptions } from './define-tool.ts'
export type { ToolAnnotations } from './definition/check-options.ts'
export { describeTools } from './describe-tools.ts'
export { text, type ToolContent } from './results/blocks.ts'
export {
  failure,
  type FailureOptions,
  type FailureOutput,
  type SemanticValue,
  structured,
  type StructuredOutput,
  type StructuredReturn,
  type ToolOutput,
  type ToolReturn,
} from './results/output.ts'
export {
  audio,
  image,
  type MediaOptions,
  resource,
  type ResourceOptions,
} from './results/resource.ts'
export {
  diff,
  type DiffOptions,
  fileContent,
  type FileContentOptions,
  fileList,
  type FileListOptions,
  table,
  type TableData,
  type TableOptions,
} from './results/semantic.ts'
export type { ToolQuestions } from './run/ask.ts'
export { runTools } from './run-tools.ts'
export { testTool, type TestOptions } from './test-tool.ts'
export { toTool, type ToToolOptions } from './to-tool.ts'
export {
  ToolDefinitionError,
  type ToolDefinitionErrorCode,
} from './schemas/tool-definition-error.ts'
export { booleanQuestion, selectQuestion, textQuestion } from '@toolblocks/protocol'
export { schemaToParameters } from '@toolblocks/protocol'
