import type {
  ConversationDescription,
  ConversationSummary,
  SearchHit,
} from '@toolblocks/conversation-store'
import type { SafeHtml, ToolResult } from '@toolblocks/protocol'
import { MAX_SEARCH_TEXT_LENGTH, MAX_SEARCHED_LENGTH } from '@toolblocks/protocol/internal'
import { encodeHtml, joinHtml, markup, encodePageLine } from '@toolblocks/renderer/internal/html'
import { type HtmlOptions, renderHtml } from '@toolblocks/renderer/html'
import { findWords, splitAtWords } from '../reading/split-at-words.ts'
import type { ShortenId } from '../reading/short-ids.ts'
import type { OpenQuestions } from '../reading/watch-questions.ts'
import { describeFacts, formatMinute, formatTimeSpan } from '../reading/describe-facts.ts'
import type { OutlineTurn } from '../timeline/conversation-statistics.ts'
import { CHUNK } from '../timeline/render-chunk.ts'

/** A chunk of a conversation and its context. */
interface ConversationPage {
  id: string
  /** The short id. */
  short: string
  about: ConversationDescription & { first: string; last: string }
  /** The folder of the workspace, which is not shown. */
  root: string
  /** The number of the last event. */
  last: number
  from: number
  to: number
  /** The totals. `begun`: of the events read until now; a script requests the rest. */
  totals: { text: string; extent: 'whole' | 'begun' }
  /** The turns known until now. */
  turns: readonly OutlineTurn[]
  /** The number of rewinds when the chunk was rendered; 0 if not all events were read. */
  rewinds: number
  /** Whether something else than the file adds events. */
  growth: 'live' | 'files'
  /** The state of the files. Absent: the conversation does not come from files. */
  sources?: SafeHtml
  /** Whether the deliveries to the model are shown too. */
  view: 'person' | 'model'
  /** Whether deliveries to the model are known. */
  deliveries: 'known' | 'unknown'
  /** The rendered events of the chunk. */
  chunk: SafeHtml
}

/** Renders one chunk of a conversation with links to the others. A script shows all of it as one long page. */
export function renderConversation(page: ConversationPage): SafeHtml {
  const { id, last, from, to, totals, turns, rewinds, view, chunk } = page
  const query = encodeHtml(getQuery(id, view).toString())
  const earlier =
    from > 1
      ? markup`<a rel="prev" href="${encodeHtml(getPageAddress(id, from - 1, view))}">Earlier</a> `
      : markup``
  const later =
    to < last
      ? markup`<a rel="next" href="${encodeHtml(getPageAddress(id, to + 1, view))}">Later</a>`
      : markup``
  const timeline = markup`<tb-timeline data-query="${query}" data-last="${last}" data-size="${CHUNK}" data-statistics="${encodeHtml(totals.extent)}" data-rewinds="${encodeHtml(String(rewinds))}" data-follow="follow"><section class="tb-chunk" data-from="${from}">${chunk}</section></tb-timeline>`
  return markup`${renderIntro(page)}<div class="tb-reading"><div class="tb-places"><a href="${encodeHtml(getPageAddress(id, 1, view))}" data-seq="1">First</a><a href="${encodeHtml(getPageAddress(id, Math.max(1, last), view))}" data-seq="Infinity">Last</a><details class="tb-outline"><summary>Turns</summary><nav aria-label="Turns">${renderOutline(id, turns, view)}</nav></details></div><div class="tb-column">${timeline}<p class="tb-pages">${earlier}${later}</p></div></div>`
}

/** What a page says about new events: while it is told of them, and while it is not. */
const CONNECTION = {
  live: { on: markup`new events appear here`, off: markup`new events do not appear now` },
  files: { on: markup`imported file, follows it`, off: markup`imported file, not followed now` },
} as const

function renderIntro({
  id,
  short,
  about,
  root,
  last,
  totals,
  view,
  growth,
  sources = markup``,
  deliveries,
}: ConversationPage): SafeHtml {
  const facts = [
    ...renderFacts(describeFacts(about, root)),
    renderTimeSpan(about.first, about.last),
    ...renderFacts([short]),
  ]
  const { on, off } = CONNECTION[growth]
  const live = markup` · <span id="tb-live" role="status" data-on="${on}" data-off="${off}"></span>`
  const other = view === 'model' ? 'person' : 'model'
  const change =
    view === 'model' ? markup`Hide what the model received` : markup`What the model received`
  const way =
    deliveries === 'known'
      ? markup`<a href="${encodeHtml(`conversation?${getQuery(id, other).toString()}`)}">${change}</a>`
      : markup``
  const spent = totals.extent === 'whole' ? encodePageLine(totals.text) : markup`counting tokens…`
  return markup`<header class="tb-intro"><h1>${encodePageLine(about.title ?? id)}</h1><p class="tb-facts">${joinHtml(facts, markup` · `)} · <span class="tb-when"><span id="tb-count">${formatCount(last)}</span> events</span>${live}</p><p class="tb-facts" id="tb-totals">${spent}</p>${sources}<p class="tb-facts tb-ways">${way} <span class="tb-keys"><kbd>j</kbd> <kbd>k</kbd> next, previous · <kbd>o</kbd> open · <kbd>g</kbd> <kbd>G</kbd> first, last · <kbd>/</kbd> search</span></p></header>`
}

