export {
  type BridgeProblem,
  type BridgeProblemCode,
  McpServerError,
  type McpServerErrorCode,
} from './client/failures.ts'
export type {
  AnswerServerRequest,
  McpServer,
  ReadResourceContext,
  ServerHooks,
  ServerInfo,
  ServerState,
} from './client/mcp-server.ts'
export type {
  CreateTransport,
  LinkPolicy,
  ServerConfig,
  ServerEntry,
  ServerToolConfig,
  ServerTransport,
} from './client/server-config.ts'
export { connectServer, type ConnectOptions } from './connect-server.ts'
export { createReadResourceTool } from './client/create-read-resource-tool.ts'
export { readServerConfigs, type ServerConfigs } from './read-servers.ts'
export { fromCallToolResult, toCallToolResult } from './client/from-call-tool-result.ts'
export { AuthorizationError, type HttpFetch } from './wire/http-fetch.ts'
export type { Loss, Reply, WireMessage } from './wire/peer.ts'
export type { MessageTransport, TransportSendOptions } from './wire/transport.ts'
