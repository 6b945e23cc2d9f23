import { type ModelText } from '@toolblocks/protocol'
import { shortenText } from '@toolblocks/protocol/internal'

/** Converts text into text for a model, in one place: the result is well-formed Unicode. */
export function toModelText(text: string): ModelText {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand is made here
  return text.toWellFormed() as ModelText
}

const MAX_LENGTH = 200

/** Characters without a visible glyph: controls, formats, fillers, tags, selectors, private and half characters. */
const UNPRINTABLE =
  /[\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]|(?!\s)\p{Cc}/gu

/** White space, and the blank of Braille. */
const BLANKS = /[\s\u0085\u2800]+/gu

/** Most names and addresses match nothing of this, so one test is enough for them. */
const UNUSUAL = /[^ -~]| {2}|^ | $/

/** Formats untrusted text as part of a line: printable characters and single spaces, at most 200 UTF-16 code units. */
export function oneLine(text: string): string {
  return shortenText(UNUSUAL.test(text) ? clean(text) : text, MAX_LENGTH)
}

function clean(text: string): string {
  return text.replaceAll(UNPRINTABLE, '').replaceAll(BLANKS, ' ').trim()
}

/** A control sequence of a terminal, such as a colour. Without numbers, a bracket and a letter may also be how a word in brackets begins. */
const CONTROL_SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- it begins with a control character
  /\u001b(?:\[(?:[\d;:?]+[A-Za-z]|m(?![a-z])|[A-Za-z](?![A-Za-z]))|\][^\u0007\u001b\n]{0,1000}(?:\u0007|\u001b\\)|[()][A-Z\d])/g

/** Returns the visible characters of a text, in their compatible form (NFKC), with its lines. The time is linear in the text. */
export function readVisible(text: string): string {
  if (!/[^\t\n\r -~]/.test(text)) return text
  return text
    .replaceAll(CONTROL_SEQUENCE, '')
    .replaceAll('\u0085', '\n')
    .replaceAll(UNPRINTABLE, '')
    .normalize('NFKC')
}
