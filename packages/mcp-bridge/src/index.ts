export type { BridgeProblem, BridgeProblemCode } from './bridge-problem.ts'
export { connectServer, type ConnectOptions } from './connect-server.ts'
export type {
  AnswerServer,
  McpServer,
  ReadContext,
  ServerHooks,
  ServerInfo,
  ServerState,
  WireMessage,
} from './mcp-server.ts'
export { createReadResourceTool } from './links/create-read-resource-tool.ts'
export { McpServerError, type McpServerErrorCode } from './mcp-server-error.ts'
export { readServers, type ReadServers } from './read-servers.ts'
export { fromCallToolResult, toCallToolResult } from './results/from-call-tool-result.ts'
export type {
  LinkPolicy,
  ServerConfig,
  ServerToolConfig,
  ServerTransport,
} from './server-config.ts'
