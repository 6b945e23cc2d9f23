import measure from 'fast-string-width'

/** Takes no column, though it is measured as one. */
const JOINER_OF_LETTERS = /(?<=[\p{L}\p{M}])[\u200C\u200D]/gu
const graphemes = new Intl.Segmenter()

/** Columns a line takes on a terminal: wide characters take two, colours none. */
export function widthOf(line: string): number {
  return measure(line.replaceAll(JOINER_OF_LETTERS, ''))
}

/** The characters a person sees, one by one. */
export function* graphemesOf(text: string): Generator<string> {
  for (const { segment } of graphemes.segment(text)) yield segment
}
