import type { TerminalText } from '@toolblocks/protocol'
import { toTerminalText } from './terminal-text.ts'

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
function replaceOdd(
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

const ZERO_WIDTH_SPACE = '\u200B'
const ZERO_WIDTH_JOINER = '\u200D'
const ZERO_WIDTH_NON_JOINER = '\u200C'
const TEXT_STYLE = '\uFE0E'
const EMOJI_STYLE = '\uFE0F'

/** How much of the text before a joining character decides on it, in UTF-16 code units. */
export const JOINING_CONTEXT = 4
const EMOJI = /[[\p{Emoji}\p{Extended_Pictographic}]--[0-9#*]]$/v
const EMOJI_TO_JOIN = /\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?$/u
const JOINED_EMOJI = /^\p{Extended_Pictographic}/u
const KEYCAP = /[0-9#*]$/
const KEYCAP_MARK = '\u20E3'

const JOINING_SCRIPT =
  '[[\\p{L}\\p{M}]&&[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Mand}\\p{scx=Phag}\\p{scx=Adlm}\\p{scx=Rohg}' +
  '\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}' +
  '\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Java}\\p{scx=Bali}]]'

/** Scripts that put no spaces between words, where a zero-width space says where a line may end. */
const SCRIPT_WITHOUT_SPACES =
  '[[\\p{L}\\p{M}\\p{N}]&&[\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Lana}\\p{scx=Talu}\\p{scx=Tavt}]]'

const SEEN = '[[\\p{L}\\p{M}\\p{N}\\p{P}]--\\p{Default_Ignorable_Code_Point}]'

/** Vowels of Khmer without a glyph, which stand behind a letter. */
const INHERENT_VOWEL = /^[\u17B4\u17B5]$/
const KHMER = /[\p{Script=Khmer}--[\u17B4\u17B5]]$/v

/** Made at first use: reading the properties costs milliseconds. */
let scripts: { before: RegExp; after: RegExp } | undefined
let words: readonly { before: RegExp; after: RegExp }[] | undefined

function joinLetters(before: string, after: string): boolean {
  scripts ??= {
    before: new RegExp(`${JOINING_SCRIPT}$`, 'v'),
    after: new RegExp(`^${JOINING_SCRIPT}`, 'v'),
  }
  return scripts.before.test(before) && scripts.after.test(after)
}

/** Whether a line may end between two words that no space stands between. */
function standBesideWords(before: string, after: string): boolean {
  words ??= [
    [SCRIPT_WITHOUT_SPACES, SEEN],
    [SEEN, SCRIPT_WITHOUT_SPACES],
  ].map(([one = '', other = '']) => ({
    before: new RegExp(`${one}$`, 'v'),
    after: new RegExp(`^${other}`, 'v'),
  }))
  return words.some((pair) => pair.before.test(before) && pair.after.test(after))
}

/** Whether a character is one that has no glyph but may belong to what stands around it. */
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
 * Whether a joining character has a job where it stands: inside an emoji, between letters of a script that needs it, or between
 * words of one without spaces. Of tags the whole run decides (`flagOf`).
 * `before` ends right before it; `after` starts right after it.
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
      return standBesideWords(before, after)
  }
  return INHERENT_VOWEL.test(character) && KHMER.test(before)
}

const BLACK_FLAG = '\u{1F3F4}'

/** The only flags that are written so: England, Scotland and Wales. What other tags spell, nobody would see. */
const TAGGED: readonly string[] = ['gbeng', 'gbsct', 'gbwls'].map(
  (place) => `${place.replaceAll(/./g, getTag)}\u{E007F}`,
)

function getTag(letter: string): string {
  return String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))
}

/** Whether a text is a tag, or begins with one: a letter without a glyph. */
export function beginsWithTag(text: string): boolean {
  const code = text.codePointAt(0) ?? 0
  return code >= 0xe0020 && code <= 0xe007f
}

/** Whether tags make a flag of what stands before them: `whole`, or only their `beginning`. */
export function getFlag(before: string, tags: string): 'whole' | 'beginning' | 'none' {
  if (!before.endsWith(BLACK_FLAG)) return 'none'
  if (TAGGED.includes(tags)) return 'whole'
  return TAGGED.some((tagged) => tagged.startsWith(tags)) ? 'beginning' : 'none'
}

/** Whether what stands at a place is part of such a flag. */
export function isInFlag(text: string, at: number): boolean {
  const from = Math.max(0, at - 12)
  const flag = text.slice(from, at).lastIndexOf(BLACK_FLAG)
  const start = from + flag + BLACK_FLAG.length
  return (
    flag !== -1 &&
    TAGGED.some((tagged) => text.startsWith(tagged, start) && at < start + tagged.length)
  )
}

/** No script puts more marks than this on one letter. */
const MORE_MARKS = /(?<=\p{M}{8})\p{M}/gu

/** Text with each odd character shown by its number, for example `\u{202E}`. Nothing is dropped; CRLF becomes LF. */
export function revealOdd(text: string): TerminalText {
  const marked = text.replaceAll('\r\n', '\n').replaceAll(MORE_MARKS, getNumber)
  const revealed = replaceOdd(marked, (character, at, whole) => {
    if (!isJoining(character)) return getNumber(character)
    if (beginsWithTag(character)) return isInFlag(whole, at) ? character : getNumber(character)
    const before = whole.slice(Math.max(0, at - JOINING_CONTEXT), at)
    const after = whole.slice(at + 1, at + 3)
    return joinsNeighbours(character, before, after) ? character : getNumber(character)
  })
  return toTerminalText(revealed)
}

/** The same as one line: line ends show as `⏎`, tabs as spaces. */
export function revealOddInLine(text: string): TerminalText {
  return toTerminalText(revealOdd(text).replaceAll('\n', '⏎').replaceAll('\t', ' '))
}

function getNumber(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`
}
