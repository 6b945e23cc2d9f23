import type { DeliveryEvent } from '@toolblocks/conversation-store'
import { type JsonObject, type SafeHtml, textOf } from '@toolblocks/protocol'
import {
  encodeHtml,
  joinHtml,
  markup,
  pageLine,
  renderHtml,
  renderHtmlArguments,
  renderHtmlBlocks,
} from '@toolblocks/renderer/html'
import {
  type CallPart,
  type DescribedCall,
  describeCall,
  type Todo,
} from '../../conversations/cards/describe-call.ts'
import { describeEvent } from '../../conversations/show/describe-event.ts'
import type { CallCard, Card } from '../../conversations/cards/read-cards.ts'
import { type CardOptions, metaOf } from './card-frame.ts'
import { writeDelivery, writeExpected } from './write-delivery.ts'

/** What stands before the name of a tool, and what it is read as. */
const MARKS: Readonly<Record<DescribedCall['outcome'], readonly [sign: string, words: string]>> = {
  completed: ['✓', 'done'],
  failed: ['✗', 'failed'],
  denied: ['⊘', 'denied'],
  cancelled: ['⊘', 'cancelled'],
  timeout: ['✗', 'timed out'],
  unanswered: ['✗', 'unanswered'],
  none: ['…', 'no result yet'],
}

/** Writes a call as one line, with all that belongs to it behind a click. */
export function writeCallCard(card: CallCard, options: CardOptions): SafeHtml {
  const { name, telling, outcome, facts, parts, rest } = describeCall(card, options.root)
  const [sign, words] = MARKS[outcome]
  const told =
    telling === undefined ? markup`` : markup` <span class="tb-telling">${pageLine(telling)}</span>`
  const decided = card.steps.flatMap(({ event }) =>
    event.type === 'approval' && event.by === 'user' ? [`${event.decision} by a person`] : [],
  )
  const known = [...facts, ...decided].map(
    (fact) => markup`<span class="tb-fact">${pageLine(fact)}</span>`,
  )
  const line = markup`<span class="tb-outcome tb-is-${encodeHtml(outcome)}" role="img" aria-label="${encodeHtml(words)}">${encodeHtml(sign)}</span> <span class="tb-tool">${pageLine(name)}</span>${told} <span class="tb-facts">${joinHtml(known, markup` · `)}</span>`
  const steps = card.steps.map((step) => writeStep(step, name, options))
  const shown = parts.map((part) => writeCallPart(part, options))
  const more = card.result ? writeWhole(card.result, options) : markup``
  const behind =
    rest.length === 0
      ? markup``
      : markup`<details class="tb-rest"><summary>Arguments and answer as they are</summary>${rest.map((part) => writeCallPart(part, options))}</details>`
  const result = card.result && writeResultBody(card.result, card.delivery, options)
  const body = markup`${steps}${shown}${more}${behind}${result ?? markup``}${metaOf(card.call, options)}`
  return markup`<details><summary><span class="tb-line-of">${line}</span></summary><div class="tb-body">${body}</div></details>`
}

/** Lines of one text that a page shows. */
const LINES = 400

/** The way to all of a result of which a part is left out. */
function writeWhole(
  { seq, event: { result }, synthetic }: NonNullable<CallCard['result']>,
  { wholeOf, depth = 0 }: CardOptions,
): SafeHtml {
  const lines = result.content.map((block) => (textOf(block) ?? '').split('\n').length)
  if (!wholeOf || synthetic || depth > 0 || Math.max(0, ...lines) <= LINES) return markup``
  return markup`<p><a href="${encodeHtml(wholeOf(seq))}">The whole result</a></p>`
}

