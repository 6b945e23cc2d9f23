export { type ParsedToolDefinition, parseToolDefinition } from './parse-tool-definition.ts'
export {
  type DescriptionWarning,
  type ParsedToolDescriptions,
  parseToolDescriptions,
} from './parse-tool-descriptions.ts'
export { parseToolOutput } from './parse-tool-output.ts'
export { parseToolResult } from './parse-tool-result.ts'
export { type ParsedOutput, type ParsedMcpResult } from './reading/reading.ts'
export { type ParsedContentBlock, parseContentBlock } from './parse-content-block.ts'
