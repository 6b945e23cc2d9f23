import type { TerminalText } from '@toolblocks/protocol'
import { toTerminalText } from './terminal-text.ts'

/**
 * Characters that a terminal must not receive, or that a person would not see: controls except line feed and tab, bidirectional controls,
 * characters without a glyph (zero-width, fillers, tags, selectors), line separators, interlinear marks, lone surrogates, noncharacters.
 */
const ODD =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\0-\x08\x0B-\x1F\x7F-\x9F\u2028\u2029\uFFF9-\uFFFB\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Surrogate}\p{Noncharacter_Code_Point}]/gu

/** Replaces an unsafe character in a text. */
export const REPLACEMENT = '\uFFFD'
const BEYOND_ASCII = /[^\n\t\x20-\x7E]/

/** Whether text is printable ASCII with line feeds and tabs. Most text is, and this is the fastest check. */
export function isPlain(text: string): boolean {
  return !BEYOND_ASCII.test(text)
}

/** Replaces each unsafe character. */
function replaceUnsafe(
  text: string,
  replace: (character: string, index: number, text: string) => string,
): string {
  return text.replaceAll(ODD, replace)
}

/** Which UTF-16 code units may be unsafe; filled on first use. Half a character always may. */
let mayBeOdd: Uint8Array | undefined

/** Returns the index of the first unsafe character from an index on; the length if there is none. */
export function findUnsafe(text: string, from: number): number {
  mayBeOdd ??= Uint8Array.from({ length: 0x1_0000 }, (_, unit) =>
    Number(isOdd(String.fromCharCode(unit))),
  )
  for (let index = from; index < text.length; index += 1) {
    if (mayBeOdd[text.charCodeAt(index)] === 0) continue
    const code = text.codePointAt(index) ?? 0
    if (code <= 0xffff || isOdd(String.fromCodePoint(code))) return index
    index += 1
  }
  return text.length
}

function isOdd(character: string): boolean {
  return character.search(ODD) === 0
}

const ZERO_WIDTH_SPACE = '\u200B'
const ZERO_WIDTH_JOINER = '\u200D'
const ZERO_WIDTH_NON_JOINER = '\u200C'
const TEXT_STYLE = '\uFE0E'
const EMOJI_STYLE = '\uFE0F'