/** What belongs to a result besides its answer: the conversation that was led for it, and what a model received of it. */
export function writeResultBody(
  { event: { result }, synthetic }: NonNullable<CallCard['result']>,
  delivery: Extract<Card, { kind: 'call' }>['delivery'],
  options: CardOptions,
): SafeHtml {
  const led = result.metadata?.conversationId
  const nested = led === undefined ? undefined : (options.writeLed?.(led) ?? nameLed(led))
  const given = delivery?.event
  const received = given
    ? writeGiven(given, options, result)
    : options.forModel && options.undelivered === 'expect' && !synthetic
      ? writeExpected(options.forModel(result, undefined))
      : markup``
  return markup`${nested ?? markup``}${received}`
}

function nameLed(id: string): SafeHtml {
  return markup`<p class="tb-facts">conversation ${pageLine(id)}</p>`
}

function writeGiven(
  delivery: DeliveryEvent,
  { forModel }: CardOptions,
  result: NonNullable<CallCard['result']>['event']['result'],
): SafeHtml {
  if (!forModel) return markup``
  return delivery.text === undefined
    ? writeDelivery(delivery)
    : writeDelivery({ ...delivery, text: forModel(result, delivery) })
}

/** A question, an answer or a decision; a decision says what it is for. */
function writeStep(
  { event }: CallCard['steps'][number],
  tool: string,
  options: CardOptions,
): SafeHtml {
  const { title, name = '', facts, parts } = describeEvent(event)
  const head =
    event.type === 'approval'
      ? markup`<strong>${pageLine(name)}</strong> to run ${pageLine(tool)} <span class="tb-facts">${pageLine(facts.join(', '))}</span>`
      : markup`<strong>${pageLine(title)}</strong> <span class="tb-facts">${pageLine(facts.join(', '))}</span>`
  const body = parts.map((part) =>
    part.kind === 'blocks'
      ? renderHtmlBlocks(part.content, options)
      : part.kind === 'values'
        ? renderHtmlArguments(part.values)
        : renderHtml(part.result, options),
  )
  return markup`<div class="tb-step"><p>${head}</p>${body}</div>`
}

function writeCallPart(part: CallPart, options: CardOptions): SafeHtml {
  switch (part.kind) {
    case 'edit': {
      const { value, lines } = part.edit
      const shown = renderHtml({ content: [], isError: false, structuredContent: value }, options)
      // Where nobody says where the lines stand in the file, they have no numbers.
      return lines === 'of-file' ? shown : markup`<div class="tb-uncounted">${shown}</div>`
    }
    case 'todos':
      return markup`<ul class="tb-todos">${part.todos.map(writeTodo)}</ul>`
    case 'command':
      return renderHtml(
        {
          content: [{ type: 'text', text: part.text, mimeType: 'text/x-shellscript' }],
          isError: false,
        },
        options,
      )
    case 'file': {
      const { path, content } = part
      const data = { path, content, size: content.length }
      const structuredContent = { kind: 'file_content', data }
      return renderHtml({ content: [], isError: false, structuredContent }, options)
    }
    case 'arguments':
      return writeValues(part.values, options)
    case 'result':
      return renderHtml(part.result, { stderr: 'show', ...options })
  }
}

const BOXES: Readonly<Record<Todo['state'], string>> = { open: '☐', doing: '◐', done: '☑' }
const STATES: Readonly<Record<Todo['state'], string>> = {
  open: 'open',
  doing: 'being done',
  done: 'done',
}

function writeTodo({ text, state }: Todo): SafeHtml {
  return markup`<li class="tb-todo-${encodeHtml(state)}"><span role="img" aria-label="${encodeHtml(STATES[state])}">${encodeHtml(BOXES[state])}</span> ${pageLine(text)}</li>`
}

/** Characters of values that stand in a page as they are; more is a tree, which folds. */
const MOST = 20_000

/** Values by their names. */
export function writeValues(values: JsonObject, options: CardOptions): SafeHtml {
  if (JSON.stringify(values).length <= MOST) return renderHtmlArguments(values)
  const display = { preferredView: 'tree' } as const
  const structuredContent = { kind: 'structured', data: values, display }
  return renderHtml({ content: [], isError: false, structuredContent }, options)
}
