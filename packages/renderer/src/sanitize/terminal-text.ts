import type { TerminalText } from '@toolblocks/protocol'

/** Converts text into text for a terminal, in one place. Only sanitized text, or text written here, may be passed. */
export function toTerminalText(text: string): TerminalText {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand is made here
  return text as TerminalText
}
