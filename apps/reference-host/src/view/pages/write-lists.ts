import type {
  ConversationDescription,
  ConversationSummary,
  SearchHit,
} from '@toolblocks/conversation-store'
import type { SafeHtml } from '@toolblocks/protocol'
import { encodeHtml, joinHtml, markup, pageLine } from '@toolblocks/renderer/html'
import type { ShortenId } from '../../conversations/open/short-ids.ts'
import { describeFacts } from '../../conversations/show/describe-facts.ts'
import { describeMinute, describeSpan } from '../../conversations/show/describe-time.ts'

/** The address of a conversation beside the page, or of one event in it. Ids may be anything, also what means something in a path. */
export function addressOf(id: string, seq?: number, view?: 'person' | 'model'): string {
  const query = new URLSearchParams({
    id,
    ...(view === 'model' && { 'model-view': '' }),
    ...(seq !== undefined && { at: String(seq) }),
  })
  return `conversation?${query.toString()}${seq === undefined ? '' : `#e${seq}`}`
}

/** A conversation in a list. */
export type ListedConversation = ConversationSummary & ConversationDescription

/** What a list says besides conversations. */
export interface ListPage {
  /** Where they are. */
  name: string
  /** The cursor of the list that goes on. */
  next: string | undefined
  shorten: ShortenId
  /** The folder of the workspace, which is not said. */
  root: string
}

/** The conversations of a store, the most recently written first. */
export function writeList(
  conversations: readonly ListedConversation[],
  { name, next, shorten, root }: ListPage,
): SafeHtml {
  const rows = conversations.map((one) => writeListed(one, shorten(one.id), root))
  const more =
    next === undefined
      ? markup``
      : markup`<p><a rel="next" href="./?${encodeHtml(new URLSearchParams({ cursor: next }).toString())}">Earlier conversations</a></p>`
  const none =
    rows.length === 0 ? markup`<p class="tb-left">There are no conversations yet.</p>` : markup``
  return markup`<div class="tb-page"><h1>Conversations</h1><p class="tb-facts">${pageLine(name)}</p>${none}<ul class="tb-list">${rows}</ul>${more}<p class="tb-facts"><a href="gallery">Every kind of result</a>, and how it is shown</p></div>`
}

function writeListed(one: ListedConversation, short: string, root: string): SafeHtml {
  const { id, title = short, events, createdAt, updatedAt } = one
  const facts = [
    ...describeFacts(one, root),
    describeSpan(createdAt, updatedAt),
    events === 1 ? '1 event' : `${events.toLocaleString('en')} events`,
    ...(title === short ? [] : [short]),
  ].map((fact) => markup`<span>${pageLine(fact)}</span>`)
  return markup`<li><a href="${encodeHtml(addressOf(id))}">${pageLine(title)}</a><p class="tb-facts">${joinHtml(facts, markup` · `)}</p></li>`
}

/** What was found, each with its words in their surroundings. */
export function writeHits(
  hits: readonly (SearchHit & { title?: string })[],
  { query, shorten }: { query: string; shorten: ShortenId },
): SafeHtml {
  const rows = hits.map(
    ({ conversation, title = shorten(conversation), seq, type, at, excerpt }) =>
      markup`<li><a href="${encodeHtml(addressOf(conversation, seq))}">${pageLine(title)} #${seq}</a> <span class="tb-facts">${pageLine(type.replaceAll('_', ' '))} · <time datetime="${encodeHtml(at)}">${encodeHtml(describeMinute(at))}</time> UTC</span><p>${pageLine(excerpt)}</p></li>`,
  )
  const count = hits.length === 1 ? markup`1 event` : markup`${hits.length} events`
  return markup`<div class="tb-page"><h1>Search</h1><p role="status">${count} with ${pageLine(query)}</p><ul class="tb-list">${rows}</ul></div>`
}
