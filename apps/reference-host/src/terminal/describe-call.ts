import {
  type Answer,
  type InputRequest,
  type TerminalText,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import { escapeUnprintable, formatDuration } from '@toolblocks/protocol/internal'
import {
  indentTerminal,
  joinTerminal,
  sanitizeTerminalLine,
  wrapTerminal,
} from '@toolblocks/renderer'
import { summarizeArguments } from '@toolblocks/renderer/internal'
import type { Terminal } from './terminal.ts'

/** Formats a call in one line: its name and, unless an approval is about to show them, its arguments. */
export function describeCall(
  call: ToolCall,
  parts: 'whole' | 'name',
  { style }: Terminal,
): TerminalText {
  const values = parts === 'name' ? '' : summarizeArguments(call.arguments)
  const summary = values === '' ? [] : [style.dim(values)]
  return joinTerminal([style.cyan('▸'), style.bold(call.name), ...summary], ' ')
}

/** Formats, in one line, a question that the model was asked instead of a person, and the model's answer. */
export function describeModelAnswer(
  { text }: InputRequest,
  answer: Answer,
  { style }: Terminal,
): TerminalText {
  const outcome =
    answer.action === 'accept'
      ? `answered ${escapeUnprintable(JSON.stringify(answer.value))}`
      : `did not answer${'message' in answer && answer.message !== undefined ? `: ${answer.message}` : ''}`
  return joinTerminal(
    [style.cyan('?'), style.bold(firstLine(text)), style.dim(`the model ${outcome}`)],
    ' ',
  )
}

function firstLine(text: string): string {
  return text.trim().split(/[\r\n]/)[0] ?? ''
}

/** A call that was denied or cancelled before it ran took less than this. The time in which a person was asked is not a part of it. */
const NOTHING_RAN_MS = 100

/** Formats the duration of a call in one line, and "completed" if it did. `undefined` if nothing ran. */
export function describeTime(
  result: ToolResult,
  milliseconds: number,
  { style }: Pick<Terminal, 'style'>,
): TerminalText | undefined {
  const { outcome } = result.metadata ?? {}
  const mayNotHaveRun = outcome === 'denied' || outcome === 'cancelled'
  if (result.isError && mayNotHaveRun && milliseconds < NOTHING_RAN_MS) return undefined
  const time = formatDuration(milliseconds)
  // The first line of a failure already says how the call ended.
  return result.isError ? style.dim(`after ${time}`) : style.green(`✓ completed in ${time}`)
}

/** Returns the first row of a text at a width, with its colours reset at the end. If there are more rows, it ends with `…`. */
export function firstRow(text: TerminalText, columns: number): TerminalText {
  const [row = '', ...more] = renderRows(text, columns)
  if (more.length === 0 || columns === Infinity) return row || joinTerminal([])
  const [shorter = ''] = renderRows(text, columns - 2)
  return joinTerminal([shorter || joinTerminal([]), sanitizeTerminalLine('…')], ' ')
}

/** Returns the rows of a text at a width. Each row sets and resets its own colours. */
export function renderRows(text: TerminalText, columns: number): readonly TerminalText[] {
  const rows = indentTerminal(wrapTerminal(text, Math.max(1, columns)), '').split('\n')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows of text that is safe already
  return rows as TerminalText[]
}
