import type { TerminalText, ToolResult } from '@toolblocks/protocol'
import {
  indentTerminal,
  joinTerminal,
  renderArguments,
  renderTerminal,
  renderTerminalBlocks,
  type RenderOptions,
  wrapTerminal,
} from '@toolblocks/renderer'
import type { Abilities } from '../../../terminal/show-to-person.ts'
import { describeSettled } from '../../../terminal/describe-question.ts'
import type { Terminal } from '../../../terminal/terminal.ts'
import {
  type CallPart,
  type Card,
  type CardEvent,
  type UndoneGroup,
  OUTCOME_SYMBOLS,
  TODO_MARKERS,
  describeCall,
  describeStandaloneNote,
  formatMinute,
  describeNote,
  describeProgramMessage,
  describeRecords,
  getCardEvents,
  getSpeaker,
  toPartResult,
  toModelResults,
} from '@toolblocks/viewer/reading'

/** The options of how cards are shown. */
export interface CardView {
  /** The folder of the workspace. Files in it are shown by their relative path. */
  root: string
  /** The maximum number of lines of one block. Default: 40 on a terminal, all elsewhere. */
  lines: number | undefined
  /** What is shown of calls: what they did (default), or their arguments and results as a model receives them. */
  calls?: 'read' | 'given'
  /** What the terminal can show beside plain text. Default: nothing. */
  abilities?: Abilities
}

type CardTerminal = Pick<Terminal, 'style' | 'colors' | 'columns'>

const LINES = 40
const INDENT = '     '

/**
 * Renders cards for a person: a heading for each turn, and below it the messages and calls in their order. What was taken back is one line at its
 * place.
 */
export function renderCards(
  cards: readonly (Card | UndoneGroup)[],
  terminal: CardTerminal,
  view: CardView,
): readonly TerminalText[] {
  const { style } = terminal
  let turn = 0
  let model: string | undefined
  return cards.flatMap((card, index) => {
    if (card.kind === 'undone') return [renderUndone(card, terminal)]
    const [first] = getCardEvents(card)
    const isNew = (first?.turn ?? 0) > turn
    turn = Math.max(turn, first?.turn ?? 0)
    const headingParts = [
      style.bold(`Turn ${turn}`),
      style.dim(`${formatMinute(first?.at ?? '')} UTC`),
    ]
    const heading = [
      ...(isNew && index > 0 ? [style.plain('')] : []),
      ...(isNew ? [joinTerminal(headingParts, '  ')] : []),
    ]
    const cardModel = card.kind === 'model' ? card.message.event.model : undefined
    const named = cardModel === model ? undefined : cardModel
    model = cardModel ?? model
    return [...heading, ...renderCard(card, { terminal, view, model: named })]
  })
}

function renderUndone(
  { events, label }: UndoneGroup,
  { style, columns }: CardTerminal,
): TerminalText {
  const position = getPlace(events[0]).padEnd(INDENT.length - 1)
  return wrapTerminal(style.dim(`${position} ${label}`), columns, INDENT)
}

/** Returns the content of cards that readers show, as results. The values of calls are not included. */
export function getCardResults(
  cards: readonly Card[],
  { root, calls }: Pick<CardView, 'root' | 'calls'>,
): readonly ToolResult[] {
  return cards.flatMap((card): readonly ToolResult[] => {
    switch (card.kind) {
      case 'person':
      case 'program':
        return [{ content: card.message.event.content, isError: false }]
      case 'model':
        return toModelResults(card.message.event.content)
      case 'call':
        return getParts(card, { root, calls }).flatMap((part) =>
          part.kind === 'todos' || part.kind === 'arguments' ? [] : [toPartResult(part)],
        )
      case 'result':
        return [card.result.event.result]
      case 'turn':
      case 'note':
      case 'records':
      case 'delivery':
        return []
    }
  })
}

function getParts(
  card: Extract<Card, { kind: 'call' }>,
  { root, calls }: { root: string; calls: CardView['calls'] },
): readonly CallPart[] {
  if (calls !== 'given') return describeCall(card, root).parts
  const { arguments: values } = card.call.event.call
  return [
    ...(Object.keys(values).length === 0 ? [] : [{ kind: 'arguments' as const, values }]),
    ...(card.result ? [{ kind: 'result' as const, result: card.result.event.result }] : []),
  ]
}

interface Rendering {
  terminal: CardTerminal
  view: CardView
  /** The model, if it was not named before. */
  model: string | undefined
}

function renderCard(card: Card, rendering: Rendering): readonly TerminalText[] {
  const { terminal, view } = rendering
  const { style } = terminal
  const options = renderOptions(terminal, view)
  switch (card.kind) {
    case 'person': {
      const body = renderTerminalBlocks(card.message.event.content, options)
      return [write(card, [style.cyan('Person')], [body], terminal)]
    }
    case 'program': {
      const description = describeProgramMessage(card.message.event)
      return [write(card, [style.dim(description)], [], terminal)]
    }
    case 'model':
      return [renderModel(card, rendering, options)]
    case 'call':
      return [renderCall(card, rendering, options)]
    case 'result': {
      const { result } = card.result.event
      const head = [style.bold('Result'), style.dim(result.id ?? '')]
      return [write(card, head, [renderTerminal(result, options)], terminal)]
    }
    case 'note': {
      const { title, facts, text, values } = describeStandaloneNote(card.note.event)
      const head = [style.cyan(title), ...facts.map(style.dim)]
      const body = text === '' ? [] : [renderTerminalBlocks([{ type: 'text', text }], options)]
      const details = Object.keys(values).length === 0 ? [] : [renderArguments(values, options)]
      return [write(card, head, [...body, ...details], terminal)]
    }
    case 'records': {
      const description = describeRecords(card.records.map(({ event }) => event))
      return [write(card, [style.dim(description)], [], terminal)]
    }
    // The heading shows the turn, and --model-view shows what a model received.
    case 'turn':
    case 'delivery':
      return []
  }
}

