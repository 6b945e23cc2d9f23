export { type HttpOptions, serveHttp, type ServedHttp } from './serve-http.ts'
export { serveStdio } from './serve-stdio.ts'
export { ServeError, type ServeErrorCode } from './serve/serve-error.ts'
export type { Served, ToolService } from './serve/tool-service.ts'
