import type { Answer, AnswerQuestion, CallContext } from '@toolblocks/protocol'
import type { Queue } from '../queue.ts'

const ABORTED: Answer = { action: 'cancel', reason: 'aborted' }

/** A person's port that puts one question at a time. */
export function askInTurn(ask: AnswerQuestion, people: Queue): AnswerQuestion {
  return async (request, context) =>
    await people(async () => await ask(request, context), {
      signal: context.signal,
      whenAborted: () => ABORTED,
    })
}

/** The context of a call in which one person answers one question at a time, whoever asks. */
export function withQueue(context: CallContext, people: Queue): CallContext {
  const user = context.ask?.user
  return user ? { ...context, ask: { ...context.ask, user: askInTurn(user, people) } } : context
}
