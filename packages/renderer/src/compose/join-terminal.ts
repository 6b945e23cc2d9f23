import type { TerminalText } from '@toolblocks/protocol'
import { sanitizeTerminalText } from '../sanitize/sanitize-terminal-text.ts'
import { toTerminalText } from '../terminal-text.ts'

/** Puts parts one after another, by default with nothing between them. The separator is the host's own, plain text. */
export function joinTerminal(parts: readonly TerminalText[], separator = ''): TerminalText {
  return toTerminalText(parts.join(sanitizeTerminalText(separator, { colors: 'strip' })))
}
