import { quoteBriefly } from '@toolblocks/protocol'
import type {
  ModelAnswer,
  GivenResult,
  ModelCall,
  ModelMessage,
  UserMessage,
} from '../conversation/model-request.ts'
import { createClaims, type NameRule } from '../tools/claim-names.ts'
import type { RequestChange } from './request-change.ts'

/** A message of the user, or what a model said with the results of all its calls. */
export type Turn =
  | { role: 'user'; message: UserMessage }
  | { role: 'assistant'; message: ModelAnswer; answered: readonly AnsweredCall[] }

/** A call and its result. */
export interface AnsweredCall {
  /** What the provider is told. */
  id: string
  call: ModelCall
  given: GivenResult
}

/**
 * Brings results to their calls: every call has one result, in the order of the calls, directly behind them, and no result is
 * without a call. Ids are such that the provider takes them, and unique in the conversation.
 */
export function toTurns(
  messages: readonly ModelMessage[],
  callIds: NameRule,
): { turns: readonly Turn[]; changes: readonly RequestChange[] } {
  const claim = createClaims(callIds)
  const turns: Turn[] = []
  const changes: RequestChange[] = []
  const used = new Set<GivenResult>()
  for (const [index, message] of messages.entries()) {
    switch (message.role) {
      case 'user':
        turns.push({ role: 'user', message })
        break
      case 'assistant': {
        const results = resultsFor(messages, index)
        const answered = message.calls.map((call, at): AnsweredCall => {
          const path = `/messages/${index}/calls/${at}`
          const id = claim(call.id)
          if (id !== call.id) changes.push(idChanged(path, call.id, id))
          const given = results.get(call.id)?.shift()
          if (!given) changes.push(resultMissing(path, call))
          else used.add(given)
          return { id, call, given: given ?? unanswered(call) }
        })
        turns.push({ role: 'assistant', message, answered })
        break
      }
      case 'tool':
        for (const [at, given] of message.results.entries())
          if (!used.has(given)) changes.push(withoutCall(`/messages/${index}/results/${at}`, given))
    }
  }
  return { turns, changes }
}

/** The results between a message and the next of the model, by the id of the call. */
function resultsFor(messages: readonly ModelMessage[], index: number): Map<string, GivenResult[]> {
  const results = new Map<string, GivenResult[]>()
  for (let at = index + 1; at < messages.length; at += 1) {
    const message = messages[at]
    if (message?.role === 'assistant') break
    if (message?.role !== 'tool') continue
    for (const given of message.results) {
      const same = results.get(given.call.id)
      if (same) same.push(given)
      else results.set(given.call.id, [given])
    }
  }
  return results
}

const NO_RESULT = 'Nothing was kept of what came of this call; whether it ran is not known.'

function unanswered({ id, name }: ModelCall): GivenResult {
  const content = [{ type: 'text', text: NO_RESULT }] as const
  return {
    call: { id, name },
    result: { id, content, isError: true, metadata: { outcome: 'cancelled' } },
  }
}

function idChanged(path: string, id: string, got: string): RequestChange {
  return {
    path: `${path}/id`,
    code: 'call-id-changed',
    message: `the call's id ${quoteBriefly(id)} is ${got} for this provider, which does not take it or had it before`,
  }
}

function resultMissing(path: string, { name }: ModelCall): RequestChange {
  return {
    path,
    code: 'result-missing',
    message: `the call of ${quoteBriefly(name)} has no result: the model is told so`,
  }
}

function withoutCall(path: string, { call }: GivenResult): RequestChange {
  return {
    path,
    code: 'result-without-call',
    message: `the result answers no call of the message before (${quoteBriefly(call.id)}): it was left out`,
  }
}
