import {
  type ConversationStore,
  describeConversation,
  readEntries,
  type StoredEntry,
} from '@toolblocks/conversation-store'
import type { SafeHtml } from '@toolblocks/protocol'
import { encodeHtml, joinHtml, markup, encodePageLine } from '@toolblocks/renderer/internal/html'
import { renderHtml } from '@toolblocks/renderer/html'
import {
  countNames,
  describeNote,
  describeProgramMessage,
  typeOfRecord,
} from '../reading/describe-note.ts'
import { type Card, getCardEvents, readCards } from '../reading/read-cards.ts'
import { describeUndone } from '../reading/place-undone.ts'
import type { CardOptions } from './card-frame.ts'
import { type Before, followedBy, renderCard, renderDamaged } from './render-card.ts'

/** Number of events that are requested and rendered together. */
export const CHUNK = 100

/** Returns the chunk of an event: the numbers of its first and last event. */
export function getChunk(seq: number): { from: number; to: number } {
  const from = Math.floor((seq - 1) / CHUNK) * CHUNK + 1
  return { from, to: from + CHUNK - 1 }
}

/**
 * Renders events as cards. A card is in the chunk of its first event; other chunks have anchors that lead to it. A damaged event is in its place,
 * with the problem.
 */
export function renderChunk({ before, events, behind }: EventSpan, options: CardOptions): SafeHtml {
  const all = [...before, ...events, ...behind]
  const seqs = new Set(events.map(({ seq }) => seq))
  const isHere = (seq: number): boolean => seqs.has(seq)
  const cards = readCards(
    all.filter((kept) => 'event' in kept),
    options.pending,
  )
    .flatMap((card) => withoutFarRecords(card, isHere))
    .map((card) => ({ card, first: Math.min(...getCardEvents(card).map(({ seq }) => seq)) }))
  let known: Before = {}
  const written: WrittenCard[] = []
  for (const { card, first } of cards.toSorted((one, other) => one.first - other.first)) {
    if (isHere(first)) {
      const html = renderCard(card, { ...options, isHere }, known)
      const isUndone = options.undoneBy?.(first) !== undefined
      written.push({ seq: first, card, html, isUndone })
    } else
      for (const { seq } of getCardEvents(card))
        if (isHere(seq)) written.push({ seq, html: renderPlace(seq, first) })
    known = followedBy(known, card)
  }
  for (const kept of events)
    if ('problem' in kept)
      written.push({ seq: kept.seq, html: renderDamaged(kept.seq, kept.problem.message) })
  return joinHtml([...foldQuiet(written.toSorted((one, other) => one.seq - other.seq))])
}

/** A rendered card, or the anchor of an event. */
interface WrittenCard {
  seq: number
  card?: Card
  html: SafeHtml
  /** Whether a rewind has undone it. */
  isUndone?: boolean
}

/** This number of consecutive secondary cards, or more, folds to one line. */
const MANY = 3

/** Joins cards. Many secondary cards fold to one line, and so do cards that were taken back, with the rewinds behind them. */
export function* foldQuiet(written: Iterable<Omit<WrittenCard, 'seq'>>): Generator<SafeHtml> {
  let quiet: { html: SafeHtml; names: readonly string[] }[] = []
  let undone: Omit<WrittenCard, 'seq'>[] = []
  for (const one of written) {
    const { card, html, isUndone = false } = one
    if (isUndone || (undone.length > 0 && card && isRewind(card))) {
      yield* renderQuiet(quiet)
      quiet = []
      undone.push(one)
      continue
    }
    yield* renderUndone(undone)
    undone = []
    const names = card && namesOfQuiet(card)
    if (names) quiet.push({ html, names })
    else {
      yield* renderQuiet(quiet)
      quiet = []
      yield html
    }
  }
  yield* renderQuiet(quiet)
  yield* renderUndone(undone)
}

function isRewind(card: Card): boolean {
  return card.kind === 'note' && card.note.event.type === 'rewind'
}

function* renderUndone(undone: readonly Omit<WrittenCard, 'seq'>[]): Generator<SafeHtml> {
  if (undone.length === 0) return
  const events = undone.flatMap(({ card, isUndone }) =>
    card && isUndone === true ? getCardEvents(card) : [],
  )
  yield renderFold(
    describeUndone(events),
    undone.map(({ html }) => html),
  )
}

function* renderQuiet(
  quiet: readonly { html: SafeHtml; names: readonly string[] }[],
): Generator<SafeHtml> {
  const inner = quiet.map(({ html }) => html)
  if (quiet.length < MANY) return yield* inner
  yield renderFold(countNames(quiet.flatMap(({ names }) => names)), inner)
}

/** Renders cards that are shown only when a person opens them. */
function renderFold(label: string, inner: readonly SafeHtml[]): SafeHtml {
  return markup`<details class="tb-many"><summary><span class="tb-line-of">${encodePageLine(label)}</span></summary>${inner}</details>`
}

