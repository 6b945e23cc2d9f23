import {
  type Answer,
  type InputRequest,
  type TerminalText,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import { escapeUnprintable } from '@toolblocks/protocol/json'
import {
  indentTerminal,
  joinTerminal,
  sanitizeTerminalLine,
  wrapTerminal,
} from '@toolblocks/renderer'
import type { Terminal } from './terminal.ts'

/** A call in one line: its name and, unless an approval is about to show them, its arguments. */
export function describeCall(
  call: ToolCall,
  parts: 'whole' | 'name',
  { style }: Terminal,
): TerminalText {
  const values = parts === 'name' ? '' : describeArguments(call.arguments)
  const shown = values === '' ? [] : [style.dim(values)]
  return joinTerminal([style.cyan('▸'), style.bold(call.name), ...shown], ' ')
}

/** What a model said instead of arguments is shown as it was. */
function describeArguments(given: ToolCall['arguments']): string {
  const said: unknown = given
  if (typeof said === 'string') return said
  return Object.entries(given)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
}

/** A question that the model was asked instead of a person, and what it answered, in one line. */
export function describeModelAnswer(
  { text }: InputRequest,
  answer: Answer,
  { style }: Terminal,
): TerminalText {
  const said =
    answer.action === 'accept'
      ? `answered ${escapeUnprintable(JSON.stringify(answer.value))}`
      : `gave no answer${'message' in answer && answer.message !== undefined ? `: ${answer.message}` : ''}`
  return joinTerminal(
    [style.cyan('?'), style.bold(firstLine(text)), style.dim(`the model ${said}`)],
    ' ',
  )
}

function firstLine(text: string): string {
  return text.trim().split(/[\r\n]/)[0] ?? ''
}

/** How long a call took, and that it completed where it did, in one line. */
export function describeTime(
  result: ToolResult,
  milliseconds: number,
  { style }: Terminal,
): TerminalText {
  const time =
    milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
  // How a failure ended stands in its first line already.
  return result.isError ? style.dim(`after ${time}`) : style.green(`✓ completed in ${time}`)
}

/** The first row of a text in a width, in colours that end with it; what has more rows ends with `…`. */
export function firstRow(text: TerminalText, columns: number): TerminalText {
  const [row = '', ...more] = renderRows(text, columns)
  if (more.length === 0 || columns === Infinity) return row || joinTerminal([])
  const [shorter = ''] = renderRows(text, columns - 2)
  return joinTerminal([shorter || joinTerminal([]), sanitizeTerminalLine('…')], ' ')
}

/** The rows that a text takes in a width, each with its colours to itself. */
export function renderRows(text: TerminalText, columns: number): readonly TerminalText[] {
  const rows = indentTerminal(wrapTerminal(text, Math.max(1, columns)), '').split('\n')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows of text that is safe already
  return rows as TerminalText[]
}
