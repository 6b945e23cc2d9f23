import type { TerminalText, ToolCall, ToolResult } from '@toolblocks/protocol'
import { joinTerminal, renderArguments, renderTerminal } from '@toolblocks/renderer'
import type { Terminal } from '../terminal.ts'

/**
 * What a person approves: what their tool makes of the arguments, also what it would rather hide, and the arguments themselves,
 * which are what runs. Nothing is cut.
 */
export function previewArguments(
  call: ToolCall,
  formatted: ToolResult | undefined,
  { colors, columns, root }: Pick<Terminal, 'colors' | 'columns'> & { root: string },
): TerminalText {
  const values = renderArguments(call.arguments, { colors, columns })
  if (!formatted) return values
  const options = { colors, columns, root, hiddenValues: 'show', maxLines: Infinity } as const
  return joinTerminal([renderTerminal(formatted, options), values], '\n\n')
}
