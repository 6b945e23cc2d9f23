import {
  createErrorResult,
  type Outcome,
  type Problem,
  type ToolResult,
  withErrorDetails,
} from '@toolblocks/protocol'
import { createQuotingBlocks, quoteName } from '@toolblocks/protocol/internal'
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  UNSUPPORTED_VERSION,
} from '../wire/message.ts'
import type { Reply } from '../wire/peer.ts'
import { countStray } from '../wire/stray-lines.ts'

/** All codes of `BridgeProblem`. */
export const BRIDGE_PROBLEM_CODES = [
  'malformed-server',
  'unset-variable',
  'malformed-list',
  'stray-line',
  'schema-corrected',
  'unused-override',
  'output-schema',
  'raw-not-kept',
  'link-not-read',
  'elicitation-refused',
] as const

/** Kinds of problems in the configuration of servers, or in what they send. */
type BridgeProblemCode = (typeof BRIDGE_PROBLEM_CODES)[number]

/** One problem in the configuration of servers, or in what they send. */
export type BridgeProblem = Problem<BridgeProblemCode>

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

/** Errors after which nothing was executed. */
const NOT_EXECUTED: ReadonlySet<number> = new Set([
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  INVALID_PARAMS,
  MISSING_CAPABILITY,
  UNSUPPORTED_VERSION,
])

/** The names by which messages identify a call. */
export interface CallName {
  server: string
  tool: string
}

/** Why a server returned no result. */
interface FailedReply {
  text: string
  outcome: Exclude<Outcome, 'completed'>
  /** Whether the server may have executed the request. */
  maybeExecuted: boolean
  transient: boolean
  serverText?: string
}

type NoResult = Exclude<Reply, { kind: 'result' }>

interface DeadlineState {
  isOver: boolean
  timeoutMs: number
}

/**
 * Creates the result of a call that the server did not answer. It says whether the server may have executed it, so that a reader can decide about
 * another attempt.
 */
export function describeFailure(
  { server, tool }: CallName,
  reply: NoResult,
  deadline: DeadlineState,
): ToolResult {
  const what = `The call of ${quoteName(tool)} on the MCP server ${quoteName(server)}`
  const { text, ...details } = explain(what, reply, deadline)
  return failure(text, details.outcome, details)
}

/** Creates the result of a resource that could not be read. Reading changes nothing, so it does not say what may have been executed. */
export function describeUnread(
  { server, uri }: { server: string; uri: string },
  reply: NoResult,
  deadline: DeadlineState,
): ToolResult {
  const what = `Reading ${quoteName(uri)} from the MCP server ${quoteName(server)}`
  const { text, outcome, transient, serverText } = explain(what, reply, deadline)
  const result = createErrorResult(createQuotingBlocks(text, serverText), undefined, { outcome })
  return transient ? withErrorDetails(result, { transient, trace: [] }) : result
}

function explain(what: string, reply: NoResult, deadline: DeadlineState): FailedReply {
  switch (reply.kind) {
    case 'error': {
      const { code, message, hasBegun = false } = reply
      return {
        text: `${what} failed: the server answered with error ${code}.`,
        outcome: 'failed',
        // A server may pass on the error of its own request, which a tool that runs has sent.
        maybeExecuted: hasBegun || !NOT_EXECUTED.has(code),
        transient: false,
        serverText: message,
      }
    }
    case 'loss': {
      const { reason, fix, serverText, maybeExecuted, transient } = reply.loss
      return {
        text: `${what} has no result: ${reason}.${fix === undefined ? '' : ` ${fix}`}`,
        outcome: 'failed',
        maybeExecuted,
        transient,
        ...(serverText !== undefined && { serverText }),
      }
    }
    case 'aborted':
      return deadline.isOver
        ? {
            text: `${what} timed out after ${deadline.timeoutMs / 1000} seconds${reply.stray ? `; ${countStray(reply.stray)}` : ''}.`,
            outcome: 'timeout',
            maybeExecuted: true,
            transient: true,
            ...(reply.stray && { serverText: reply.stray.text }),
          }
        : {
            text: `${what} was cancelled.`,
            outcome: 'cancelled',
            maybeExecuted: true,
            transient: false,
          }
  }
}

/** Says whether the server may have executed the call, so that a reader can decide about another attempt, and quotes the server. */
export function failure(
  text: string,
  outcome: Exclude<Outcome, 'completed'>,
  {
    maybeExecuted,
    transient,
    serverText,
  }: { maybeExecuted: boolean; transient: boolean; serverText?: string },
): ToolResult {
  const sentence = `${text} ${maybeExecuted ? 'It may still have been executed.' : 'It was not executed.'}`
  const result = createErrorResult(createQuotingBlocks(sentence, serverText), undefined, {
    outcome,
    maybeExecuted,
  })
  return transient ? withErrorDetails(result, { transient, trace: [] }) : result
}
