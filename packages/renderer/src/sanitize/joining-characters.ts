import { beginsWithTag } from './tagged-flags.ts'

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
