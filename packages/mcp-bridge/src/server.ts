export { type HttpOptions, type RunningHttpService, serveHttp } from './serve-http.ts'
export { serveStdio, type StdioOptions } from './serve-stdio.ts'
export { serveTransport } from './serve-transport.ts'
export { ServeError, type ServeErrorCode } from './serve/serve-error.ts'
export type { SpendState, StateOptions } from './serve/sealed-state.ts'
export { fitOutputSchema, type OutputFit } from './results/fit-output-schema.ts'
export type { MessageInput, MessageOutput } from './wire/streams.ts'
export type { Loss, Reply } from './wire/peer.ts'
export type { MessageTransport, TransportSendOptions } from './wire/transport.ts'
export type { FeatureRequest, ServedClient, ServedFeatures } from './serve/served-features.ts'
export type {
  ClientService,
  RunningService,
  ServeCall,
  StartingServers,
  ToolService,
} from './serve/tool-service.ts'
export type { QueueLimits } from './serve/fair-queue.ts'
export type { SessionLimits } from './up-to-2025-11-25/session-limits.ts'
