import type { DeliveryEvent } from '@toolblocks/conversation-store'
import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import { type Delivery, type JsonObject, type SafeHtml, getText } from '@toolblocks/protocol'
import {
  encodeHtml,
  joinHtml,
  markup,
  encodePageLine,
  encodePageText,
  renderHtmlArguments,
  renderHtmlBlocks,
} from '@toolblocks/renderer/internal/html'
import { renderHtml } from '@toolblocks/renderer/html'
import {
  type CallPart,
  type DescribedCall,
  describeCall,
  OUTCOME_SYMBOLS,
  toPartResult,
  TODO_MARKERS,
  type Todo,
} from '../reading/describe-call.ts'
import { formatMinute } from '../reading/describe-facts.ts'
import { describeNote } from '../reading/describe-note.ts'
import { describeSettlement } from '../reading/describe-pending.ts'
import type { CallCard, Card } from '../reading/read-cards.ts'
import { formatTokens, estimateTokens } from '../reading/usage.ts'
import { type CardOptions, renderMeta } from './card-frame.ts'

/** The text of the symbol before a tool's name, for screen readers. */
const OUTCOMES: Readonly<Record<DescribedCall['outcome'], string>> = {
  completed: 'done',
  failed: 'failed',
  denied: 'denied',
  cancelled: 'cancelled',
  timeout: 'timed out',
  unanswered: 'unanswered',
  waiting: 'waits',
  none: 'no result yet',
  unrecorded: 'no result recorded',
}

/** Renders a call as one line that opens on a click. */
export function renderCallCard(card: CallCard, options: CardOptions): SafeHtml {
  const { name, telling, outcome, summary, took, parts, rest } = describeCall(card, options.root)
  const tellingHtml =
    telling === undefined
      ? markup``
      : markup` <span class="tb-telling">${encodePageLine(telling)}</span>`
  const decided = card.steps.flatMap(({ event }) =>
    event.type === 'approval' && (event.by === 'user' || event.decision !== 'allowed')
      ? [`${event.decision} by a ${event.by === 'user' ? 'person' : 'rule'}`]
      : [],
  )
  const known = [summary, took, ...decided]
    .filter((fact) => fact !== undefined)
    .map((fact) => markup`<span class="tb-fact">${encodePageLine(fact)}</span>`)
  const line = markup`<span class="tb-outcome tb-is-${encodeHtml(outcome)}" role="img" aria-label="${encodeHtml(OUTCOMES[outcome])}">${encodeHtml(OUTCOME_SYMBOLS[outcome])}</span> <span class="tb-tool">${encodePageLine(name)}</span>${tellingHtml} <span class="tb-facts">${joinHtml(known, markup` · `)}</span>`
  const steps = [
    ...card.steps.map((step) => renderStep(step, name, options)),
    ...card.pending.map((question) => renderPending(question, options)),
  ]
  const callParts = parts.filter(({ kind }) => kind !== 'result')
  const answered = parts.filter(({ kind }) => kind === 'result')
  const write = (part: CallPart): SafeHtml => renderCallPart(part, options)
  const more = card.result ? renderWhole(card.result, options) : markup``
  const behind =
    rest.length === 0
      ? markup``
      : markup`<details class="tb-rest"><summary>Original arguments and answer</summary>${rest.map(write)}</details>`
  const result = card.result && renderResultBody(card.result, card.delivery, options)
  const body = markup`${callParts.map(write)}${steps}${answered.map(write)}${more}${behind}${result ?? markup``}${renderMeta(card.call, options)}`
  // Nobody should have to search for what waits, or open each call to read what the model received.
  const open = outcome === 'waiting' || options.forModel ? markup` open` : markup``
  return markup`<details${open}><summary><span class="tb-line-of">${line}</span></summary><div class="tb-body">${body}</div></details>`
}

