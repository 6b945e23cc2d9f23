import type { Answer, AnswerQuestion } from '@toolblocks/protocol'
import type { Queue } from '../queue.ts'

const ABORTED: Answer = { action: 'cancel', reason: 'aborted' }

/** A person's port that puts one question at a time; a call that is aborted while it waits for its turn waits no longer. */
export function askInTurn(ask: AnswerQuestion, people: Queue): AnswerQuestion {
  return async (request, context) => {
    const { signal } = context
    const aborted = Promise.withResolvers<Answer>()
    const leave = (): void => aborted.resolve(ABORTED)
    const put = people(async (): Promise<Answer> => {
      // From here on the port itself sees the abort, and closes what it has opened.
      signal.removeEventListener('abort', leave)
      return signal.aborted ? ABORTED : await ask(request, context)
    })
    signal.addEventListener('abort', leave, { once: true })
    return await Promise.race([put(), aborted.promise])
  }
}
