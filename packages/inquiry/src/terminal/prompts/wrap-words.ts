import { wrapAnsi } from 'fast-wrap-ansi'
import type { TerminalText } from '@toolblocks/protocol'

/** Columns of the bar beside everything that is asked. */
export const BAR = 3
const FEWEST = 20

/** Puts what is typed into rows that fit beside the bar, each as full as it can be. */
export function wrapTyped(
  typed: string,
  { columns }: Pick<NodeJS.WriteStream, 'columns'>,
): readonly string[] {
  const width = Math.max(FEWEST, columns - BAR)
  return wrapAnsi(typed, width, { hard: true, trim: false, wordWrap: false }).split('\n')
}

/** Puts lines into rows that fit beside the bar, between words; a longer word is broken. */
export function wrapWords(
  lines: readonly TerminalText[],
  { columns }: Pick<NodeJS.WriteStream, 'columns'>,
): readonly TerminalText[] {
  const width = Math.max(FEWEST, columns - BAR)
  return lines.flatMap((line) => {
    const rows = wrapAnsi(line, width, { hard: true }).split('\n')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows of text that is safe already
    return rows as TerminalText[]
  })
}
