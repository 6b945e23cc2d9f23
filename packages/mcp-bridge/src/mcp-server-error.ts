/** Why a server could not be connected. */
export type McpServerErrorCode =
  /** The program could not be started, or ended before it said hello. */
  | 'not-started'
  /** Nothing answers at the address. */
  | 'unreachable'
  /** The server wants other or more credentials. */
  | 'unauthorized'
  /** It did not answer in time. */
  | 'timeout'
  /** It answers, but not as an MCP server that is understood here. */
  | 'not-understood'
  /** The connection was ended here. */
  | 'closed'

/** Thrown when a server cannot be connected. */
export class McpServerError extends Error {
  readonly code: McpServerErrorCode
  /** The server's configured name. */
  readonly server: string
  /** What to do, in one line. */
  readonly fix: string

  constructor(
    server: string,
    {
      code,
      reason,
      fix,
      cause,
    }: { code: McpServerErrorCode; reason: string; fix: string; cause?: unknown },
  ) {
    super(`MCP server "${server}" could not be connected: ${reason}`, { cause })
    this.name = 'McpServerError'
    this.server = server
    this.code = code
    this.fix = fix
  }
}
