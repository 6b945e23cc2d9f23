/** A call of a store with its result. Events are named by unique texts. */
export type HistoryCall =
  | { kind: 'append'; expected: number; events: readonly string[]; ok: boolean; seq: number }
  /** `seqs` are the numbers of the returned events. */
  | {
      kind: 'read'
      after: number
      limit: number
      events: readonly string[]
      seqs: readonly number[]
      more: boolean
    }
  | { kind: 'count'; count: number }
  | { kind: 'delete'; existed: boolean }

/** A call on one conversation, with the times at which it started and ended on a clock that all clients share. */
export type HistoryOperation = HistoryCall & { start: number; end: number }

/** Whether an order of the calls explains their results; `undecided` if too many orders are possible. */
export type HistoryVerdict = 'serializable' | 'impossible' | 'undecided'

const MAX_STATES = 200_000

/**
 * Looks for an order of the calls on one conversation in which each call gives its result, and which keeps real time: a call that ended before
 * another one started comes first. This is the search of Wing and Gong, which remembers the states that it has seen.
 */
export function checkHistory(
  history: readonly HistoryOperation[],
  { maxStates = MAX_STATES }: { maxStates?: number } = {},
): HistoryVerdict {
  const operations = history.toSorted((one, other) => one.start - other.start)
  const seen = new Set<string>()
  const done = operations.map(() => false)

  function search(events: readonly string[], left: number): HistoryVerdict {
    if (left === 0) return 'serializable'
    const state = `${done.map(Number).join('')} ${events.join(' ')}`
    if (seen.has(state)) return 'impossible'
    if (seen.size >= maxStates) return 'undecided'
    seen.add(state)
    const firstEnd = operations.reduce(
      (end, each, index) => (done[index] ? end : Math.min(end, each.end)),
      Infinity,
    )
    for (const [index, operation] of operations.entries()) {
      if (operation.start > firstEnd) break
      const next = done[index] ? undefined : apply(events, operation)
      if (!next) continue
      done[index] = true
      const verdict = search(next, left - 1)
      if (verdict !== 'impossible') return verdict
      done[index] = false
    }
    return 'impossible'
  }

  return search([], operations.length)
}

/** Returns the events after a call; `undefined` if the call would have given another result. */
function apply(events: readonly string[], call: HistoryCall): readonly string[] | undefined {
  switch (call.kind) {
    case 'append': {
      const ok = events.length === call.expected
      const next = ok ? [...events, ...call.events] : events
      return call.ok === ok && call.seq === next.length ? next : undefined
    }
    case 'read': {
      const page = events.slice(call.after, call.after + call.limit)
      const isSame =
        page.length === call.events.length &&
        page.every((event, index) => event === call.events[index]) &&
        call.seqs.every((seq, index) => seq === call.after + index + 1) &&
        call.more === events.length > call.after + call.limit
      return isSame ? events : undefined
    }
    case 'count':
      return call.count === events.length ? events : undefined
    case 'delete':
      return call.existed === events.length > 0 ? [] : undefined
    default:
      return call satisfies never
  }
}

/** The times of a call that wrote, scrubbed or read. */
export interface Timed {
  start: number
  end: number
}

/** What happened to one event that contained a secret. */
export interface SecretHistory {
  appended: Timed
  scrubs: readonly Timed[]
  /** Reads of the event, and whether they returned the secret. */
  reads: readonly (Timed & { hasSecret: boolean })[]
}

/** Returns the reads of a secret that was removed: a scrub of it had begun after the append and ended before the read, or another read had seen it removed. */
export function findReturnedSecrets({ appended, scrubs, reads }: SecretHistory): readonly Timed[] {
  const removals = [
    ...scrubs.filter((scrub) => scrub.start > appended.end),
    ...reads.filter((read) => !read.hasSecret),
  ]
  const removed = removals.reduce((end, each) => Math.min(end, each.end), Infinity)
  return reads.filter((read) => read.hasSecret && read.start > removed)
}