function renderModel(
  card: Extract<Card, { kind: 'model' }>,
  { terminal, model }: Rendering,
  options: RenderOptions,
): TerminalText {
  const { style } = terminal
  const { content, reasoning = '', data } = card.message.event
  const head = [
    style.cyan(getSpeaker(card.message.event)),
    ...(model === undefined ? [] : [style.dim(model)]),
  ]
  const thought: TerminalText[] =
    reasoning.trim() === ''
      ? []
      : [renderTerminalBlocks([{ type: 'text', text: `(thought) ${reasoning}` }], options)]
  const body = toModelResults(content).map((each) => renderTerminal(each, options))
  const values = data === undefined ? [] : [renderArguments({ data }, options)]
  return write(card, head, [...thought, ...body, ...values], terminal)
}

function renderCall(
  card: Extract<Card, { kind: 'call' }>,
  { terminal, view }: Rendering,
  options: RenderOptions,
): TerminalText {
  const { style } = terminal
  const { name, telling = '', outcome, summary, took } = describeCall(card, view.root)
  const parts = getParts(card, { root: view.root, calls: view.calls })
  const answered = parts.filter(({ kind }) => kind === 'result')
  // The line omits what the lines below it show.
  const facts = [answered.length > 0 ? undefined : summary, took].filter(
    (fact) => fact !== undefined,
  )
  const sign = OUTCOME_SYMBOLS[outcome]
  const isGood = ['completed', 'none', 'unrecorded'].includes(outcome)
  const head = [
    outcome === 'waiting' ? style.yellow(sign) : isGood ? style.green(sign) : style.red(sign),
    style.bold(name),
    ...(telling === '' ? [] : [style.plain(telling)]),
    ...(facts.length === 0 ? [] : [style.dim(facts.join(' · '))]),
  ]
  const steps = card.steps.map(({ event }) => {
    const { title, facts: known, text, values } = describeNote(event)
    const line = [style.yellow(title), ...known.map(style.dim)]
    const body = text === '' ? [] : [renderTerminalBlocks([{ type: 'text', text }], options)]
    const details = Object.keys(values).length === 0 ? [] : [renderArguments(values, options)]
    return joinTerminal(
      [joinTerminal(line, ' '), ...[...body, ...details].map((each) => indentTerminal(each))],
      '\n',
    )
  })
  const asked = card.pending.map((question) => {
    const { id, state } = question
    return state === 'open'
      ? style.yellow(`Answer with: toolblocks questions answer ${id}`)
      : style.dim(`${id}: ${describeSettled(question)}`)
  })
  const otherParts = parts.filter(
    (part) =>
      part.kind !== 'result' &&
      // The first line has a short command already.
      !(part.kind === 'command' && part.text.trim() === telling),
  )
  const render = (part: CallPart): TerminalText => renderPart(part, terminal, options)
  const led = card.result?.event.result.metadata?.conversationId
  const inner = led === undefined ? [] : [style.dim(`conversation ${led}`)]
  return write(
    card,
    head,
    [...otherParts.map(render), ...steps, ...asked, ...inner, ...answered.map(render)],
    terminal,
  )
}

function renderPart(part: CallPart, { style }: CardTerminal, options: RenderOptions): TerminalText {
  if (part.kind === 'arguments') return renderArguments(part.values, options)
  if (part.kind === 'todos')
    return joinTerminal(
      part.todos.map(({ state, text }) => style.plain(`${TODO_MARKERS[state]} ${text}`)),
      '\n',
    )
  return renderTerminal(toPartResult(part), options)
}

/** Renders a line with the number of the event, and below it the content. */
function write(
  card: Card,
  head: readonly TerminalText[],
  body: readonly TerminalText[],
  { style, columns }: CardTerminal,
): TerminalText {
  const [first] = getCardEvents(card)
  const scrubbed = getCardEvents(card).find(({ scrubbedAt }) => scrubbedAt !== undefined)
  const lineParts = [
    style.dim(getPlace(first).padEnd(INDENT.length - 1)),
    ...head,
    ...(scrubbed?.scrubbedAt === undefined
      ? []
      : [style.yellow(`scrubbed ${formatMinute(scrubbed.scrubbedAt)} UTC`)]),
  ]
  const line = wrapTerminal(joinTerminal(lineParts, ' '), columns, INDENT)
  const rest = body.filter((text) => text !== '').map((text) => indentTerminal(text, INDENT))
  return joinTerminal([line, ...rest], '\n')
}

function getPlace(event: CardEvent | undefined): string {
  return event === undefined || event.synthetic ? '–' : `#${event.seq}`
}

function renderOptions(
  { colors, columns }: Pick<Terminal, 'colors' | 'columns'>,
  { root, lines, abilities }: CardView,
): RenderOptions {
  const maxLines = lines ?? (columns === Infinity ? Infinity : LINES)
  return {
    colors,
    columns: columns - INDENT.length,
    root,
    maxLines,
    lastLines: Math.floor(maxLines / 4),
    stderr: 'show',
    hints: { cut: 'shown with --lines all' },
    ...abilities,
  }
}
