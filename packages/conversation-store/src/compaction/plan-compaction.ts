import type { Compaction } from '../events/conversation-event.ts'
import type { HistoryEntry } from '../history/read-history.ts'

/** What becomes of a turn. */
export interface TurnPlan {
  /** Stands for the turn; what else is said of the turn is then of no account. */
  summary?: Compaction
  reasoning?: NonNullable<Compaction['reasoning']>
  toolCalls?: NonNullable<Compaction['toolCalls']>
}

/** A compaction and the turns that it reaches. */
interface Reach {
  compaction: Compaction
  from: number
  /** Inclusive. */
  to: number
}

/** Events that a turn does not go on with. */
const SILENT: ReadonlySet<string> = new Set(['compaction', 'configuration', 'delivery'])

/**
 * Says what becomes of each turn that was compacted. Where two compactions say different things of a turn, the later counts. The turn in which one
 * stands is left as it is where it goes on behind it.
 */
export function planCompaction(entries: readonly HistoryEntry[]): ReadonlyMap<number, TurnPlan> {
  const latestFirst = reaches(entries)
  const plans = new Map<number, TurnPlan>()
  for (const key of ['summary', 'reasoning', 'toolCalls'] as const)
    for (const [turn, compaction] of paint(
      latestFirst.filter((reach) => reach.compaction[key] !== undefined),
    )) {
      const value = key === 'summary' ? compaction : compaction[key]
      plans.set(turn, { ...plans.get(turn), [key]: value })
    }
  return plans
}

function reaches(entries: readonly HistoryEntry[]): readonly Reach[] {
  const found: Reach[] = []
  if (!entries.some(({ event }) => event.type === 'compaction')) return found
  let goesOn = 0
  for (const { event, turn } of entries.toReversed()) {
    if (!SILENT.has(event.type)) goesOn = turn
    if (event.type !== 'compaction') continue
    const last = goesOn === turn ? turn - 1 : turn
    found.push({
      compaction: event,
      from: Math.max(1, event.fromTurn),
      to: Math.min(event.toTurn, last),
    })
  }
  return found
}

/** Gives each turn the first of the ranges that it is in; every turn is looked at about once, however the ranges overlap. */
function paint(ranges: readonly Reach[]): ReadonlyMap<number, Compaction> {
  const painted = new Map<number, Compaction>()
  /** From a turn that is painted to one behind it that may not be. */
  const next = new Map<number, number>()
  for (const { compaction, from, to } of ranges) {
    let turn = from
    while (turn <= to) {
      const known = next.get(turn)
      if (known === undefined) painted.set(turn, compaction)
      next.set(turn, Math.max(known ?? 0, to + 1))
      turn = known ?? turn + 1
    }
  }
  return painted
}
