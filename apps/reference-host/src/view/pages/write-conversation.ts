import type { ConversationDescription } from '@toolblocks/conversation-store'
import type { SafeHtml } from '@toolblocks/protocol'
import { encodeHtml, joinHtml, markup, pageLine } from '@toolblocks/renderer/html'
import { describeFacts } from '../../conversations/show/describe-facts.ts'
import { describeSpan } from '../../conversations/show/describe-time.ts'
import type { OutlineTurn } from '../timeline/survey-conversation.ts'
import { CHUNK } from '../timeline/write-chunk.ts'
import { addressOf } from './write-lists.ts'

/** A chunk of a conversation, and where it stands. */
export interface ConversationPage {
  id: string
  /** As much of the id as is said. */
  short: string
  about: ConversationDescription & { first: string; last: string }
  /** The folder of the workspace, which is not said. */
  root: string
  /** The number of the last event there is. */
  last: number
  from: number
  to: number
  /** What all of it comes to; `begun`: as far as it was read by now, a script asks for the rest. */
  totals: { text: string; extent: 'whole' | 'begun' }
  /** The turns that are known by now. */
  turns: readonly OutlineTurn[]
  /** How many rewinds were known when the chunk was written; 0 where not all was read by then. */
  rewinds: number
  /** Whether what the model received is shown, too. */
  view: 'person' | 'model'
  /** Whether anything is known of what the model received. */
  deliveries: 'known' | 'unknown'
  /** Whether events may come while the page is looked at. */
  growth: 'live' | 'still'
  /** The events of the chunk, written. */
  chunk: SafeHtml
}

/** One chunk of a conversation with the way to the others; a script shows all of it as one long page. */
export function writeConversation(page: ConversationPage): SafeHtml {
  const { id, last, from, to, totals, turns, rewinds, view, growth, chunk } = page
  const query = encodeHtml(queryOf(id, view).toString())
  const earlier =
    from > 1
      ? markup`<a rel="prev" href="${encodeHtml(addressOf(id, from - 1, view))}">Earlier</a> `
      : markup``
  const later =
    to < last
      ? markup`<a rel="next" href="${encodeHtml(addressOf(id, to + 1, view))}">Later</a>`
      : markup``
  const follows = growth === 'live' ? markup` data-follow="follow"` : markup``
  const timeline = markup`<tb-timeline data-query="${query}" data-last="${last}" data-size="${CHUNK}" data-survey="${encodeHtml(totals.extent)}" data-rewinds="${encodeHtml(String(rewinds))}"${follows}><section class="tb-chunk" data-from="${from}">${chunk}</section></tb-timeline>`
  return markup`${writeIntro(page)}<div class="tb-reading"><details class="tb-outline"><summary>Turns</summary><nav aria-label="Turns">${writeOutline(id, turns, view)}</nav></details><div class="tb-column">${timeline}<p class="tb-pages">${earlier}${later}</p></div></div>`
}

function writeIntro({
  id,
  short,
  about,
  root,
  last,
  totals,
  view,
  growth,
  deliveries,
}: ConversationPage): SafeHtml {
  const facts = [...describeFacts(about, root), describeSpan(about.first, about.last), short].map(
    (fact) => markup`<span>${pageLine(fact)}</span>`,
  )
  const live = growth === 'live' ? markup` · <span id="tb-live" role="status"></span>` : markup``
  const other = view === 'model' ? 'person' : 'model'
  const change =
    view === 'model' ? markup`Hide what the model received` : markup`What the model received`
  const way =
    deliveries === 'known'
      ? markup`<a href="${encodeHtml(`conversation?${queryOf(id, other).toString()}`)}">${change}</a>`
      : markup``
  const spent = totals.extent === 'whole' ? pageLine(totals.text) : markup`counting tokens…`
  return markup`<header class="tb-intro"><h1>${pageLine(about.title ?? id)}</h1><p class="tb-facts">${joinHtml(facts, markup` · `)} · <span><span id="tb-count">${encodeHtml(last.toLocaleString('en'))}</span> events</span>${live}</p><p class="tb-facts" id="tb-totals">${spent}</p><p class="tb-facts tb-ways"><a href="${encodeHtml(addressOf(id, 1, view))}">First</a> <a href="${encodeHtml(addressOf(id, Math.max(1, last), view))}">Last</a> ${way} <span class="tb-keys"><kbd>j</kbd> <kbd>k</kbd> next, previous · <kbd>o</kbd> open · <kbd>g</kbd> <kbd>G</kbd> first, last · <kbd>/</kbd> search</span></p></header>`
}

function queryOf(id: string, view: 'person' | 'model'): URLSearchParams {
  return new URLSearchParams({ id, ...(view === 'model' && { 'model-view': '' }) })
}

/** Turns that are named; of more, each so manyth. */
const MOST = 400

/** The turns of a conversation by their first words, each with the way to it. */
export function writeOutline(
  id: string,
  turns: readonly OutlineTurn[],
  view: 'person' | 'model',
): SafeHtml {
  const step = Math.ceil(turns.length / MOST)
  const items = turns.flatMap(({ seq, words, calls }, index) => {
    if (step > 1 && index % step !== 0) return []
    const name = words === '' ? markup`Turn ${index + 1}` : pageLine(words)
    const used =
      calls === 0
        ? markup``
        : markup` <span class="tb-facts">${calls === 1 ? markup`1 call` : markup`${calls} calls`}</span>`
    return [
      markup`<li value="${index + 1}"><a href="${encodeHtml(addressOf(id, seq, view))}" data-seq="${seq}">${name}</a>${used}</li>`,
    ]
  })
  const sampled =
    step > 1 ? markup`<p class="tb-facts">Every ${step}th of ${turns.length} turns</p>` : markup``
  return markup`${sampled}<ol>${items}</ol>`
}
