/**
 * What a terminal must not get, or a person would not see: controls but line feed and tab, bidirectional controls, characters
 * without a glyph (zero-width, fillers, tags, selectors), line separators, interlinear marks, lone surrogates, noncharacters.
 */
const ODD =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\0-\x08\x0B-\x1F\x7F-\x9F\u2028\u2029\uFFF9-\uFFFB\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Surrogate}\p{Noncharacter_Code_Point}]/gu

/** What stands in a body for an odd character. */
export const REPLACEMENT = '\uFFFD'

const BEYOND_ASCII = /[^\n\t\x20-\x7E]/

/** Whether text is printable ASCII with line feeds and tabs: most of it is, and this is the fastest look at it. */
export function isPlain(text: string): boolean {
  return !BEYOND_ASCII.test(text)
}

/** Puts something else in place of each odd character. */
export function replaceOdd(
  text: string,
  replace: (character: string, at: number, text: string) => string,
): string {
  return text.replaceAll(ODD, replace)
}

/** What may be odd, by UTF-16 code unit; filled when first needed. Half a character always may. */
let mayBeOdd: Uint8Array | undefined

/** The place of the first odd character from a place on that is not within a character; the length if there is none. */
export function findOdd(text: string, from: number): number {
  mayBeOdd ??= Uint8Array.from({ length: 0x1_0000 }, (_, unit) =>
    Number(isOdd(String.fromCharCode(unit))),
  )
  for (let at = from; at < text.length; at += 1) {
    if (mayBeOdd[text.charCodeAt(at)] === 0) continue
    const code = text.codePointAt(at) ?? 0
    if (code <= 0xffff || isOdd(String.fromCodePoint(code))) return at
    at += 1
  }
  return text.length
}

function isOdd(character: string): boolean {
  return character.search(ODD) === 0
}
