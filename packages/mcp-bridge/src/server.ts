export {
  type HttpOptions,
  ServeError,
  type ServeErrorCode,
  type RunningHttpService,
  serveHttp,
} from './serve-http.ts'
export { serveStdio, type StdioOptions } from './serve-stdio.ts'
export type { MessageInput, MessageOutput } from './wire/streams.ts'
export type { RunningService, ToolService } from './serve/tool-service.ts'
