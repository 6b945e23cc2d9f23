import { messageOf } from './message-of.ts'

/** Causes that are followed. */
const MOST_CAUSES = 16

/** What was thrown and its causes, one line each, outermost first. */
export function traceOf(thrown: unknown): readonly string[] {
  const trace: string[] = []
  let cause = thrown
  while (cause !== undefined && trace.length < MOST_CAUSES) {
    trace.push(cause instanceof Error ? `${cause.name}: ${messageOf(cause)}` : messageOf(cause))
    cause = cause instanceof Error ? cause.cause : undefined
  }
  return trace
}
