export type { AcpBlock, AcpContent, AcpKind, AcpToolCall } from './acp/acp-content.ts'
export { type AcpOptions, toAcpToolCall } from './acp/to-acp-tool-call.ts'
