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
  OutputLimit,
  ParsedOutput,
  ParsedResult,
  ParsedMcpResult,
  ResultSource,
  OutputTruncation,
  UnfinishedResult,
  WarningCode,
} from './reading/reading.ts'
