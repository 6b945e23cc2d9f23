export { type HttpOptions, type RunningHttpService, serveHttp } from './serve-http.ts'
export { serveStdio, type StdioOptions } from './serve-stdio.ts'
export { serveTransport } from './serve-transport.ts'
export { ServeError, type ServeErrorCode } from './server/serve-error.ts'
export type { SpendState, StateOptions } from './server/sealed-state.ts'
export { fitOutputSchema, type OutputFit } from './client/fit-output-schema.ts'
export type { MessageInput, MessageOutput } from './wire/streams.ts'
export type { Loss, Reply } from './wire/peer.ts'
export type { MessageTransport, TransportSendOptions } from './wire/transport.ts'
export type { FeatureRequest, ServedClient, ServedFeatures } from './server/served-features.ts'
export type {
  ClientService,
  RunningService,
  ServeCall,
  StartingServers,
  ToolService,
} from './server/tool-service.ts'
export type { QueueLimits } from './server/fair-queue.ts'
export type { SessionLimits } from './server/session-limits.ts'
