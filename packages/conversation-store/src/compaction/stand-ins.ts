import type { ResourceLink } from '@toolblocks/protocol'
import type { HistoryEntry } from '../history/read-history.ts'
import { distinctLinks, linksOf, linksTo } from './compacted-blocks.ts'
import type { TurnPlan } from './plan-compaction.ts'
import type { ProjectedEntry } from './project-history.ts'

/** What stands for entries that are left out, by the first of them. */
type StandIns = ReadonlyMap<HistoryEntry, readonly ProjectedEntry[]>

const NONE: StandIns = new Map()

/** What stands for turns with a summary, by the first entry of each summary. */
export function standInsForTurns(
  entries: readonly HistoryEntry[],
  plans: ReadonlyMap<number, TurnPlan>,
): StandIns {
  if (plans.size === 0) return NONE
  const groups = groupBy(entries, ({ turn, event }) =>
    event.type === 'configuration' || event.type === 'delivery' || event.type === 'compaction'
      ? undefined
      : plans.get(turn)?.summary,
  )
  return new Map(
    [...groups].map(([{ summary = '' }, group]) => {
      const [first] = group
      const turns = distinct(group.map(({ turn }) => turn))
      const place = { seq: first.seq, at: first.at, turn: first.turn, compacted: true } as const
      const heading = `[Summary of the conversation so far, turn${turns.length === 1 ? '' : 's'} ${spans(turns)}.]`
      const links = distinctLinks(group.flatMap(linksOfEntry))
      return [
        first,
        [
          { ...place, event: { type: 'turn_start', turn: first.turn } },
          { ...place, event: { type: 'user_message', content: [{ type: 'text', text: heading }] } },
          {
            ...place,
            event: {
              type: 'assistant_message',
              content: [{ type: 'text', text: summary }, ...links],
            },
          },
        ],
      ]
    }),
  )
}

/** What stands for calls that are left out, by the first entry of them in each turn. */
export function standInsForCalls(
  entries: readonly HistoryEntry[],
  plans: ReadonlyMap<number, TurnPlan>,
): StandIns {
  if (plans.size === 0) return NONE
  const groups = groupBy(entries, (entry) =>
    isOfCall(entry) && plans.get(entry.turn)?.toolCalls === 'omit' ? entry.turn : undefined,
  )
  return new Map(
    [...groups].map(([, group]) => {
      const [first] = group
      const calls = group.filter(({ event }) => event.type === 'tool_call').length
      const text = `[compacted] ${calls === 1 ? '1 call was' : `${calls} calls were`} left out.`
      const links = distinctLinks(group.flatMap(linksOfEntry))
      const event = {
        type: 'assistant_message',
        content: [{ type: 'text', text }, ...links],
      } as const
      return [first, [{ seq: first.seq, at: first.at, turn: first.turn, event, compacted: true }]]
    }),
  )
}

function linksOfEntry({ event }: HistoryEntry): readonly ResourceLink[] {
  if (event.type === 'tool_result') return linksOf(event.result)
  return event.type === 'user_message' || event.type === 'assistant_message'
    ? linksTo(event.content)
    : []
}

function groupBy<Key>(
  entries: readonly HistoryEntry[],
  keyOf: (entry: HistoryEntry) => Key | undefined,
): ReadonlyMap<Key, [HistoryEntry, ...HistoryEntry[]]> {
  const groups = new Map<Key, [HistoryEntry, ...HistoryEntry[]]>()
  for (const entry of entries) {
    const key = keyOf(entry)
    if (key === undefined) continue
    const group = groups.get(key)
    if (group) group.push(entry)
    else groups.set(key, [entry])
  }
  return groups
}

function distinct(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)]
}

/** `1–3, 5`. */
function spans(turns: readonly number[]): string {
  const found: [number, number][] = []
  for (const turn of turns) {
    const last = found.at(-1)
    if (last && turn === last[1] + 1) last[1] = turn
    else found.push([turn, turn])
  }
  return found.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(', ')
}

/** Whether an entry is a call or belongs to one. */
export function isOfCall({ event }: HistoryEntry): boolean {
  return (
    event.type === 'tool_call' ||
    event.type === 'tool_result' ||
    event.type === 'question' ||
    event.type === 'answer' ||
    event.type === 'approval'
  )
}
