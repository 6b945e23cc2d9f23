import type { SafeHtml, ToolResult } from '@toolblocks/protocol'
import {
  encodeHtml,
  markup,
  type HtmlOptions,
  joinHtml,
  pageLine,
  renderHtml,
  renderHtmlArguments,
  renderHtmlBlocks,
} from '@toolblocks/renderer/html'
import type { DeliveryEvent, StoredEvent } from '@toolblocks/conversation-store'
import { describeEvent, type EventPart } from '../../conversations/show/describe-event.ts'
import { saidByModel } from '../../conversations/show/shown-results.ts'
import { tokensInWords, tokensOf } from '../../model/tokens.ts'
import { charactersOf } from './survey-conversation.ts'
import { writeDelivery, writeExpected } from './write-delivery.ts'

/** An event of a timeline, with what stands elsewhere in it. */
export interface TimelineEvent {
  seq: number
  at: string
  event: StoredEvent['event']
  scrubbedAt?: string
  /** Made here, because a call has no result. */
  synthetic?: true
  /** Of a result: the tool that was called. */
  tool?: string
  /** Of a result: what the model was given of it. */
  delivery?: DeliveryEvent
}

/** How events are written. */
export interface EventOptions extends HtmlOptions {
  /** The address of an event; without it, its place in the page. */
  addressOf?: (seq: number) => string
  /** The number of the rewind that has undone an event. Default: nothing is undone. */
  undoneBy?: (seq: number) => number | undefined
  /** What a model received of a result, or would where no delivery says what it did. Default: only what a delivery says is known. */
  forModel?: (result: ToolResult, delivery: DeliveryEvent | undefined) => string
  /** A conversation that was led for a call, written. Default: only its id is named. */
  writeLed?: (conversationId: string) => SafeHtml | undefined
  /** How deep the events stand in those of other conversations; there they have no place of their own in the page. Default: 0. */
  depth?: number
}

/** Writes an event: its number, what it is and when, and below it what it says. */
export function writeEvent(entry: TimelineEvent, options: EventOptions): SafeHtml {
  const { seq, at, event, scrubbedAt, synthetic, tool } = entry
  const { title, name = tool, facts, parts } = describeEvent(event)
  const isError = event.type === 'tool_result' && event.result.isError
  const address = options.addressOf?.(seq) ?? `#e${seq}`
  const place = synthetic
    ? markup`<span class="tb-seq">–</span>`
    : markup`<a class="tb-seq" href="${encodeHtml(address)}">#${seq}</a>`
  const called = name === undefined ? markup`` : markup` <strong>${pageLine(name)}</strong>`
  const known = facts.map((fact) => markup` <span class="tb-facts">${pageLine(fact)}</span>`)
  const characters = charactersOf(event)
  const tokens =
    characters === undefined
      ? markup``
      : markup` <span class="tb-facts">about ${encodeHtml(tokensInWords(tokensOf(characters)))}</span>`
  const rewind = synthetic ? undefined : options.undoneBy?.(seq)
  const undone =
    rewind === undefined ? markup`` : markup` <span class="tb-mark">undone by #${rewind}</span>`
  const scrubbed =
    scrubbedAt === undefined
      ? markup``
      : markup` <span class="tb-mark">scrubbed ${minute(scrubbedAt)}</span>`
  const head = markup`<header>${place} <span class="tb-title">${pageLine(title)}</span>${called}${known}${tokens}${undone}${scrubbed}<time datetime="${encodeHtml(at)}">${minute(at)}</time></header>`
  const body = joinHtml(parts.map((part) => writePart(part, event, options)))
  const received = writeReceived(entry, options)
  const led = event.type === 'tool_result' ? event.result.metadata?.conversationId : undefined
  const nested = (led !== undefined && options.writeLed?.(led)) || markup``
  const { depth = 0 } = options
  const inner =
    received === undefined ? body : markup`<div class="tb-both"><div>${body}</div>${received}</div>`
  const own = synthetic || depth > 0 ? markup`` : markup` id="e${seq}"`
  const kind = depth > 0 ? markup`tb-inner` : markup`tb-event`
  const failed = isError ? markup` tb-error` : markup``
  const state = rewind === undefined ? failed : markup`${failed} tb-undone`
  return markup`<article${own} class="${kind} tb-is-${encodeHtml(event.type)}${state}" tabindex="-1">${head}${inner}${nested}</article>`
}

/** What the model received of a result, or would. */
function writeReceived(
  { event, delivery, synthetic }: TimelineEvent,
  { forModel }: EventOptions,
): SafeHtml | undefined {
  if (event.type !== 'tool_result' || !forModel) return delivery && writeDelivery(delivery)
  if (delivery?.text !== undefined)
    return writeDelivery({ ...delivery, text: forModel(event.result, delivery) })
  if (delivery) return writeDelivery(delivery)
  return synthetic ? undefined : writeExpected(forModel(event.result, undefined))
}

function writePart(
  part: EventPart,
  event: TimelineEvent['event'],
  options: EventOptions,
): SafeHtml {
  switch (part.kind) {
    case 'blocks':
      return event.type === 'assistant_message'
        ? joinHtml(saidByModel(part.content).map((said) => renderHtml(said, options)))
        : renderHtmlBlocks(part.content, options)
    case 'result':
      return renderHtml(part.result, { stderr: 'show', ...options })
    case 'values':
      return renderHtmlArguments(part.values)
  }
}

/** A time in UTC, to the minute. */
function minute(at: string): SafeHtml {
  return encodeHtml(at.slice(0, 16).replace('T', ' '))
}
