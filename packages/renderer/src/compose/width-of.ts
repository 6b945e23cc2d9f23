import measure from 'fast-string-width'
import { OWN_SEQUENCE } from './own-sequences.ts'

/** Takes no column, though it is measured as one. */
const JOINER_OF_LETTERS = /(?<=[\p{L}\p{M}])[\u200C\u200D]/gu
/** Not all are known to the library that measures, such as the colour of an underline. */
const SEQUENCES = new RegExp(OWN_SEQUENCE, 'g')
/** Made when a text is first taken apart: it reads tables of 10 ms. */
let graphemes: Intl.Segmenter | undefined

/** Columns a line takes on a terminal: wide characters take two, colours and links none. */
export function widthOf(line: string): number {
  return measure(line.replaceAll(SEQUENCES, '').replaceAll(JOINER_OF_LETTERS, ''))
}

/** The characters a person sees, one by one. */
export function* graphemesOf(text: string): Generator<string> {
  graphemes ??= new Intl.Segmenter()
  for (const { segment } of graphemes.segment(text)) yield segment
}