function renderFacts(facts: readonly string[]): readonly SafeHtml[] {
  return facts.map((fact) => markup`<span>${encodePageLine(fact)}</span>`)
}

/** Renders a time span that no line break divides: a browser breaks a line after the hyphens of a date. */
function renderTimeSpan(first: string, last: string): SafeHtml {
  return markup`<span class="tb-when">${encodePageLine(formatTimeSpan(first, last))}</span>`
}

function getQuery(id: string, view: 'person' | 'model'): URLSearchParams {
  return new URLSearchParams({ id, ...(view === 'model' && { 'model-view': '' }) })
}

/** Maximum number of listed turns; of more, only every n-th is listed. */
const MAX_COUNT = 400

/** Renders the turns of a conversation by their first words, each with a link. */
export function renderOutline(
  id: string,
  turns: readonly OutlineTurn[],
  view: 'person' | 'model',
): SafeHtml {
  const step = Math.ceil(turns.length / MAX_COUNT)
  const items = turns.flatMap(({ seq, opening, calls }, index) => {
    if (step > 1 && index % step !== 0) return []
    const name = opening === '' ? markup`Turn ${index + 1}` : encodePageLine(opening)
    const used =
      calls === 0
        ? markup``
        : markup` <span class="tb-facts">${calls === 1 ? markup`1 call` : markup`${calls} calls`}</span>`
    return [
      markup`<li value="${index + 1}"><a href="${encodeHtml(getPageAddress(id, seq, view))}" data-seq="${seq}">${name}</a>${used}</li>`,
    ]
  })
  const sampled =
    step > 1 ? markup`<p class="tb-facts">Every ${step}th of ${turns.length} turns</p>` : markup``
  return markup`${sampled}<ol>${items}</ol>`
}

/** Who reads the pages, if several people do. */
export interface PageAccount {
  name: string
  /** The address that signs out. */
  signOut: string
}

/** What the frame of all pages shows. */
export interface PageFrame {
  /** The questions that wait. Absent: the pages have none. */
  open?: OpenQuestions
  account?: PageAccount
}

/** Renders the frame of all pages: links and the search. `within`: the id of the only conversation that is searched. */
export function renderLayout(
  content: SafeHtml,
  {
    title,
    query = '',
    within,
    open,
    account,
  }: { title: string; query?: string; within?: string } & PageFrame,
): SafeHtml {
  const questions = open
    ? markup`<a href="questions">Questions<span id="tb-open">${open.count > 0 ? markup` (${open.count})` : markup``}</span></a><a href="use">Use</a>`
    : markup``
  const signedIn = account
    ? markup`<a class="tb-account" href="${encodeHtml(account.signOut)}">Sign out <span class="tb-facts">${encodePageLine(account.name)}</span></a>`
    : markup``
  const follows = open ? markup` data-open="${encodeHtml(open.revision)}"` : markup``
  const [searched, hidden] =
    within === undefined
      ? [markup`Search conversations`, markup``]
      : [
          markup`Search this conversation`,
          markup`<input type="hidden" name="in" value="${encodeHtml(within)}">`,
        ]
  return markup`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${encodePageLine(title)}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="page.css"><link rel="stylesheet" href="view.css"><script defer src="page.js"></script><script defer src="view.js"></script></head><body${follows}><a class="tb-skip" href="#main">Skip to content</a><nav class="tb-nav" aria-label="Pages"><span class="tb-links"><a href="./">Conversations</a>${questions}${signedIn}</span><form role="search" action="search"><input type="search" name="q" maxlength="${MAX_SEARCH_TEXT_LENGTH}" value="${encodeHtml(query)}" aria-label="${searched}" placeholder="Search  ( / )">${hidden}<button>Search</button></form></nav><main id="main" tabindex="-1">${content}</main></body></html>`
}

/** Renders the page for a client without the token. A script takes the token from the address. */
export function renderSignIn(): SafeHtml {
  return markup`<tb-sign-in><h1>Toolblocks</h1><p role="status">Open the address that <code>toolblocks view</code> printed: it contains the token that you need.</p></tb-sign-in>`
}

/** Returns the relative address of a conversation, or of one event in it. Ids are untrusted and encoded. */
export function getPageAddress(id: string, seq?: number, view?: 'person' | 'model'): string {
  const query = new URLSearchParams({
    id,
    ...(view === 'model' && { 'model-view': '' }),
    ...(seq !== undefined && { at: String(seq) }),
  })
  return `conversation?${query.toString()}${seq === undefined ? '' : `#e${seq}`}`
}

/** A conversation in a list. */
type DescribedSummary = ConversationSummary & ConversationDescription

