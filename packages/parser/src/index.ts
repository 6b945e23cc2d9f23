export { type ParsedContentBlock, parseContentBlock } from './parse-content-block.ts'
export { type ParsedToolDefinition, parseToolDefinition } from './parse-tool-definition.ts'
export {
  type DescriptionWarning,
  type ParsedToolDescriptions,
  parseToolDescriptions,
} from './parse-tool-descriptions.ts'
export { type ParseOutputOptions, parseToolOutput } from './parse-tool-output.ts'
export { parseToolResult } from './parse-tool-result.ts'
export type {
  ParsedOutput,
  ParsedResult,
  ParsedServerResult,
  UnfinishedResult,
  Truncation,
} from './parsed-result.ts'
export type { Limit, ResultSource } from './reading.ts'
export type { WarningCode } from './warning-code.ts'
