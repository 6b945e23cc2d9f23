import type { AnswerQuestion } from '@toolblocks/protocol'
import type { ApproveCall } from '@toolblocks/tool-executor'

/** How long people took over calls, so that it can be left out of how long the calls took. */
export interface PersonTime {
  answering(answer: AnswerQuestion): AnswerQuestion
  approving(approve: ApproveCall): ApproveCall
  /** Milliseconds, by the id of the call. */
  of(call: string): number
}

/** Measures nothing but what is put around with it. */
export function createPersonTime(now: () => number = () => performance.now()): PersonTime {
  const taken = new Map<string, number>()
  async function measured<Value>(
    call: string | undefined,
    person: () => Promise<Value>,
  ): Promise<Value> {
    const start = now()
    return await person().finally(() => {
      if (call !== undefined) taken.set(call, (taken.get(call) ?? 0) + now() - start)
    })
  }
  return {
    answering: (answer) => async (request, context) =>
      await measured(context.source.call?.id, async () => await answer(request, context)),
    approving: (approve) => async (call, material, signal) =>
      await measured(call.id, async () => await approve(call, material, signal)),
    of: (call) => taken.get(call) ?? 0,
  }
}