/** The other data of a list page. */
interface ListPage {
  /** The name of the store. */
  name: string
  /** The cursor of the next page. */
  next: string | undefined
  shorten: ShortenId
  /** The folder of the workspace, which is not shown. */
  root: string
  /** The open questions. Absent: the pages have none. */
  waiting?: SafeHtml
  /** The state of the files. Absent: the conversations do not come from files. */
  sources?: SafeHtml
}

/** Renders the conversations of a store, the most recently written first. */
export function renderList(
  conversations: readonly DescribedSummary[],
  { name, next, shorten, root, waiting, sources = markup`` }: ListPage,
): SafeHtml {
  const rows = conversations.map((one) => renderListed(one, shorten(one.id), root))
  const more =
    next === undefined
      ? markup``
      : markup`<p><a rel="next" href="./?${encodeHtml(new URLSearchParams({ cursor: next }).toString())}">Earlier conversations</a></p>`
  const none =
    rows.length === 0 ? markup`<p class="tb-left">There are no conversations yet.</p>` : markup``
  const questions =
    waiting === undefined ? markup`` : markup`<section data-part="waiting">${waiting}</section>`
  return markup`<div class="tb-page"><h1>Conversations</h1><p class="tb-facts">${encodePageLine(name)}</p>${sources}${questions}${none}<ul class="tb-list">${rows}</ul>${more}<p class="tb-facts"><a href="gallery">Every kind of result</a>, and how it is shown</p></div>`
}

function renderListed(one: DescribedSummary, short: string, root: string): SafeHtml {
  const { id, title = short, events, createdAt, updatedAt } = one
  const facts = [
    ...renderFacts(describeFacts(one, root)),
    renderTimeSpan(createdAt, updatedAt),
    ...renderFacts([
      events === 1 ? '1 event' : `${events.toLocaleString('en')} events`,
      ...(title === short ? [] : [short]),
    ]),
  ]
  return markup`<li><a href="${encodeHtml(getPageAddress(id))}">${encodePageLine(title)}</a><p class="tb-facts">${joinHtml(facts, markup` · `)}</p></li>`
}

/** Renders search hits, each with its surrounding text. */
export function renderHits(
  hits: readonly (SearchHit & { title?: string })[],
  { query, within, shorten }: { query: string; within?: string; shorten: ShortenId },
): SafeHtml {
  const terms = findWords(query)
  const rows = hits.map(
    ({ conversation, title = shorten(conversation), seq, type, at, excerpt }) =>
      markup`<li><a href="${encodeHtml(getHitAddress(conversation, seq, query))}">${encodePageLine(title)} #${seq}</a><p class="tb-facts">${encodePageLine(type.replaceAll('_', ' '))} · <time class="tb-when" datetime="${encodeHtml(at)}">${encodeHtml(formatMinute(at))} UTC</time></p><p>${splitAtWords(excerpt, terms).map(({ text, isWord }) => (isWord ? markup`<mark>${encodePageLine(text)}</mark>` : encodePageLine(text)))}</p></li>`,
  )
  const everywhere = new URLSearchParams({ q: query }).toString()
  const where =
    within === undefined
      ? markup``
      : markup` in <a href="${encodeHtml(getPageAddress(within))}">${encodePageLine(hits[0]?.title ?? shorten(within))}</a> · <a href="search?${encodeHtml(everywhere)}">Search all conversations</a>`
  const count = hits.length === 1 ? markup`1 event` : markup`${hits.length} events`
  const covered = markup`<p class="tb-facts">Of each event, the first ${formatCount(MAX_SEARCHED_LENGTH)} characters are searched.</p>`
  return markup`<div class="tb-page"><h1>Search</h1><p role="status">${count} with ${encodePageLine(query)}${where}</p>${covered}<ul class="tb-list">${rows}</ul></div>`
}

/** Renders why a search text was not searched for: it has too many characters. */
export function renderTooLong(query: string): SafeHtml {
  return markup`<div class="tb-page"><h1>Search</h1><p role="status">A search text can have at most ${MAX_SEARCH_TEXT_LENGTH} characters, and this one has ${formatCount(query.length)}. Search for fewer words.</p></div>`
}

function formatCount(count: number): SafeHtml {
  return encodeHtml(count.toLocaleString('en'))
}

/** Returns the address of an event, with the words that are marked in it. */
function getHitAddress(id: string, seq: number, query: string): string {
  const [path, fragment] = getPageAddress(id, seq).split('#')
  return `${path}&${new URLSearchParams({ q: query }).toString()}#${fragment}`
}

/** A result to show, with its description. */
export interface GalleryItem {
  title: string
  result: ToolResult
}

/** Renders results below each other, each under its title. */
export function renderPieces(pieces: readonly GalleryItem[], options: HtmlOptions): SafeHtml {
  const sections = pieces.map(
    ({ title, result }) =>
      markup`<section><h2>${encodePageLine(title)}</h2>${renderHtml(result, options)}</section>`,
  )
  return markup`<h1>Gallery</h1>${sections}`
}
