import type { TerminalText, ToolCall, ToolResult } from '@toolblocks/protocol'
import { joinTerminal } from '@toolblocks/renderer'
import type { Terminal } from './terminal.ts'

/** A call in one line: its name and, unless an approval is about to show them, its arguments. */
export function describeCall(
  call: ToolCall,
  parts: 'whole' | 'name',
  { style }: Terminal,
): TerminalText {
  const entries = parts === 'name' ? [] : Object.entries(call.arguments)
  const values = entries.map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const shown = values.length === 0 ? [] : [style.dim(values.join(' '))]
  return joinTerminal([style.cyan('▸'), style.bold(call.name), ...shown], ' ')
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
