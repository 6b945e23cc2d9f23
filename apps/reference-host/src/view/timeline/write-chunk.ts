import type { DeliveryEvent } from '@toolblocks/conversation-store'
import type { SafeHtml } from '@toolblocks/protocol'
import { html, joinHtml, pageText } from '@toolblocks/renderer/html'
import type { Kept } from '../../conversations/open/read-all.ts'
import type { EventSpan } from './read-events.ts'
import { type EventOptions, writeEvent } from './write-event.ts'

/** Events that are asked for and written together. */
export const CHUNK = 100

/** The chunk that has an event: the numbers of its first and its last one. */
export function chunkOf(seq: number): { from: number; to: number } {
  const from = Math.floor((seq - 1) / CHUNK) * CHUNK + 1
  return { from, to: from + CHUNK - 1 }
}

/** Writes events in their order; what of them is damaged stands in its place, with what is wrong. */
export function writeChunk({ events, behind }: EventSpan, options: EventOptions): SafeHtml {
  const deliveries = pairDeliveries([...events, ...behind])
  const tools = new Map<string, string>()
  const written: SafeHtml[] = []
  for (const kept of events) {
    if ('problem' in kept) {
      written.push(
        html`<article id="e${kept.seq}" class="tb-event tb-error" tabindex="-1">
          <header>
            <span class="tb-seq">#${kept.seq}</span> <span class="tb-title">cannot be read</span>
          </header>
          <p class="tb-warning">${pageText(kept.problem.message)}</p>
        </article>`,
      )
      continue
    }
    const { event } = kept
    if (event.type === 'tool_call') tools.set(event.call.id, event.call.name)
    const tool = event.type === 'tool_result' ? tools.get(event.result.id ?? '') : undefined
    const delivery = deliveries.get(kept.seq)
    written.push(
      writeEvent(
        { ...kept, ...(tool !== undefined && { tool }), ...(delivery && { delivery }) },
        options,
      ),
    )
  }
  return joinHtml(written)
}

/** What the model was given of each result, by the number of the result; ids that are used again are paired in their order. */
function pairDeliveries(all: readonly Kept[]): ReadonlyMap<number, DeliveryEvent> {
  const open = new Map<string, number[]>()
  const paired = new Map<number, DeliveryEvent>()
  for (const kept of all) {
    if ('problem' in kept) continue
    const { event, seq } = kept
    if (event.type === 'tool_result') {
      const id = event.result.id ?? ''
      open.set(id, [...(open.get(id) ?? []), seq])
    }
    if (event.type !== 'delivery') continue
    const result = open.get(event.callId ?? '')?.shift()
    if (result !== undefined) paired.set(result, event)
  }
  return paired
}
