import { confirmAtTerminal } from '@toolblocks/inquiry/terminal'
import type { TerminalText, ToolCall, ToolResult } from '@toolblocks/protocol'
import {
  joinTerminal,
  renderArguments,
  renderTerminal,
  sanitizeTerminalLine,
} from '@toolblocks/renderer'
import type { ApproveCall } from '@toolblocks/tool-executor'
import type { Terminal } from '../terminal.ts'
import type { PersonOptions } from './create-person.ts'

/** Creates the approval by a person at the terminal, yes or no. `undefined` without a person, which denies the call. */
export function createApproval(
  terminal: Terminal,
  { root, interrupt }: Pick<PersonOptions, 'root' | 'interrupt'>,
): ApproveCall | undefined {
  if (!terminal.isInteractive) return undefined
  return async (call, { formatted, signal }) => {
    const material = previewArguments(call, formatted, {
      colors: terminal.colors,
      columns: terminal.columns,
      root,
    })
    const isAllowed = await confirmAtTerminal({
      material,
      question: joinTerminal(['Run ', call.name, '?'].map((part) => sanitizeTerminalLine(part))),
      signal,
      onInterrupt: interrupt,
    })
    if (isAllowed === undefined) return { decision: 'cancelled' }
    return isAllowed ? { decision: 'allowed' } : { decision: 'denied', reason: 'by the user' }
  }
}

/**
 * Formats the arguments for an approval: the tool's own presentation, including hidden parts, and then the arguments themselves, which are what
 * runs. Nothing is cut.
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
