import type { TerminalText } from '@toolblocks/protocol'
import { isPlain } from './odd-characters.ts'
import { toTerminalText } from '../terminal-text.ts'
import { createTerminalSanitizer, type SanitizeOptions } from './terminal-sanitizer.ts'

/**
 * Makes text from outside safe for a terminal, in one pass. What stays: printable text, line feeds, tabs and, by default,
 * colours, which are closed at the end. What goes: every other control character and control sequence, with its payload (up
 * to the line feed where it has no end, and up to 4 KiB of a command, 64 KiB of another string); CRLF becomes LF. What would
 * be invisible or would turn the order of letters becomes U+FFFD.
 */
export function sanitizeTerminalText(text: string, options: SanitizeOptions = {}): TerminalText {
  if (isPlain(text)) return toTerminalText(text)
  const sanitizer = createTerminalSanitizer(options)
  const start = sanitizer.push(text)
  return toTerminalText(start + sanitizer.finish())
}
