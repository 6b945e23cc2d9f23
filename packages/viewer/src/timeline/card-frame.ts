import type { DeliveryEvent } from '@toolblocks/conversation-store'
import type { SafeHtml, ToolResult } from '@toolblocks/protocol'
import { encodeHtml, type HtmlOptions, markup } from '@toolblocks/renderer/html'
import { type Card, type CardEvent, getCardEvents } from '../reading/read-cards.ts'

/** How cards are written. */
export interface CardOptions extends HtmlOptions {
  /** The address of an event; without it, its place in the page. */
  getAddress?: (seq: number) => string
  /** The address of a page with one event, of which nothing is cut. Default: there is none. */
  getWholeAddress?: (seq: number) => string
  /** The number of the rewind that has undone an event. Default: nothing is undone. */
  undoneBy?: (seq: number) => number | undefined
  /** What a model received of a result, or would where no delivery says what it did. Default: nothing is said of it. */
  forModel?: (result: ToolResult, delivery: DeliveryEvent | undefined) => string
  /** Of a result of which no delivery says what the model received: nothing (default), or what it would. */
  undelivered?: 'omit' | 'expect'
  /** A conversation that was led for a call, written. Default: only its id is named. */
  writeLed?: (conversationId: string) => SafeHtml | undefined
  /** How deep the cards stand in those of other conversations; there they have no place of their own in the page. Default: 0. */
  depth?: number
  /** Whether an event has its place within this part of the page. Default: every one has. */
  isHere?: (seq: number) => boolean
}

/** What a reader of the conversation can do without: one line, and all of it behind a click. */
export function quiet(card: Card, options: CardOptions, label: SafeHtml, body: SafeHtml): SafeHtml {
  const [first] = getCardEvents(card)
  const meta = first ? renderMeta(first, options) : markup``
  return frame(card, options, { kind: markup`tb-quiet`, inner: fold(label, body, meta) })
}

export function fold(label: SafeHtml, body: SafeHtml, meta: SafeHtml): SafeHtml {
  return markup`<details><summary><span class="tb-line-of">${label}</span></summary><div class="tb-body">${body}${meta}</div></details>`
}

/** Where and when an event is, and what else is known of it. */
export function renderMeta(
  { seq, at, scrubbedAt, synthetic }: CardEvent,
  { getAddress, depth = 0 }: CardOptions,
  known: SafeHtml = markup``,
): SafeHtml {
  const scrubbed =
    scrubbedAt === undefined
      ? markup``
      : markup`<span class="tb-mark">scrubbed ${minute(scrubbedAt)}</span> `
  const address = encodeHtml(getAddress?.(seq) ?? `#e${seq}`)
  const place =
    synthetic || depth > 0 ? markup`` : markup` <a class="tb-seq" href="${address}">#${seq}</a>`
  return markup`<p class="tb-meta">${known}${scrubbed}<time datetime="${encodeHtml(at)}" title="${minute(at)} UTC">${clock(at)}</time>${place}</p>`
}

/** What stands in the place of a card. */
interface Framed {
  kind: SafeHtml
  inner: SafeHtml
}

/** The place of a card in the page, and those of the events in it. */
export function frame(card: Card, options: CardOptions, { kind, inner }: Framed): SafeHtml {
  const { depth = 0, undoneBy, isHere = () => true } = options
  const events = getCardEvents(card).filter(({ synthetic }) => !synthetic)
  const [first, ...others] = events
  const rewind = first && undoneBy?.(first.seq)
  const undone =
    rewind === undefined
      ? markup``
      : markup`<p class="tb-mark-line"><span class="tb-mark">undone by #${rewind}</span></p>`
  const state = rewind === undefined ? markup`` : markup` tb-undone`
  if (depth > 0 || !first)
    return markup`<article class="tb-inner ${kind}${state}">${undone}${inner}</article>`
  const places = others
    .filter(({ seq }) => isHere(seq))
    .map(({ seq }) => markup`<span id="e${seq}" class="tb-place"></span>`)
  return markup`<article id="e${first.seq}" class="tb-event ${kind}${state}" tabindex="-1">${places}${undone}${inner}</article>`
}

/** A time in UTC, to the minute. */
function minute(at: string): SafeHtml {
  return encodeHtml(at.slice(0, 16).replace('T', ' '))
}

function clock(at: string): SafeHtml {
  return encodeHtml(at.slice(11, 16))
}
