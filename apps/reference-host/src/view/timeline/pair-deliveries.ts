import type { DeliveryEvent, StoredEvent } from '@toolblocks/conversation-store'

/** What the model was given of each result, by the number of the result; ids that are used again are paired in their order. */
export function pairDeliveries(
  events: Iterable<Pick<StoredEvent, 'seq' | 'event'>>,
): ReadonlyMap<number, DeliveryEvent> {
  const open = new Map<string, number[]>()
  const paired = new Map<number, DeliveryEvent>()
  for (const { event, seq } of events) {
    if (event.type === 'tool_result') {
      const id = event.result.id ?? ''
      const results = open.get(id)
      if (results) results.push(seq)
      else open.set(id, [seq])
    }
    if (event.type !== 'delivery') continue
    const result = open.get(event.callId ?? '')?.shift()
    if (result !== undefined) paired.set(result, event)
  }
  return paired
}
