import type { DeliveryEvent } from '@toolblocks/conversation-store'
import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import type { SafeHtml, ToolResult } from '@toolblocks/protocol'
import { encodeHtml, markup } from '@toolblocks/renderer/internal/html'
import { type HtmlOptions } from '@toolblocks/renderer/html'
import { type Card, type CardEvent, getCardEvents } from '../reading/read-cards.ts'

/** Options for rendering cards. */
export interface CardOptions extends HtmlOptions {
  /** Returns the address of an event. Default: its place in the page. */
  getAddress?: (seq: number) => string
  /** Returns the address of a page with one complete event. Default: no such page. */
  getWholeAddress?: (seq: number) => string
  /** Returns the number of the rewind that undid an event. Default: no event is undone. */
  undoneBy?: (seq: number) => number | undefined
  /** Returns what a model received of a result, or would receive if there is no delivery. Default: not shown. */
  forModel?: (result: ToolResult, delivery: DeliveryEvent | undefined) => string
  /** What is shown for a result without a delivery: nothing (default), or what a model would receive. */
  undelivered?: 'omit' | 'expect'
  /** Renders the conversation of a call's agent. Default: only its id is shown. */
  writeLed?: (conversationId: string) => SafeHtml | undefined
  /** The nesting depth of cards in cards of other conversations; nested ones have no anchor in the page. Default: 0. */
  depth?: number
  /** The questions that the store keeps for people, also settled ones. Default: none are known. */
  pending?: readonly PendingQuestion[]
  /** Returns the address of the page of such a question. Default: no such page. */
  getQuestionAddress?: (id: string) => string
  /** Whether that page takes an answer. Default: `elsewhere`; the card says the command that answers. */
  answered?: 'here' | 'elsewhere'
  /** Describes the name of a host, as in "answered by". Default: the name. */
  describeHost?: (host: string) => string
  /** Whether an event has its anchor in this part of the page. Default: every event. */
  isHere?: (seq: number) => boolean
}

/** Renders a secondary card: one line that opens on a click. */
export function quiet(card: Card, options: CardOptions, label: SafeHtml, body: SafeHtml): SafeHtml {
  const [first] = getCardEvents(card)
  const meta = first ? renderMeta(first, options) : markup``
  return frame(card, options, { kind: markup`tb-quiet`, inner: fold(label, body, meta) })
}

export function fold(label: SafeHtml, body: SafeHtml, meta: SafeHtml): SafeHtml {
  return markup`<details><summary><span class="tb-line-of">${label}</span></summary><div class="tb-body">${body}${meta}</div></details>`
}

/** Renders the position and time of an event, and other facts. */
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
  const link =
    synthetic || depth > 0 ? markup`` : markup` <a class="tb-seq" href="${address}">#${seq}</a>`
  return markup`<p class="tb-meta">${known}${scrubbed}<time datetime="${encodeHtml(at)}" title="${minute(at)} UTC">${clock(at)}</time>${link}</p>`
}

/** The content of a card's place. */
interface Framed {
  kind: SafeHtml
  inner: SafeHtml
}

/** Renders the place of a card in the page, and the anchors of its events. */
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

/** Renders a time in UTC, to the minute. */
function minute(time: string): SafeHtml {
  return encodeHtml(time.slice(0, 16).replace('T', ' '))
}

function clock(time: string): SafeHtml {
  return encodeHtml(time.slice(11, 16))
}