/** How much of the text before a joining character decides whether it is allowed, in UTF-16 code units. */
export const JOINING_CONTEXT = 4
const EMOJI = /[[\p{Emoji}\p{Extended_Pictographic}]--[0-9#*]]$/v
// V8 14.6 (Node.js 26) does not find a modifier in a class that also has U+FE0F.
const EMOJI_TO_JOIN = /\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?$/u
const JOINED_EMOJI = /^\p{Extended_Pictographic}/u
const KEYCAP = /[0-9#*]$/
const KEYCAP_MARK = '\u20E3'

const JOINING_SCRIPT =
  '[[\\p{L}\\p{M}]&&[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Mand}\\p{scx=Phag}\\p{scx=Adlm}\\p{scx=Rohg}' +
  '\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}' +
  '\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Java}\\p{scx=Bali}]]'

/** Scripts without spaces between words, in which a zero-width space marks where a line may end. */
const SCRIPT_WITHOUT_SPACES =
  '[[\\p{L}\\p{M}\\p{N}]&&[\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Lana}\\p{scx=Talu}\\p{scx=Tavt}]]'

const SEEN = '[[\\p{L}\\p{M}\\p{N}\\p{P}]--\\p{Default_Ignorable_Code_Point}]'

/** Khmer vowels without a glyph, which follow a letter. */
const INHERENT_VOWEL = /^[\u17B4\u17B5]$/
const KHMER = /[\p{Script=Khmer}--[\u17B4\u17B5]]$/v

/** Created on first use, because reading the properties takes milliseconds. */
let scripts: { before: RegExp; after: RegExp } | undefined
let wordBreaks: readonly { before: RegExp; after: RegExp }[] | undefined

function joinLetters(before: string, after: string): boolean {
  scripts ??= {
    before: new RegExp(`${JOINING_SCRIPT}$`, 'v'),
    after: new RegExp(`^${JOINING_SCRIPT}`, 'v'),
  }
  return scripts.before.test(before) && scripts.after.test(after)
}

/** Whether a line may end between two words without a space. */
function mayBreakBetween(before: string, after: string): boolean {
  wordBreaks ??= [
    [SCRIPT_WITHOUT_SPACES, SEEN],
    [SEEN, SCRIPT_WITHOUT_SPACES],
  ].map(([one = '', other = '']) => ({
    before: new RegExp(`${one}$`, 'v'),
    after: new RegExp(`^${other}`, 'v'),
  }))
  return wordBreaks.some((pair) => pair.before.test(before) && pair.after.test(after))
}

/** Whether a character has no glyph, but may belong to its neighbours. */
export function isJoining(character: string): boolean {
  switch (character) {
    case ZERO_WIDTH_JOINER:
    case ZERO_WIDTH_NON_JOINER:
    case TEXT_STYLE:
    case EMOJI_STYLE:
    case ZERO_WIDTH_SPACE:
      return true
  }
  return INHERENT_VOWEL.test(character) || beginsWithTag(character)
}

/**
 * Whether a joining character has a function in its place: inside an emoji, between letters of a script that needs it, or between words of a script
 * without spaces. For tags, the complete run decides (`getFlag`). `before` ends directly before it; `after` starts directly after it.
 */
export function joinsNeighbours(character: string, before: string, after: string): boolean {
  switch (character) {
    case EMOJI_STYLE:
      return EMOJI.test(before) || (KEYCAP.test(before) && after.startsWith(KEYCAP_MARK))
    case TEXT_STYLE:
      return EMOJI.test(before)
    case ZERO_WIDTH_JOINER:
      if (EMOJI_TO_JOIN.test(before) && JOINED_EMOJI.test(after)) return true
      return joinLetters(before, after)
    case ZERO_WIDTH_NON_JOINER:
      return joinLetters(before, after)
    case ZERO_WIDTH_SPACE:
      return mayBreakBetween(before, after)
  }
  return INHERENT_VOWEL.test(character) && KHMER.test(before)
}

const BLACK_FLAG = '\u{1F3F4}'

/** The only valid flags of this form: England, Scotland and Wales. The text of other tags would be invisible. */
const TAGGED: readonly string[] = ['gbeng', 'gbsct', 'gbwls'].map(
  (region) => `${region.replaceAll(/./g, getTag)}\u{E007F}`,
)

function getTag(letter: string): string {
  return String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))
}

/** Whether a text is a tag, or begins with one: a letter without a glyph. */
export function beginsWithTag(text: string): boolean {
  const code = text.codePointAt(0) ?? 0
  return code >= 0xe0020 && code <= 0xe007f
}

/** Returns whether tags make a flag of the text before them: the `whole` flag, or only its `beginning`. */
export function getFlag(before: string, tags: string): 'whole' | 'beginning' | 'none' {
  if (!before.endsWith(BLACK_FLAG)) return 'none'
  if (TAGGED.includes(tags)) return 'whole'
  return TAGGED.some((tagged) => tagged.startsWith(tags)) ? 'beginning' : 'none'
}

/** Whether the character at an index is part of such a flag. */
export function isInFlag(text: string, index: number): boolean {
  const from = Math.max(0, index - 12)
  const flag = text.slice(from, index).lastIndexOf(BLACK_FLAG)
  const start = from + flag + BLACK_FLAG.length
  return (
    flag !== -1 &&
    TAGGED.some((tagged) => text.startsWith(tagged, start) && index < start + tagged.length)
  )
}

/** No script has more marks on one letter. */
const MORE_MARKS = /(?<=\p{M}{8})\p{M}/gu

/** Returns text with each unsafe character shown by its number, for example `\u{202E}`. Nothing is dropped. CRLF becomes LF. */
export function revealUnsafe(text: string): TerminalText {
  const marked = text.replaceAll('\r\n', '\n').replaceAll(MORE_MARKS, getNumber)
  const revealed = replaceUnsafe(marked, (character, index, whole) => {
    if (!isJoining(character)) return getNumber(character)
    if (beginsWithTag(character)) return isInFlag(whole, index) ? character : getNumber(character)
    const before = whole.slice(Math.max(0, index - JOINING_CONTEXT), index)
    const after = whole.slice(index + 1, index + 3)
    return joinsNeighbours(character, before, after) ? character : getNumber(character)
  })
  return toTerminalText(revealed)
}

/** Returns the same as one line: line ends become `⏎`, tabs become spaces. */
export function revealUnsafeInLine(text: string): TerminalText {
  return toTerminalText(revealUnsafe(text).replaceAll('\n', '⏎').replaceAll('\t', ' '))
}

function getNumber(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`
}
