import { quoteName } from '@toolblocks/protocol/text'

/** Why a server could not be connected. */
export type McpServerErrorCode =
  /** The program could not be started, or ended before it had listed its tools. */
  | 'not-started'
  /** The address does not answer. */
  | 'unreachable'
  /** The server requires other or more credentials. */
  | 'unauthorized'
  /** It did not answer in time. */
  | 'timeout'
  /** It answers, but not as an MCP server of a supported version. */
  | 'not-understood'
  /** It supports only other versions of MCP than the one that was requested. */
  | 'unsupported-version'
  /** The connection was ended by this side. */
  | 'closed'

const FIXES: Readonly<Record<McpServerErrorCode, string>> = {
  'not-started':
    'Run its command by hand and read its output; check "command", "args", "env" and "cwd".',
  unreachable: 'Check "url", and that the server is running.',
  unauthorized: 'Check the credentials in "headers", or log in to the server.',
  timeout: 'Run its command by hand; if it starts slowly, raise the timeout for connecting.',
  'not-understood':
    'Check that "command" or "url" is an MCP server, and which protocol versions it speaks.',
  'unsupported-version': 'Set "protocol_version" to a version that the server supports.',
  closed: 'Connect again.',
}

export function isMcpServerErrorCode(code: string): code is McpServerErrorCode {
  return Object.hasOwn(FIXES, code)
}

/** Thrown when a server cannot be connected. */
export class McpServerError extends Error {
  readonly code: McpServerErrorCode
  /** The server's configured name. */
  readonly server: string
  /** The reason, in one line of trusted text. */
  readonly reason: string
  /** The text of the server or its program about it, unchanged and untrusted. */
  readonly serverText?: string
  /** What to do, in one line. */
  readonly fix: string

  constructor(
    server: string,
    {
      code,
      reason,
      serverText,
      fix = FIXES[code],
    }: {
      code: McpServerErrorCode
      reason: string
      serverText?: string | undefined
      /** Default: advice that usually helps. */
      fix?: string
    },
  ) {
    const quoted =
      serverText === undefined || serverText.trim() === ''
        ? ''
        : `; it said ${quoteName(serverText)}`
    super(`MCP server ${quoteName(server)} could not be connected: ${reason}${quoted}`)
    this.reason = reason
    if (serverText !== undefined) this.serverText = serverText
    this.name = 'McpServerError'
    this.server = server
    this.code = code
    this.fix = fix
  }
}
