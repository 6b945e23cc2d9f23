import { type LiveCall, TOOL_GRACE_MS, withinGrace } from '@toolblocks/protocol'
import { NotSettledError } from '../not-settled-error.ts'

const ABORTED = AbortSignal.abort()

/** A live call each of whose members settles within its grace after the abort, and ends within it when it is told to. */
export function boundLiveCall(live: LiveCall, name: string): LiveCall {
  const whenLate = (): never => {
    throw new NotSettledError(`the tool "${name}"`, TOOL_GRACE_MS)
  }
  const ms = TOOL_GRACE_MS
  return {
    started: live.started,
    fetch: async ({ signal }) =>
      await withinGrace(async () => await live.fetch({ signal }), { signal, ms, whenLate }),
    apply: async (input, { signal }) =>
      await withinGrace(async () => await live.apply(input, { signal }), { signal, ms, whenLate }),
    abort: async () =>
      await withinGrace(async () => await live.abort(), { signal: ABORTED, ms, whenLate }),
  }
}
