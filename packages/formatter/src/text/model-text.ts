import { type ModelText } from '@toolblocks/protocol'
import { shortenText } from '@toolblocks/protocol/internal'

/** Converts text into text for a model, in one place: the result is well-formed Unicode. */
export function toModelText(text: string): ModelText {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand is made here
  return text.toWellFormed() as ModelText
}

const MAX_LENGTH = 200

/** Characters without a visible glyph: formats, fillers, tags, selectors, private and half characters. */
export const INVISIBLE =
  /[\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

/** Controls that are no white space. */
export const CONTROL = /(?!\s)\p{Cc}/gu

/** White space, and the blank of Braille. */
const BLANKS = /[\s\u0085\u2800]+/gu

/** Most names and addresses match nothing of this, so one test is enough for them. */
const UNUSUAL = /[^ -~]| {2}|^ | $/

/** Formats untrusted text as part of a line: printable characters and single spaces, at most 200 UTF-16 code units. */
export function oneLine(text: string): string {
  return shortenText(UNUSUAL.test(text) ? clean(text) : text, MAX_LENGTH)
}

function clean(text: string): string {
  return text.replaceAll(INVISIBLE, '').replaceAll(CONTROL, '').replaceAll(BLANKS, ' ').trim()
}