/** Returns the names of a secondary card; empty for other cards. */
function namesOfQuiet(card: Card): readonly string[] | undefined {
  switch (card.kind) {
    case 'program':
      return [describeProgramMessage(card.message.event)]
    case 'records':
      return card.records.map(({ event }) => typeOfRecord(event))
    case 'note':
      return card.note.event.type === 'configuration'
        ? [describeNote(card.note.event).title]
        : undefined
    case 'person':
    case 'model':
    case 'call':
    case 'result':
    case 'turn':
    case 'delivery':
      return undefined
  }
}

/** Splits a card of consecutive records, so that each chunk has its own. */
function withoutFarRecords(card: Card, isHere: (seq: number) => boolean): readonly Card[] {
  if (card.kind !== 'records') return [card]
  const records = card.records.filter(({ seq }) => isHere(seq))
  return records.length === 0 ? [] : [{ kind: 'records', records }]
}

/** Renders the anchor of an event whose card is in another chunk. */
function renderPlace(seq: number, card: number): SafeHtml {
  return markup`<span id="e${seq}" class="tb-place" data-card="${card}"></span>`
}

/** Renders one event completely: the arguments of a call, the content of a result. */
export function renderWholeEvent({ events }: EventSpan, options: CardOptions): SafeHtml {
  const written = events.map((kept) => {
    if ('problem' in kept) return renderDamaged(kept.seq, kept.problem.message)
    if (kept.event.type !== 'tool_result')
      return joinHtml(readCards([kept]).map((card) => renderCard(card, options, {})))
    return renderHtml(kept.event.result, { stderr: 'show', ...options })
  })
  return joinHtml(written)
}

/** Some events of a conversation with their neighbours, so that a call finds its result, and a result its call. */
interface EventSpan {
  before: readonly StoredEntry[]
  events: readonly StoredEntry[]
  behind: readonly StoredEntry[]
}

/** How many events before an event are searched for its call. */
const BEFORE = 300

/** How far behind an event is looked for what belongs to it: so far at least, and at most. */
const BEHIND = 100

const FARTHEST = 2000

/** Reads the events from one number to another, both inclusive. */
export async function readEvents(
  store: ConversationStore,
  id: string,
  { from, to }: { from: number; to: number },
): Promise<EventSpan> {
  const before: StoredEntry[] = []
  const events: StoredEntry[] = []
  const behind: StoredEntry[] = []
  let isSettled = false
  for await (const kept of readEntries(store, id, { after: Math.max(0, from - 1 - BEFORE) })) {
    if (kept.seq <= to) {
      if (kept.seq < from) before.push(kept)
      else events.push(kept)
      continue
    }
    if (kept.seq > to + (isSettled ? BEHIND : FARTHEST)) break
    behind.push(kept)
    // The model has spoken again: it had been given the results of before.
    isSettled ||= 'event' in kept && kept.event.type === 'assistant_message'
  }
  return { before, events, behind }
}

/** The number of the last event; 0 where there is none. */
export async function readLast(store: ConversationStore, id: string): Promise<number> {
  try {
    const { events, damaged } = await store.read(id, { before: Infinity, limit: 1 })
    return Math.max(0, ...[...events, ...damaged].map(({ seq }) => seq))
  } catch {
    // The end is damaged: what the list says is all that is known of it.
    const { conversations } = await store.list({ limit: Infinity })
    return conversations.find((summary) => summary.id === id)?.events ?? 0
  }
}

/** Conversations of agents are shown so deep in each other; deeper ones are links. */
const MAX_DEPTH = 3

/** Writes the conversations that were led for calls among some events, each closed, below the result that came of it. */
export async function renderLedConversations(
  store: ConversationStore,
  { events }: Pick<EventSpan, 'events'>,
  options: CardOptions & { addressOfConversation: (id: string) => string },
  depth = 1,
): Promise<NonNullable<CardOptions['writeLed']>> {
  const written = new Map<string, SafeHtml>()
  for (const kept of events) {
    if (!('event' in kept) || kept.event.type !== 'tool_result') continue
    const id = kept.event.result.metadata?.conversationId
    if (id === undefined || written.has(id)) continue
    const { title = id } = await describeConversation(store, id)
    const link = markup`<a href="${encodeHtml(options.addressOfConversation(id))}">${encodePageLine(title)}</a>`
    const span = await readEvents(store, id, { from: 1, to: CHUNK })
    if (span.events.length === 0)
      written.set(
        id,
        markup`<p class="tb-facts">The conversation ${encodePageLine(id)} is not here.</p>`,
      )
    else if (depth > MAX_DEPTH) written.set(id, markup`<p class="tb-facts">${link}</p>`)
    else {
      const writeLed = await renderLedConversations(store, span, options, depth + 1)
      const inner = renderChunk(span, { ...options, writeLed, depth })
      const more =
        span.behind.length > 0 ? markup`<p class="tb-facts">${link} continues</p>` : markup``
      written.set(
        id,
        markup`<details class="tb-led"><summary>The conversation of the agent</summary><p class="tb-facts">${link}</p>${inner}${more}</details>`,
      )
    }
  }
  return (id) => written.get(id)
}
