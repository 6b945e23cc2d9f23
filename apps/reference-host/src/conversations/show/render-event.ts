import type { HistoryEntry } from '@toolblocks/conversation-store'
import type { TerminalText } from '@toolblocks/protocol'
import {
  indentTerminal,
  joinTerminal,
  renderArguments,
  renderTerminal,
  renderTerminalBlocks,
  type RenderOptions,
} from '@toolblocks/renderer'
import type { Abilities } from '../../terminal/load-abilities.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { describeMinute } from './describe-time.ts'
import { describeEvent, type EventPart } from './describe-event.ts'
import { saidByModel } from './shown-results.ts'

/** How events are shown. */
export interface EventView {
  /** The workspace: files in it are shown by their path there. */
  root: string
  /** Lines of one block. Default: 40 on a terminal, all elsewhere. */
  lines: number | undefined
  /** What the terminal can show beside plain text. Default: nothing. */
  abilities?: Abilities
}

const LINES = 40
const INDENT = '     '

/** Writes an event for a person: its number and what it is, and below it what it says. */
export function renderEvent(
  { seq, event, synthetic, scrubbedAt }: HistoryEntry,
  terminal: Pick<Terminal, 'style' | 'colors' | 'columns'>,
  view: EventView,
): TerminalText {
  const { style } = terminal
  const { title, name, facts, parts } = describeEvent(event)
  const head = [
    style.dim((synthetic ? '–' : `#${seq}`).padEnd(INDENT.length - 1)),
    style.cyan(title),
    ...(name === undefined ? [] : [style.bold(name)]),
    ...facts.map(style.dim),
    ...(scrubbedAt === undefined
      ? []
      : [style.yellow(`scrubbed ${describeMinute(scrubbedAt)} UTC`)]),
  ]
  const options = renderOptions(terminal, view)
  const body = parts
    .map((part) => renderPart(part, event, options))
    .filter((text) => text !== '')
    .map((text) => indentTerminal(text, INDENT))
  return joinTerminal([joinTerminal(head, ' '), ...body], '\n')
}

function renderPart(
  part: EventPart,
  event: HistoryEntry['event'],
  options: RenderOptions,
): TerminalText {
  switch (part.kind) {
    case 'blocks':
      return event.type === 'assistant_message'
        ? joinTerminal(
            saidByModel(part.content).map((said) => renderTerminal(said, options)),
            '\n',
          )
        : renderTerminalBlocks(part.content, options)
    case 'result':
      return renderTerminal(part.result, options)
    case 'values':
      return renderArguments(part.values, options)
  }
}

function renderOptions(
  { colors, columns }: Pick<Terminal, 'colors' | 'columns'>,
  { root, lines, abilities }: EventView,
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
