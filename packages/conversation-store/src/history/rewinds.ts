/** An event of which only a rewind has an effect on others. */
interface RewindOrOther {
  /** `rewind` for a rewind. */
  type: string
  /** Of a rewind. */
  to?: number
}

/** The events of a conversation that count after its rewinds. Add the events in their order. */
export interface Rewinds {
  /** Adds the next event; a rewind is applied. */
  add(stored: { seq: number; event: RewindOrOther }): void
  /** Returns the numbers of the events that count. Rewinds themselves do not. */
  kept(): ReadonlySet<number>
  /** Returns the number of the last event that counts; 0 if none does. */
  last(): number
  /** Returns the number of rewinds. */
  count(): number
  /** Returns the number of the rewind that first undid an event which does not count now; `undefined` for one that counts. */
  undoneBy(seq: number): number | undefined
}

/** An event that counted when it was added, and the one before it at that time. */
interface Link {
  seq: number
  before: Link | undefined
}

/**
 * Applies rewinds. After a rewind, the conversation is again as it was after the event whose number is `to`: the events between it and the rewind are
 * undone, and a rewind between them is undone too, so that the events which that one undid count again.
 */
export function createRewinds(): Rewinds {
  /** For each added event, in order: its number, and the last event that counted after it. */
  const states: { seq: number; head: Link | undefined }[] = []
  /** Numbers of the events that no rewind has undone yet, in order. */
  const open: number[] = []
  /** The first rewind that undid an event, by the event's number. */
  const undone = new Map<number, number>()
  let count = 0
  let head: Link | undefined
  let known: { head: Link | undefined; seqs: Set<number> } = { head: undefined, seqs: new Set() }
  const kept = (): ReadonlySet<number> => {
    const added: number[] = []
    let link = head
    for (; link !== undefined && link !== known.head; link = link.before) added.push(link.seq)
    // Usually, the events since the last time continue those before.
    if (link === known.head) for (const seq of added) known.seqs.add(seq)
    else known.seqs = new Set(added)
    known.head = head
    return known.seqs
  }
  return {
    add: ({ seq, event }) => {
      if (event.type === 'rewind' && event.to !== undefined) {
        count += 1
        for (let last = open.at(-1); last !== undefined && last > event.to; last = open.at(-1)) {
          undone.set(last, seq)
          open.pop()
        }
        head = findState(states, event.to)
      } else head = { seq, before: head }
      open.push(seq)
      states.push({ seq, head })
    },
    kept,
    last: () => head?.seq ?? 0,
    count: () => count,
    undoneBy: (seq) => (kept().has(seq) ? undefined : undone.get(seq)),
  }
}

/** Returns the last event that counted after the event with a number, or after the last one before it. */
function findState(
  states: readonly { seq: number; head: Link | undefined }[],
  to: number,
): Link | undefined {
  let [low, high] = [0, states.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((states[middle]?.seq ?? 0) <= to) low = middle + 1
    else high = middle
  }
  return states[low - 1]?.head
}
