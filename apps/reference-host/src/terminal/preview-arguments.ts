import type { TerminalText, ToolCall, ToolResult } from '@toolblocks/protocol'
import { renderTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import type { Terminal } from './terminal.ts'

/** What a person approves: the arguments as their tool formats them, also what it would rather hide; else as JSON. */
export function previewArguments(
  call: ToolCall,
  formatted: ToolResult | undefined,
  { colors, root }: Pick<Terminal, 'colors'> & { root: string },
): TerminalText {
  return formatted
    ? renderTerminal(formatted, { colors, root, hiddenValues: 'show' })
    : sanitizeTerminalLine(JSON.stringify(call.arguments))
}
