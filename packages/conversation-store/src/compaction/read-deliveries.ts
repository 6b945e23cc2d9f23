import type { Delivery } from '@toolblocks/protocol'
import type { DeliveryEvent } from '../events/conversation-event.ts'
import type { HistoryEntry } from '../history/read-history.ts'
import type { TurnPlan } from './plan-compaction.ts'

/** What was recorded of a result, or of what came with a message, which is never written otherwise. */
export interface ReadDelivery {
  text?: string
  deliveries: readonly Delivery[]
}

/**
 * Pairs what a model was given with the results, by call id and order in their turn, and what came with a message with the message. What a compaction
 * has taken away stands no longer, nor what a value was taken out of, nor a text that points to either.
 */
export function readDeliveries(
  entries: readonly HistoryEntry[],
  plans: ReadonlyMap<number, TurnPlan>,
): ReadonlyMap<HistoryEntry, ReadDelivery> {
  const paired = pair(entries)
  const isLost = (entry: HistoryEntry, delivery: HistoryEntry): boolean =>
    isGone(plans.get(entry.turn)) ||
    entry.scrubbedAt !== undefined ||
    delivery.scrubbedAt !== undefined
  const lost = new Set<string>()
  for (const [entry, { event, delivery }] of paired)
    if (isLost(entry, delivery))
      for (const each of event.deliveries) if (each.form === 'full') lost.add(keyOf(each))
  const given = new Map<HistoryEntry, ReadDelivery>()
  for (const [entry, { event, delivery }] of paired) {
    if (isGone(plans.get(entry.turn))) continue
    const { text } = event
    const pointsToLost = event.deliveries.some(
      (each) => each.form === 'reference' && lost.has(keyOf(each)),
    )
    if (pointsToLost) continue
    const deliveries = isLost(entry, delivery)
      ? event.deliveries.filter(({ form }) => form === 'reference')
      : event.deliveries
    if (entry.event.type === 'user_message') given.set(entry, { deliveries })
    else if (text !== undefined) given.set(entry, { text, deliveries })
  }
  return given
}

interface Paired {
  event: DeliveryEvent
  /** The entry of that event. */
  delivery: HistoryEntry
}

/** What speaks of no result and of no message before it in its turn belongs to nothing. */
function pair(entries: readonly HistoryEntry[]): ReadonlyMap<HistoryEntry, Paired> {
  const paired = new Map<HistoryEntry, Paired>()
  const open = new Map<string, HistoryEntry[]>()
  let message: HistoryEntry | undefined
  for (const entry of entries) {
    const { event, turn } = entry
    if (event.type === 'user_message') message = entry
    if (event.type === 'tool_result') {
      const key = `${turn} ${event.result.id ?? ''}`
      const results = open.get(key)
      if (results) results.push(entry)
      else open.set(key, [entry])
    }
    if (event.type !== 'delivery') continue
    const isOfMessage = event.callId === undefined && event.text === undefined
    const of = isOfMessage
      ? message?.turn === turn
        ? message
        : undefined
      : open.get(`${turn} ${event.callId ?? ''}`)?.shift()
    if (of) paired.set(of, { event, delivery: entry })
  }
  return paired
}

/** Whether the content of results is not given any more. */
function isGone(plan: TurnPlan | undefined): boolean {
  return plan?.summary !== undefined || plan?.toolCalls !== undefined
}

function keyOf({ uri, sha256 }: Delivery): string {
  return `${sha256} ${uri}`
}
