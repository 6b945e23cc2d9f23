import type { Delivery } from '@toolblocks/protocol'
import type { History, HistoryEntry } from '../history/read-history.ts'
import { stripResult } from './compacted-blocks.ts'
import { planCompaction, type TurnPlan } from './plan-compaction.ts'
import { readDeliveries } from './read-deliveries.ts'
import { isOfCall, standInsForCalls, standInsForTurns } from './stand-ins.ts'

/** An entry as a model is given it. */
export interface ProjectedEntry extends HistoryEntry {
  /** Of a result: the text that the model was given. Absent where none is recorded or it holds no longer: then the result is written anew. */
  text?: string
  /** With `text`: in which form it has the resources of the result. Of a message: what it was given with it. */
  deliveries?: readonly Delivery[]
  /** Stands for what was compacted. */
  compacted?: true
}

/** What a model is given of a conversation. */
export interface Projection {
  /** Without deliveries and compactions. */
  entries: readonly ProjectedEntry[]
}

/**
 * Reads what a model is given of a conversation: what was compacted is left out, or its summary stands for it, and what it has named (uris,
 * mime types, checksums) stays named. The same events give the same, and events that are added change nothing before them but by a compaction or a
 * rewind.
 */
export function projectHistory({ entries }: Pick<History, 'entries'>): Projection {
  const plans = planCompaction(entries)
  const given = readDeliveries(entries, plans)
  const summaries = standInsForTurns(entries, plans)
  const omitted = standInsForCalls(entries, plans)
  const names = new Map<string, string>()
  const projected: ProjectedEntry[] = []
  for (const entry of entries) {
    const { event, turn } = entry
    const plan = plans.get(turn) ?? UNCHANGED
    if (event.type === 'tool_call') names.set(event.call.id, event.call.name)
    if (event.type === 'delivery' || event.type === 'compaction') continue
    if (event.type === 'configuration') projected.push(entry)
    else if (plan.summary) projected.push(...(summaries.get(entry) ?? []))
    else if (plan.toolCalls === 'omit' && isOfCall(entry))
      projected.push(...(omitted.get(entry) ?? []))
    else {
      const as = given.get(entry)
      projected.push({ ...compactEntry(entry, plan, names), ...as })
    }
  }
  return { entries: projected }
}

const UNCHANGED: TurnPlan = {}

function compactEntry(
  entry: HistoryEntry,
  { reasoning, toolCalls }: TurnPlan,
  names: ReadonlyMap<string, string>,
): ProjectedEntry {
  const { event } = entry
  if (event.type === 'assistant_message' && reasoning && event.reasoning !== undefined) {
    // What a provider wants back with a thought is of no use without it.
    const { reasoning: _thought, _meta: _signature, ...said } = event
    return { ...entry, event: said, compacted: true }
  }
  if (event.type === 'tool_call' && toolCalls === 'strip')
    return {
      ...entry,
      event: { ...event, call: { ...event.call, arguments: {} } },
      compacted: true,
    }
  if (event.type === 'tool_result' && toolCalls !== undefined) {
    const result = stripResult(event.result, names.get(event.result.id ?? ''))
    return { ...entry, event: { ...event, result }, compacted: true }
  }
  return entry
}
