import type { StoredEvent } from '@toolblocks/conversation-store'
import type { Outcome } from '@toolblocks/protocol'

/** A call, as far as its use is counted. Times are milliseconds since 1970. */
export interface UsedCall {
  /** The number of its event. */
  seq: number
  at: number
  tool: string
  /** Absent: it has no result. */
  outcome?: Outcome
  /** Milliseconds until its result, without those that people took. Absent: it has no result, or a clock was changed. */
  took?: number
}

/** The calls of one conversation. */
export interface CallList {
  /** Adds the next event. */
  add(event: StoredEvent): void
  /** Returns the calls so far, the earliest first. */
  calls(): readonly UsedCall[]
}

/** A call without a result. */
interface CallInProgress {
  call: UsedCall
  /** When its last step happened. */
  last: number
  /** Milliseconds that people took. */
  waited: number
  turn: number
}

/** Creates the list of the calls of a conversation. Events before the first one that is added are not known: a result without its call counts nothing. */
export function createCallList(): CallList {
  const calls: UsedCall[] = []
  const open = new Map<string, CallInProgress[]>()
  let turn = 0

  function takeStep({ at, event }: StoredEvent, id: string): void {
    const [asking] = open.get(id) ?? []
    if (!asking) return
    const time = Date.parse(at)
    if (event.type !== 'question') asking.waited += Math.max(0, time - asking.last)
    asking.last = time
  }

  return {
    add: (one) => {
      const { seq, event } = one
      const time = Date.parse(one.at)
      switch (event.type) {
        case 'turn_start':
          turn += 1
          return
        case 'tool_call': {
          const { id, name: tool } = event.call
          const call: UsedCall = { seq, at: time, tool }
          calls.push(call)
          // Some hosts use the id of a call again in a later turn.
          const others = (open.get(id) ?? []).filter((each) => each.turn === turn)
          open.set(id, [...others, { call, last: time, waited: 0, turn }])
          return
        }
        case 'question':
        case 'answer':
        case 'approval':
          return takeStep(one, event.callId)
        case 'tool_result': {
          const { id = '', metadata, isError } = event.result
          const [ended, ...others] = open.get(id) ?? []
          if (!ended) return
          if (others.length > 0) open.set(id, others)
          else open.delete(id)
          const { call, waited } = ended
          call.outcome = metadata?.outcome ?? (isError ? 'failed' : 'completed')
          const took = time - call.at - waited
          if (took >= 0) call.took = took
          return
        }
        case 'user_message':
        case 'assistant_message':
        case 'delivery':
        case 'configuration':
        case 'compaction':
        case 'rewind':
        case 'unknown':
      }
    },
    calls: () => calls,
  }
}
