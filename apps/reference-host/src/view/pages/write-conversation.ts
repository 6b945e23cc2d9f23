import type { SafeHtml } from '@toolblocks/protocol'
import { encodeHtml, markup, pageLine } from '@toolblocks/renderer/html'
import { CHUNK } from '../timeline/write-chunk.ts'
import { addressOf } from './write-lists.ts'

/** A chunk of a conversation, and where it stands. */
export interface ConversationPage {
  id: string
  /** The number of the last event there is. */
  last: number
  from: number
  to: number
  /** What all of it comes to; `begun`: as far as it was read by now, a script asks for the rest. */
  totals: { text: string; extent: 'whole' | 'begun' }
  /** How many rewinds were known when the chunk was written; 0 where not all was read by then. */
  rewinds: number
  /** The events of the chunk, written. */
  chunk: SafeHtml
}

/** One chunk of a conversation with the way to the others; a script shows all of it as one long page. */
export function writeConversation({
  id,
  last,
  from,
  to,
  totals,
  rewinds,
  chunk,
}: ConversationPage): SafeHtml {
  const query = encodeHtml(new URLSearchParams({ id }).toString())
  const earlier =
    from > 1
      ? markup`<a rel="prev" href="${encodeHtml(addressOf(id, from - 1))}">Earlier events</a> `
      : markup``
  const later =
    to < last
      ? markup`<a rel="next" href="${encodeHtml(addressOf(id, to + 1))}">Later events</a>`
      : markup``
  return markup`<h1>${pageLine(id)}</h1><p class="tb-facts"><span id="tb-count">${encodeHtml(last.toLocaleString('en'))}</span> events · <a href="${encodeHtml(addressOf(id, 1))}">first</a> · <a href="${encodeHtml(addressOf(id, Math.max(1, last)))}">last</a> · <span id="tb-live" role="status"></span></p><p class="tb-facts" id="tb-totals">${totals.extent === 'whole' ? pageLine(totals.text) : markup`counting tokens…`}</p><p class="tb-facts tb-keys"> Keys: <kbd>j</kbd> next, <kbd>k</kbd> previous, <kbd>g</kbd> first, <kbd>G</kbd> last, <kbd>/</kbd> search </p><tb-timeline data-query="${query}" data-last="${last}" data-size="${CHUNK}" data-survey="${encodeHtml(totals.extent)}" data-rewinds="${encodeHtml(String(rewinds))}"><section class="tb-chunk" data-from="${from}">${chunk}</section></tb-timeline><p class="tb-pages">${earlier}${later}</p>`
}
