import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import { toTerminalText } from '../../terminal-text.ts'

/** Puts parts below each other, with an empty line around those of several lines; empty ones are left out. */
export function stackParts(parts: readonly TerminalText[]): TerminalText {
  const shown = parts.filter((part) => part !== '')
  return joinTerminal(
    shown.flatMap((part, index) => [toTerminalText(gapBetween(shown[index - 1], part)), part]),
  )
}

function gapBetween(upper: string | undefined, lower: string): string {
  if (upper === undefined) return ''
  return upper.includes('\n') || lower.includes('\n') ? '\n\n' : '\n'
}
