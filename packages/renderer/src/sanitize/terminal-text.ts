import type { TerminalText } from '@toolblocks/protocol'

/** The one place where text becomes text for a terminal: only what was sanitized, or written here, may come in. */
export function toTerminalText(text: string): TerminalText {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand is made here
  return text as TerminalText
}
