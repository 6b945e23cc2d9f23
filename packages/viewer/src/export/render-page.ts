import { requireArguments } from '@toolblocks/protocol/internal'
import type {
  ConversationDescription,
  HistoryEntry,
  StoredEvent,
} from '@toolblocks/conversation-store'
import type { SafeHtml } from '@toolblocks/protocol'
import {
  joinHtml,
  markup,
  renderPageFrame,
  encodePageLine,
} from '@toolblocks/renderer/internal/html'
import type { CardOptions } from '../timeline/card-frame.ts'
import { createStatistics, describeTotals } from '../timeline/conversation-statistics.ts'
import { type Before, followedBy, renderCard } from '../timeline/render-card.ts'
import { foldQuiet } from '../timeline/render-chunk.ts'
import { VIEW_STYLE } from '../pages/view-style.ts'
import { placeUndone } from '../reading/place-undone.ts'
import { type Card, readCards } from '../reading/read-cards.ts'
import { describeFacts, formatTimeSpan } from '../reading/describe-facts.ts'

/** Renders a conversation as one self-contained page, piece by piece. Undone events are folded at their place. */
export function* renderPageExport(
  id: string,
  entries: readonly HistoryEntry[],
  description: CardOptions & { about: ConversationDescription; undone?: readonly StoredEvent[] },
): Generator<string> {
  requireArguments(
    'renderPageExport(id, entries, description)',
    [id, 'string'],
    [entries, 'iterable'],
    [description, { about: 'object' }],
  )
  const { about, undone = [], ...options } = description
  const title = about.title ?? id
  const { head, foot } = renderPageFrame({ title, style: VIEW_STYLE })
  const statistics = createStatistics()
  for (const entry of entries) if (!entry.synthetic) statistics.add(entry)
  const [first, last] = [entries[0]?.at, entries.at(-1)?.at]
  const facts = [
    ...describeFacts(about, options.root ?? ''),
    ...(first === undefined || last === undefined ? [] : [formatTimeSpan(first, last)]),
    `${entries.length.toLocaleString('en')} events`,
    ...(title === id ? [] : [id]),
  ].map((fact) => markup`<span>${encodePageLine(fact)}</span>`)
  const totals = encodePageLine(describeTotals(statistics, { parts: 'omit' }))
  const turns = statistics
    .turns()
    .map(
      ({ seq, opening }, index) =>
        markup`<li><a href="#e${seq}">${opening === '' ? markup`Turn ${index + 1}` : encodePageLine(opening)}</a></li>`,
    )
  yield markup`${head}<main><header class="tb-intro"><h1>${encodePageLine(title)}</h1><p class="tb-facts">${joinHtml(facts, markup` · `)}</p><p class="tb-facts">${totals}</p></header><div class="tb-reading"><details class="tb-outline"><summary>Turns</summary><nav aria-label="Turns"><ol>${turns}</ol></nav></details><div class="tb-column">`
  yield* foldQuiet(renderCards(entries, undone, options))
  yield markup`</div></div></main>${foot}`
}

function* renderCards(
  entries: readonly HistoryEntry[],
  undone: readonly StoredEvent[],
  options: CardOptions,
): Generator<{ card: Card; html: SafeHtml; isUndone?: boolean }> {
  let before: Before = {}
  for (const card of placeUndone(readCards(entries, options.pending), undone)) {
    if (card.kind === 'undone') {
      for (const inner of readCards(card.events))
        yield { card: inner, html: renderCard(inner, options, {}), isUndone: true }
      continue
    }
    yield { card, html: renderCard(card, options, before) }
    before = followedBy(before, card)
  }
}
