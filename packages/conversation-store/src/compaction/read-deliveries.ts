import type { Delivery } from '@toolblocks/protocol'
import type { HistoryEntry } from '../history/read-history.ts'
import type { TurnPlan } from './plan-compaction.ts'

/** What a model was given, as far as it still holds. */
export interface ReadDeliveries {
  /** By the entry of the result. */
  given: ReadonlyMap<HistoryEntry, { text: string; deliveries: readonly Delivery[] }>
  /** What the model has in full. */
  standing: readonly Delivery[]
}

/**
 * Pairs what a model was given with the results, by call id and order in their turn. What a compaction has taken away stands no longer, nor does a
 * text that points to it.
 */
export function readDeliveries(
  entries: readonly HistoryEntry[],
  plans: ReadonlyMap<number, TurnPlan>,
): ReadDeliveries {
  const lost = new Set<string>()
  for (const { event, turn } of entries)
    if (event.type === 'delivery' && isGone(plans.get(turn)))
      for (const delivery of event.deliveries)
        if (delivery.form === 'full') lost.add(keyOf(delivery))
  const given = new Map<HistoryEntry, { text: string; deliveries: readonly Delivery[] }>()
  const standing: Delivery[] = []
  const open = new Map<string, HistoryEntry[]>()
  for (const entry of entries) {
    const { event, turn } = entry
    if (isGone(plans.get(turn))) continue
    if (event.type === 'tool_result') {
      const key = `${turn} ${event.result.id ?? ''}`
      const results = open.get(key)
      if (results) results.push(entry)
      else open.set(key, [entry])
    }
    if (event.type !== 'delivery') continue
    const result = open.get(`${turn} ${event.callId ?? ''}`)?.shift()
    const isLost = event.deliveries.some(
      (delivery) => delivery.form === 'reference' && lost.has(keyOf(delivery)),
    )
    if (isLost) continue
    standing.push(...event.deliveries.filter(({ form }) => form === 'full'))
    if (result && event.text !== undefined)
      given.set(result, { text: event.text, deliveries: event.deliveries })
  }
  return { given, standing }
}

/** Whether the content of results is not given any more. */
function isGone(plan: TurnPlan | undefined): boolean {
  return plan?.summary !== undefined || plan?.toolCalls !== undefined
}

function keyOf({ uri, sha256 }: Delivery): string {
  return `${sha256} ${uri}`
}