/** Renders a question that the store keeps for people: what is asked, its id, its times, and how it ended. */
function renderPending(
  question: PendingQuestion,
  { getQuestionAddress, answered, describeHost = (host) => host }: CardOptions,
): SafeHtml {
  const { id, kind, state, expiresAt } = question
  const name =
    getQuestionAddress === undefined
      ? encodePageLine(id)
      : markup`<a href="${encodeHtml(getQuestionAddress(id))}">${encodePageLine(id)}</a>`
  if (state !== 'open')
    return markup`<p class="tb-facts">${name}: ${encodePageLine(describeSettlement(question, describeHost))}</p>`
  const title = kind === 'approval' ? markup`Waits for approval` : markup`Waits for an answer`
  const until =
    expiresAt === undefined
      ? markup``
      : markup`, expires ${encodeHtml(formatMinute(expiresAt))} UTC`
  const how =
    getQuestionAddress && answered === 'here'
      ? markup`<p><a class="tb-main" href="${encodeHtml(getQuestionAddress(id))}">${kind === 'approval' ? markup`Decide` : markup`Answer`}</a></p>`
      : markup`<p class="tb-facts">Answer with <code>toolblocks questions answer ${encodePageLine(id)}</code></p>`
  return markup`<div class="tb-step tb-waits"><p><strong>${title}</strong> <span class="tb-facts">${name}${until}</span></p>${how}</div>`
}

/** Maximum lines of one text in a page. */
const LINES = 400

/** Renders the link to the complete result if a part is omitted. */
function renderWhole(
  { seq, event: { result }, synthetic }: NonNullable<CallCard['result']>,
  { getWholeAddress, depth = 0 }: CardOptions,
): SafeHtml {
  const lines = result.content.map((block) => (getText(block) ?? '').split('\n').length)
  if (!getWholeAddress || synthetic || depth > 0 || Math.max(0, ...lines) <= LINES) return markup``
  return markup`<p><a href="${encodeHtml(getWholeAddress(seq))}">The complete result</a></p>`
}

/** Renders the other parts of a result: the conversation of an agent, and what a model received. */
export function renderResultBody(
  { event: { result }, synthetic }: NonNullable<CallCard['result']>,
  delivery: Extract<Card, { kind: 'call' }>['delivery'],
  options: CardOptions,
): SafeHtml {
  const led = result.metadata?.conversationId
  const nested = led === undefined ? undefined : (options.writeLed?.(led) ?? nameLed(led))
  const deliveryEvent = delivery?.event
  const received = deliveryEvent
    ? renderGiven(deliveryEvent, options, result)
    : options.forModel && options.undelivered === 'expect' && !synthetic
      ? renderExpected(options.forModel(result, undefined))
      : markup``
  return markup`${nested ?? markup``}${received}`
}

function nameLed(id: string): SafeHtml {
  return markup`<p class="tb-facts">conversation ${encodePageLine(id)}</p>`
}

function renderGiven(
  delivery: DeliveryEvent,
  { forModel }: CardOptions,
  result: NonNullable<CallCard['result']>['event']['result'],
): SafeHtml {
  if (!forModel) return markup``
  return delivery.text === undefined
    ? renderDelivery(delivery)
    : renderDelivery({ ...delivery, text: forModel(result, delivery) })
}

/** Renders a question, an answer or an approval; an approval names its tool. */
function renderStep(
  { event }: CallCard['steps'][number],
  tool: string,
  options: CardOptions,
): SafeHtml {
  const { title, facts, text, values } = describeNote(event)
  const about = event.type === 'approval' ? markup` to run ${encodePageLine(tool)}` : markup``
  const known = encodePageLine(facts.join(', '))
  const head = markup`<strong>${encodePageLine(title)}</strong>${about} <span class="tb-facts">${known}</span>`
  const textHtml = text === '' ? markup`` : renderHtmlBlocks([{ type: 'text', text }], options)
  const valuesHtml = Object.keys(values).length === 0 ? markup`` : renderValues(values, options)
  return markup`<div class="tb-step"><p>${head}</p>${textHtml}${valuesHtml}</div>`
}

