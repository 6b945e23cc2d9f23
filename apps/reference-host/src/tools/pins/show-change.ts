import type { TerminalText } from '@toolblocks/protocol'
import { renderTerminal } from '@toolblocks/renderer'
import type { Terminal } from '../../terminal/terminal.ts'
import { definitionLines } from './definition-lines.ts'
import type { PinChange } from './hold-pins.ts'

/** The places of a description that changed, before and now. */
export function showChange(
  { tool, before, now }: PinChange,
  { colors, columns }: Terminal,
): TerminalText {
  const data = {
    path: tool,
    original: definitionLines(before.definition),
    modified: definitionLines(now.definition),
    isNew: false,
  }
  return renderTerminal(
    { content: [], structuredContent: { kind: 'diff', data }, isError: false },
    { colors, columns, maxLines: Infinity },
  )
}
