import type { RenderLine, TerminalText } from '@toolblocks/protocol'
import { joinWords } from './words.ts'

/** Graphemes that are rendered at once: a line may be cut, what a person decides on must not be. */
const PIECE = 50
const graphemes = new Intl.Segmenter()

/** Renders text that must be seen to its end. Printable text without long runs of blanks stays as it is. */
export function renderWhole(text: string, renderLine: RenderLine): TerminalText {
  const pieces: TerminalText[] = []
  let start = 0
  let count = 0
  for (const { index } of graphemes.segment(text)) {
    if (count === PIECE) {
      pieces.push(renderLine(text.slice(start, index)))
      start = index
      count = 0
    }
    count += 1
  }
  pieces.push(renderLine(text.slice(start)))
  return joinWords(pieces, '')
}
