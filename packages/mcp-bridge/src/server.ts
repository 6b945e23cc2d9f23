export { type RunningHttpService, serveHttp } from './serve-http.ts'
export { serveStdio } from './serve-stdio.ts'
export { serveTransport } from './serve-transport.ts'
export { adaptResult } from './server/adapt-to-host.ts'
export {
  HOST_PROFILES,
  type HostLoss,
  type HostProfile,
  type ResultsForm,
  findHostProfile,
  findResultsProfile,
} from './server/host-profile.ts'
export { ServeError } from './server/serve-error.ts'
export { type StateOptions } from './server/sealed-state.ts'
export { type ReplicaOptions } from './server/replica-options.ts'
export { type SharedDocument, type SharedDocuments } from './server/shared-documents.ts'
export { fitOutputSchema } from './client/fit-output-schema.ts'
export { type ServedClient } from './server/served-features.ts'
export {
  type RunningService,
  type StartingServers,
  type ToolService,
} from './server/tool-service.ts'
export { type ServedFeatures } from './server/served-features.ts'
export { type ServeCall } from './server/tool-service.ts'
export { RequestEnded } from './wire/request-ended.ts'
