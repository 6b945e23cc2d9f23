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

/** Errors with which nothing was executed. */
const NOT_EXECUTED: ReadonlySet<number> = new Set([
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  INVALID_PARAMS,
  MISSING_CAPABILITY,
  UNSUPPORTED_VERSION,
])

/** What a call is told by. */
export interface CallName {
  server: string
  tool: string
}

/** Why a server gave no result, before it is a result. */
interface Failure {
  text: string
  outcome: Exclude<Outcome, 'completed'>
  /** The server may have done what it was asked. */
  maybeExecuted: boolean
  transient: boolean
  said?: string
}

type NoResult = Exclude<Reply, { kind: 'result' }>

interface Deadline {
  isOver: boolean
  timeoutMs: number
}

/** The result of a call to which the server gave none: it says whether the server may have done its work, to whoever decides about another try. */
export function describeFailure(
  { server, tool }: CallName,
  reply: NoResult,
  deadline: Deadline,
): ToolResult {
  const what = `The call of ${quoteName(tool)} on the MCP server ${quoteName(server)}`
  const { text, ...details } = explain(what, reply, deadline)
  return failure(text, details.outcome, details)
}

/** The result of a resource that could not be read. Reading changes nothing, so there is no word on what may have been done. */
export function describeUnread(
  { server, uri }: { server: string; uri: string },
  reply: NoResult,
  deadline: Deadline,
): ToolResult {
  const what = `Reading ${quoteName(uri)} from the MCP server ${quoteName(server)}`
  const { text, outcome, transient, said } = explain(what, reply, deadline)
  const result = createErrorResult(createQuotingBlocks(text, said), undefined, { outcome })
  return transient ? withErrorDetails(result, { transient, trace: [] }) : result
}

function explain(what: string, reply: NoResult, deadline: Deadline): Failure {
  switch (reply.kind) {
    case 'error': {
      const { code, message } = reply
      return {
        text: `${what} failed: the server answered with error ${code}.`,
        outcome: 'failed',
        maybeExecuted: !NOT_EXECUTED.has(code),
        transient: false,
        said: message,
      }
    }
    case 'loss': {
      const { reason, said, maybeExecuted, transient } = reply.loss
      return {
        text: `${what} has no result: ${reason}.`,
        outcome: 'failed',
        maybeExecuted,
        transient,
        ...(said !== undefined && { said }),
      }
    }
    case 'aborted':
      return deadline.isOver
        ? {
            text: `${what} was given up after ${deadline.timeoutMs / 1000} seconds.`,
            outcome: 'timeout',
            maybeExecuted: true,
            transient: true,
          }
        : {
            text: `${what} was cancelled.`,
            outcome: 'cancelled',
            maybeExecuted: true,
            transient: false,
          }
  }
}

/** Says whether the server may have done its work, to whoever decides about another try, and quotes what the server said. */
export function failure(
  text: string,
  outcome: Exclude<Outcome, 'completed'>,
  { maybeExecuted, transient, said }: { maybeExecuted: boolean; transient: boolean; said?: string },
): ToolResult {
  const sentence = `${text} ${maybeExecuted ? 'It may have been executed all the same.' : 'It was not executed.'}`
  const result = createErrorResult(createQuotingBlocks(sentence, said), undefined, {
    outcome,
    maybeExecuted,
  })
  return transient ? withErrorDetails(result, { transient, trace: [] }) : result
}
