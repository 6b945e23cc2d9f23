import type { TerminalText } from '@toolblocks/protocol'

/** Words of our own around text that was written for the terminal; a string from outside does not fit in. */
export function words(
  ours: TemplateStringsArray,
  ...theirs: readonly (TerminalText | number)[]
): TerminalText {
  return trusted(String.raw({ raw: ours }, ...theirs))
}

/** Puts texts for the terminal one after another. */
export function joinWords(
  parts: readonly TerminalText[],
  separator: '' | ', ' | '\n',
): TerminalText {
  return trusted(parts.join(separator))
}

function trusted(text: string): TerminalText {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made of nothing but our words and safe text
  return text as TerminalText
}
