import type { DeliveryEvent, HistoryEntry } from '@toolblocks/conversation-store'
import { encodeHtml, markup, pageFrame, pageLine } from '@toolblocks/renderer/html'
import { pairDeliveries } from '../../view/timeline/pair-deliveries.ts'
import { createSurvey, describeTotals } from '../../view/timeline/survey-conversation.ts'
import { type EventOptions, writeEvent } from '../../view/timeline/write-event.ts'
import { VIEW_STYLE } from '../../view/view-style.ts'

/** Writes a conversation as one page that needs nothing else, piece by piece: what is shown of it in a browser, as it counts. */
export function* writePage(
  id: string,
  entries: readonly HistoryEntry[],
  options: EventOptions,
): Generator<string> {
  const { head, foot } = pageFrame({ title: id, style: VIEW_STYLE })
  const last = entries.at(-1)?.at
  const until =
    last === undefined
      ? markup``
      : markup` · until ${encodeHtml(last.slice(0, 16).replace('T', ' '))} UTC`
  const survey = createSurvey()
  for (const entry of entries) if (!entry.synthetic) survey.add(entry)
  const totals = pageLine(describeTotals(survey.totals()))
  yield markup`${head}<main><h1>${pageLine(id)}</h1><p class="tb-facts">${entries.length} events${until}</p><p class="tb-facts">${totals}</p>`
  const deliveries = pairDeliveries(entries)
  const tools = new Map<string, string>()
  for (const entry of entries) {
    const { event } = entry
    if (event.type === 'tool_call') tools.set(event.call.id, event.call.name)
    const tool = event.type === 'tool_result' ? tools.get(event.result.id ?? '') : undefined
    const delivery: DeliveryEvent | undefined = entry.synthetic
      ? undefined
      : deliveries.get(entry.seq)
    yield writeEvent(
      { ...entry, ...(tool !== undefined && { tool }), ...(delivery && { delivery }) },
      options,
    )
  }
  yield markup`</main>${foot}`
}
