import { createErrorResult, type Outcome, type ToolResult } from '@toolblocks/protocol'
import { createQuotingBlocks } from '@toolblocks/protocol/content'
import { withErrorDetails } from '@toolblocks/protocol/results'
import { quoteName } from '@toolblocks/protocol/text'
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  UNSUPPORTED_VERSION,
} from '../wire/message.ts'
import type { Reply } from '../wire/peer.ts'
import { countStray } from '../wire/stray-lines.ts'

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
interface Failure {
  text: string
  outcome: Exclude<Outcome, 'completed'>
  /** Whether the server may have executed the request. */
  maybeExecuted: boolean
  transient: boolean
  serverText?: string
}

type NoResult = Exclude<Reply, { kind: 'result' }>

interface Deadline {
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
  deadline: Deadline,
): ToolResult {
  const what = `The call of ${quoteName(tool)} on the MCP server ${quoteName(server)}`
  const { text, ...details } = explain(what, reply, deadline)
  return failure(text, details.outcome, details)
}

/** Creates the result of a resource that could not be read. Reading changes nothing, so it does not say what may have been executed. */
export function describeUnread(
  { server, uri }: { server: string; uri: string },
  reply: NoResult,
  deadline: Deadline,
): ToolResult {
  const what = `Reading ${quoteName(uri)} from the MCP server ${quoteName(server)}`
  const { text, outcome, transient, serverText } = explain(what, reply, deadline)
  const result = createErrorResult(createQuotingBlocks(text, serverText), undefined, { outcome })
  return transient ? withErrorDetails(result, { transient, trace: [] }) : result
}

function explain(what: string, reply: NoResult, deadline: Deadline): Failure {
  switch (reply.kind) {
    case 'error': {
      const { code, message, hasAsked = false } = reply
      return {
        text: `${what} failed: the server answered with error ${code}.`,
        outcome: 'failed',
        // A server may pass on the error of its own request, which a tool that runs has sent.
        maybeExecuted: hasAsked || !NOT_EXECUTED.has(code),
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
