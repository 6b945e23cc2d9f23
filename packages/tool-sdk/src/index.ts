export {
  type InferInput,
  type InferOutput,
  type StandardSchema,
  type ToolSchema,
  optional,
  required,
} from './schemas/schema.ts'
export { type DefinedTool, waiting } from './run/defined-tool.ts'
export { type LiveContext, type RunContext } from './run/tool-context.ts'
export { defineTool, type ToolOptions } from './define-tool.ts'
export { describeTools } from './describe-tools.ts'
export { text, type ToolContent } from './results/blocks.ts'
export { failure, structured, type ToolOutput, type ToolReturn } from './results/output.ts'
export { audio, image, resource } from './results/resource.ts'
export { diff, fileContent, fileList, table } from './results/semantic.ts'
export { runTools } from './run-tools.ts'
export { testTool } from './test-tool.ts'
export { toTool } from './to-tool.ts'
export { ToolDefinitionError } from './schemas/tool-definition-error.ts'
export {
  booleanQuestion,
  selectQuestion,
  textQuestion,
  schemaToParameters,
} from '@toolblocks/protocol'
