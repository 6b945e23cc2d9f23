import type { SafeHtml } from '@toolblocks/protocol'
import { markup, joinHtml, pageText } from '@toolblocks/renderer/html'

import { pairDeliveries } from './pair-deliveries.ts'
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
  const deliveries = pairDeliveries([...events, ...behind].filter((kept) => 'event' in kept))
  const tools = new Map<string, string>()
  const written: SafeHtml[] = []
  for (const kept of events) {
    if ('problem' in kept) {
      written.push(
        markup`<article id="e${kept.seq}" class="tb-event tb-error" tabindex="-1"><header><span class="tb-seq">#${kept.seq}</span> <span class="tb-title">cannot be read</span></header><p class="tb-warning">${pageText(kept.problem.message)}</p></article>`,
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
