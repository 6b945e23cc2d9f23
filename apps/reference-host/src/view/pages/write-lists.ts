import type {
  ConversationList,
  ConversationSummary,
  SearchHit,
} from '@toolblocks/conversation-store'
import type { SafeHtml } from '@toolblocks/protocol'
import { encodeHtml, markup, pageLine } from '@toolblocks/renderer/html'

/** The address of a conversation beside the page, or of one event in it. Ids may be anything, also what means something in a path. */
export function addressOf(id: string, seq?: number): string {
  const query = new URLSearchParams({ id, ...(seq !== undefined && { at: String(seq) }) })
  return `conversation?${query.toString()}${seq === undefined ? '' : `#e${seq}`}`
}

/** The conversations of a store, the most recently written first. */
export function writeList({ conversations, next }: ConversationList, name: string): SafeHtml {
  const rows = conversations.map(writeSummary)
  const more =
    next === undefined
      ? markup``
      : markup`<p><a rel="next" href="./?${encodeHtml(new URLSearchParams({ cursor: next }).toString())}">Earlier conversations</a></p>`
  const none =
    rows.length === 0 ? markup`<p class="tb-left">There are no conversations yet.</p>` : markup``
  return markup`<h1>Conversations</h1><p class="tb-facts">${pageLine(name)}</p>${none}<ul class="tb-list">${rows}</ul>${more}<p class="tb-facts"><a href="gallery">Every kind of result</a>, and how it is shown</p>`
}

function writeSummary({ id, events, createdAt, updatedAt }: ConversationSummary): SafeHtml {
  const count =
    events === 1 ? markup`1 event` : markup`${encodeHtml(events.toLocaleString('en'))} events`
  return markup`<li><a href="${encodeHtml(addressOf(id))}">${pageLine(id)}</a> <span class="tb-facts">${count} · ${time(createdAt)} – ${time(updatedAt)} UTC</span></li>`
}

/** What was found, each with its words in their surroundings. */
export function writeHits(hits: readonly SearchHit[], query: string): SafeHtml {
  const rows = hits.map(
    ({ conversation, seq, type, at, excerpt }) =>
      markup`<li><a href="${encodeHtml(addressOf(conversation, seq))}">${pageLine(conversation)} #${seq}</a> <span class="tb-facts">${pageLine(type.replaceAll('_', ' '))} · ${time(at)} UTC</span><p>${pageLine(excerpt)}</p></li>`,
  )
  const count = hits.length === 1 ? markup`1 event` : markup`${hits.length} events`
  return markup`<h1>Search</h1><p role="status">${count} with ${pageLine(query)}</p><ul class="tb-list">${rows}</ul>`
}

function time(at: string): SafeHtml {
  return markup`<time datetime="${encodeHtml(at)}">${encodeHtml(at.slice(0, 16).replace('T', ' '))}</time>`
}
