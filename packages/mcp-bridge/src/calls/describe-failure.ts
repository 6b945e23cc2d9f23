import {
  createErrorResult,
  nameInWords,
  type Outcome,
  sayAndQuote,
  type ToolResult,
  withErrorDetails,
} from '@toolblocks/protocol'
import type { Reply } from '../connection/connection.ts'
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  UNSUPPORTED_VERSION,
} from '../connection/error-codes.ts'

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

/** The result of a call to which the server gave none. */
export function describeFailure(
  { server, tool }: CallName,
  reply: Exclude<Reply, { kind: 'result' }>,
  deadline: { isOver: boolean; timeoutMs: number },
): ToolResult {
  const what = `The call of ${nameInWords(tool)} on the MCP server ${nameInWords(server)}`
  switch (reply.kind) {
    case 'error': {
      const { code, message } = reply
      const maybeExecuted = !NOT_EXECUTED.has(code)
      return failure(`${what} failed: the server answered with error ${code}.`, 'failed', {
        maybeExecuted,
        transient: false,
        said: message,
      })
    }
    case 'loss': {
      const { reason, said, maybeExecuted, transient } = reply.loss
      return failure(`${what} has no result: ${reason}.`, 'failed', {
        maybeExecuted,
        transient,
        ...(said !== undefined && { said }),
      })
    }
    case 'aborted':
      return deadline.isOver
        ? failure(`${what} was given up after ${deadline.timeoutMs / 1000} seconds.`, 'timeout', {
            maybeExecuted: true,
            transient: true,
          })
        : failure(`${what} was cancelled.`, 'cancelled', { maybeExecuted: true, transient: false })
  }
}

/** Says whether the server may have done its work, to whoever decides about another try, and quotes what the server said. */
export function failure(
  text: string,
  outcome: Exclude<Outcome, 'completed'>,
  { maybeExecuted, transient, said }: { maybeExecuted: boolean; transient: boolean; said?: string },
): ToolResult {
  const sentence = `${text} ${maybeExecuted ? 'It may have been executed all the same.' : 'It was not executed.'}`
  const result = createErrorResult(sayAndQuote(sentence, said), undefined, {
    outcome,
    maybeExecuted,
  })
  return transient ? withErrorDetails(result, { transient, trace: [] }) : result
}
