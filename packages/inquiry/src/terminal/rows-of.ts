import { stripVTControlCharacters } from 'node:util'
import type { TerminalText } from '@toolblocks/protocol'

/** The rows a text takes at most: whatever is not ASCII is counted as wide. */
export function rowsOf(text: TerminalText, columns: number): number {
  return stripVTControlCharacters(text)
    .split('\n')
    .reduce((rows, line) => rows + Math.max(1, Math.ceil(widthOf(line) / columns)), 0)
}

function widthOf(line: string): number {
  return line.length + (line.match(/[^\x20-\x7E]/g)?.length ?? 0)
}
