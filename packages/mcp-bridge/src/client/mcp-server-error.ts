import { nameInWords } from '@toolblocks/protocol'

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
  /** Why, in one line of ours. */
  readonly reason: string
  /** What the server or its program said about it, as it came. */
  readonly said?: string
  /** What to do, in one line. */
  readonly fix: string

  constructor(
    server: string,
    {
      code,
      reason,
      said,
      fix,
      cause,
    }: {
      code: McpServerErrorCode
      reason: string
      said?: string | undefined
      fix: string
      cause?: unknown
    },
  ) {
    const quoted = said === undefined || said.trim() === '' ? '' : `; it said ${nameInWords(said)}`
    super(`MCP server ${nameInWords(server)} could not be connected: ${reason}${quoted}`, {
      cause,
    })
    this.reason = reason
    if (said !== undefined) this.said = said
    this.name = 'McpServerError'
    this.server = server
    this.code = code
    this.fix = fix
  }
}
