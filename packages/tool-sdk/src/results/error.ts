import { createErrorResult, withErrorDetails } from '@toolblocks/protocol'
import type { Output } from './returned.ts'
import { traceOf } from './trace-of.ts'

/** What else is known of a failure. */
export interface ErrorOptions {
  /** The same call may work later. Default: false. */
  readonly transient?: boolean
  /** What was caught: it and its causes become the trace. */
  readonly cause?: unknown
  /** For people who look into it, outermost first; instead of the one of `cause`. */
  readonly trace?: readonly string[]
}

/** Makes the result of a call that failed. The message is for the model: what went wrong, and what would help. */
export function error(message: string, options: ErrorOptions = {}): Output<never> {
  const { transient = false, cause, trace = cause === undefined ? [] : traceOf(cause) } = options
  const {
    content,
    isError,
    _meta: meta,
  } = withErrorDetails(createErrorResult(message), {
    transient,
    trace,
  })
  return { content, isError, ...(meta && { _meta: meta }) }
}
