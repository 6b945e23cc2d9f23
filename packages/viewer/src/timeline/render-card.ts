import type { SafeHtml, ToolResult } from '@toolblocks/protocol'
import {
  encodeHtml,
  joinHtml,
  markup,
  encodePageLine,
  encodePageText,
  renderHtmlBlocks,
} from '@toolblocks/renderer/internal/html'
import { renderHtml } from '@toolblocks/renderer/html'
import {
  describeStandaloneNote,
  describeProgramMessage,
  describeRecords,
  getRecord,
  getSpeaker,
} from '../reading/describe-note.ts'
import { type Card, toModelResults } from '../reading/read-cards.ts'
import { describeUsage, describeUsageShortly } from '../reading/usage.ts'
import { type CardOptions, fold, frame, renderMeta, quiet } from './card-frame.ts'
import { renderCallCard, renderDelivery, renderResultBody, renderValues } from './render-call.ts'

/** What came before a card, so that nothing is repeated. */
export interface Before {
  /** The last speaker. */
  speaker?: 'person' | 'model' | 'agent' | 'none'
  /** The last named model. */
  model?: string
}

/** Returns what comes before the next card. */
export function followedBy(before: Before, card: Card): Before {
  switch (card.kind) {
    case 'person':
      return { ...before, speaker: 'person' }
    case 'model': {
      const { model = before.model } = card.message.event
      const speaker = getSpeaker(card.message.event) === 'Agent' ? 'agent' : 'model'
      return { speaker, ...(model !== undefined && { model }) }
    }
    case 'call':
    case 'result':
      return { ...before, speaker: 'model' }
    case 'turn':
      return { ...before, speaker: 'none' }
    case 'program':
    case 'records':
    case 'note':
    case 'delivery':
      return before
  }
}

/** Renders a card. */
export function renderCard(card: Card, options: CardOptions, before: Before): SafeHtml {
  switch (card.kind) {
    case 'person': {
      const body = renderHtmlBlocks(card.message.event.content, options)
      const inner = markup`${renderMeta(card.message, options)}<p class="tb-who">Person</p>${body}`
      return frame(card, options, { kind: markup`tb-person`, inner })
    }
    case 'model':
      return renderModel(card, options, before)
    case 'call':
      return frame(card, options, { kind: markup`tb-call`, inner: renderCallCard(card, options) })
    case 'result': {
      const { result, delivery } = card
      const name = markup`<span class="tb-tool">Result</span> <span class="tb-facts">of ${encodePageLine(result.event.result.id ?? 'a call')}, which is not here</span>`
      const body = markup`${renderHtml(result.event.result, options)}${renderResultBody(result, delivery, options)}`
      return frame(card, options, {
        kind: markup`tb-call`,
        inner: fold(name, body, renderMeta(result, options)),
      })
    }
    case 'program': {
      const { message } = card
      const label = encodePageLine(describeProgramMessage(message.event))
      const body = renderHtmlBlocks(message.event.content, options)
      return quiet(card, options, label, body)
    }
    case 'records': {
      const events = card.records.map(({ event }) => event)
      const body = joinHtml(events.map((event) => renderHtml(getTree(getRecord(event)), options)))
      return quiet(card, options, encodePageLine(describeRecords(events)), body)
    }
    case 'turn': {
      const inner = markup`<span>Turn ${card.start.event.turn}</span>`
      return frame(card, options, { kind: markup`tb-turn`, inner })
    }
    case 'note':
      return renderNote(card, options)
    case 'delivery':
      return options.forModel
        ? quiet(card, options, markup`given to the model`, renderDelivery(card.delivery.event))
        : frame(card, options, { kind: markup`tb-nothing`, inner: markup`` })
  }
}

function renderModel(
  card: Extract<Card, { kind: 'model' }>,
  options: CardOptions,
  before: Before,
): SafeHtml {
  const { message } = card
  const { content, reasoning = '', data, model, usage } = message.event
  const speaker = getSpeaker(message.event)
  const isNew = before.speaker !== (speaker === 'Agent' ? 'agent' : 'model')
  const named =
    model === undefined || model === before.model
      ? markup``
      : markup` <span class="tb-facts">${encodePageLine(model)}</span>`
  const who =
    isNew || named !== '' ? markup`<p class="tb-who">${encodeHtml(speaker)}${named}</p>` : markup``
  const thought = reasoning.trim() === '' ? markup`` : renderThought(reasoning, options)
  const contentHtml = joinHtml(toModelResults(content).map((each) => renderHtml(each, options)))
  const values = data === undefined ? markup`` : renderHtml(getTree(data), options)
  const took = usage && describeUsageShortly(usage)
  const tokens =
    took === undefined || took === ''
      ? markup``
      : markup`<span class="tb-took" title="${encodeHtml(describeUsage(usage ?? {}))}">${encodeHtml(took)}</span> `
  const inner = markup`${renderMeta(message, options, tokens)}${who}${thought}${contentHtml}${values}`
  return frame(card, options, { kind: markup`tb-said`, inner })
}

/** Maximum characters of reasoning in its folded line. */
const GLIMPSE = 90
/** Marks of code, of strong text, and at the beginning of a heading or an item. */
const MARKDOWN_MARKS = /`+|\*\*|^[#*]+ /gm

function renderThought(reasoning: string, options: CardOptions): SafeHtml {
  const line = reasoning
    .slice(0, GLIMPSE * 4)
    .replaceAll(MARKDOWN_MARKS, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const glimpse = line.length > GLIMPSE ? `${line.slice(0, GLIMPSE).toWellFormed()}…` : line
  const body = toModelResults([{ type: 'text', text: reasoning }]).map((each) =>
    renderHtml(each, options),
  )
  return markup`<details class="tb-thought"><summary>Thought <span class="tb-facts">${encodePageLine(glimpse)}</span></summary>${body}</details>`
}

function renderNote(card: Extract<Card, { kind: 'note' }>, options: CardOptions): SafeHtml {
  const { title, facts, text, values } = describeStandaloneNote(card.note.event)
  const label = [title, ...facts].join(' ')
  const keys = Object.keys(values)
  const more =
    keys.length === 0 ? '' : `: ${keys.slice(0, 6).join(', ')}${keys.length > 6 ? ', …' : ''}`
  const body = [
    ...(text === '' ? [] : [renderHtmlBlocks([{ type: 'text', text }], options)]),
    ...(keys.length === 0 ? [] : [renderValues(values, options)]),
  ]
  return quiet(card, options, encodePageLine(label + more), joinHtml(body))
}

/** Returns JSON data as a tree. */
function getTree(data: unknown): ToolResult {
  const display = { preferredView: 'tree' } as const
  return { content: [], isError: false, structuredContent: { kind: 'structured', data, display } }
}

/** Renders an unreadable event. */
export function renderDamaged(seq: number, message: string): SafeHtml {
  return markup`<article id="e${seq}" class="tb-event tb-damaged" tabindex="-1"><p class="tb-warning">#${seq} cannot be read: ${encodePageText(message)}</p></article>`
}
