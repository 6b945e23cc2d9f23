export {
  type AcpBlock,
  type AcpContent,
  type AcpKind,
  type AcpOptions,
  type AcpToolCall,
  toAcpToolCall,
} from './acp/to-acp-tool-call.ts'
