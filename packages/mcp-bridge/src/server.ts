export {
  type HttpOptions,
  ServeError,
  type ServeErrorCode,
  type ServedHttp,
  serveHttp,
} from './serve-http.ts'
export { serveStdio } from './serve-stdio.ts'
export type { Served, ToolService } from './serve/tool-service.ts'