function renderCallPart(part: CallPart, options: CardOptions): SafeHtml {
  if (part.kind === 'todos') return markup`<ul class="tb-todos">${part.todos.map(renderTodo)}</ul>`
  if (part.kind === 'arguments') return renderValues(part.values, options)
  const html = renderHtml(toPartResult(part), { stderr: 'show', ...options })
  // Lines without a known position in the file have no numbers.
  const isCounted = part.kind !== 'edit' || part.edit.lines === 'of-file'
  return isCounted ? html : markup`<div class="tb-uncounted">${html}</div>`
}

const STATES: Readonly<Record<Todo['state'], string>> = {
  open: 'open',
  doing: 'in progress',
  done: 'done',
}

function renderTodo({ text, state }: Todo): SafeHtml {
  return markup`<li class="tb-todo-${encodeHtml(state)}"><span role="img" aria-label="${encodeHtml(STATES[state])}">${encodeHtml(TODO_MARKERS[state])}</span> ${encodePageLine(text)}</li>`
}

/** Maximum characters of values that are shown directly. Larger ones become a foldable tree. */
const MAX_COUNT = 20_000

/** Renders values by name. */
export function renderValues(values: JsonObject, options: CardOptions): SafeHtml {
  if (JSON.stringify(values).length <= MAX_COUNT) return renderHtmlArguments(values)
  const display = { preferredView: 'tree' } as const
  const structuredContent = { kind: 'structured', data: values, display }
  return renderHtml({ content: [], isError: false, structuredContent }, options)
}

/** Renders what a model received of a result: its size, what was omitted because the model had it already or for lack of room, and the text. */
export function renderDelivery({ text, wholeLength, deliveries }: DeliveryEvent): SafeHtml {
  const marks = deliveries.filter(({ form }) => form !== 'full').map(renderMark)
  const list = marks.length === 0 ? markup`` : markup`<ul class="tb-marks">${joinHtml(marks)}</ul>`
  if (text === undefined) return markup`<aside class="tb-model">${list}</aside>`
  const tokens = estimateTokens(text.length)
  const saved = estimateTokens(wholeLength ?? text.length) - tokens
  const less = saved > 0 ? markup`, ${encodeHtml(saved.toLocaleString('en'))} saved` : markup``
  return renderText(
    {
      heading: markup`What the model received`,
      facts: markup`about ${count(tokens)}${less}`,
    },
    list,
    text,
  )
}

/** Renders what a model would receive of a result without a delivery. */
function renderExpected(text: string): SafeHtml {
  const facts = markup`what it received is not recorded · about ${count(estimateTokens(text.length))}`
  return renderText({ heading: markup`What a model would receive`, facts }, markup``, text)
}

function renderText(
  { heading, facts }: { heading: SafeHtml; facts: SafeHtml },
  list: SafeHtml,
  text: string,
): SafeHtml {
  return markup`<aside class="tb-model" aria-label="${heading}"><p class="tb-heading">${heading} <span class="tb-facts">${facts}</span></p>${list}<div class="tb-scroll tb-high-40" role="region" aria-label="Text for the model" tabindex="0"><pre>${encodePageText(text)}</pre></div></aside>`
}

const FORMS: Readonly<Record<Delivery['form'], string>> = {
  full: 'given in full',
  cut: 'cut',
  reference: 'deduplicated: given before',
}

function renderMark({ form, uri, block }: Delivery): SafeHtml {
  return markup`<li><span class="tb-mark tb-mark-${encodeHtml(form)}">${encodeHtml(FORMS[form])}</span> block ${block}: ${encodePageLine(uri)}</li>`
}

function count(tokens: number): SafeHtml {
  return encodeHtml(formatTokens(tokens))
}
