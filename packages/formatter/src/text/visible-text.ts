import { CONTROL, INVISIBLE } from './model-text.ts'

/** Most texts have nothing of this, so one test is enough for them. */
const UNUSUAL = /[^\t\n\r -~]|[*_`~\\<&]|\]\(/

/**
 * Returns a text as a model may read it, with its lines, to compare it with words: entities of HTML are decoded; letters have their compatible form (NFKD), without marks above and in them;
 * invisible characters, sequences of a terminal, tags, and marks and links of Markdown are removed. A text with strings for a device has a second reading, with these strings. The time is
 * linear in the text.
 */
export function readVisible(text: string): readonly string[] {
  if (!UNUSUAL.test(text)) return [text]
  const plain = text
    .replaceAll(ENTITY, decodeEntity)
    .replaceAll('\u0085', '\n')
    .replaceAll(KEYCAP, '')
    // Long runs of combining marks would take more than linear time to sort.
    .replaceAll(COMBINING, '')
    .replaceAll(WORD_LETTER, 'x')
    .normalize('NFKD')
    .replaceAll(COMBINING, '')
    .replaceAll(INVISIBLE, '')
    .replaceAll(TAG, '')
  const withoutStrings = plain.replaceAll(DEVICE_STRING, '')
  return (withoutStrings === plain ? [plain] : [withoutStrings, plain]).map((reading) =>
    reading
      .replaceAll(SEQUENCE, '')
      .replaceAll(CONTROL, '')
      .replaceAll(MARK, '')
      .replaceAll(EMPTY_LINK, '')
      .replaceAll(LINK_IN_BRACKETS, '$<words>'),
  )
}

const ENTITY = /&(?:#(?<decimal>\d{1,7})|#x(?<hexadecimal>[\da-f]{1,6})|(?<name>[a-z]{2,20}));/gi

/** Those that are blanks, invisible, brackets or a comma: what a note can begin with. */
const ENTITIES = new Map<string, string>([
  ...['nbsp', 'ensp', 'emsp', 'thinsp'].map((name) => [name, ' '] as const),
  ...['shy', 'zwj', 'zwnj', 'ZeroWidthSpace'].map((name) => [name, ''] as const),
  ...['lbrack', 'lsqb'].map((name) => [name, '['] as const),
  ...['rbrack', 'rsqb'].map((name) => [name, ']'] as const),
  ['comma', ','],
])

function decodeEntity(entity: string, decimal?: string, hexadecimal?: string, name = ''): string {
  const digits = decimal ?? hexadecimal
  if (digits === undefined) return ENTITIES.get(name) ?? entity
  const code = Number.parseInt(digits, decimal === undefined ? 16 : 10)
  return code > 0x10ffff ? '' : String.fromCodePoint(code)
}

/** A digit in a box, which is a picture before a line. */
const KEYCAP = /[\d#*]\ufe0f?\u20e3/g

/** What is drawn above, in or around the letter before. */
const COMBINING = /\p{M}/gu

/** Arabic letters whose compatible form is a word or a sentence, of up to 18 letters. None is in a note. */
const WORD_LETTER = /[\ufdf0-\ufdfb]/g

/** A tag of HTML, or a comment without words, in one line. Words in `<` and `>` are no tag: a model reads them. */
const TAG =
  /<(?:[!/?]?[a-z][\w:-]{0,40}(?:[ \t]{1,9}[\w:-]{1,40}(?:[ \t]{0,9}=[^\n\r<>]{0,300})?)?[ \t]{0,9}\/?|!--[^\p{L}\n\r<>]{0,300}--)>/giu

/** A string for a device, such as a title or an address, up to its end or the next control. */
const DEVICE_STRING =
  // oxlint-disable-next-line no-control-regex -- these are controls
  /(?:(?:\u001b\]|\u009d)[^\u0007\u0018\u001a\u001b\u0080-\u009f]*|(?:\u001b[PX^_]|[\u0090\u0098\u009e\u009f])[^\u0018\u001a\u001b\u0080-\u009f]*)(?:[\u0007\u0018\u001a\u009c]|\u001b\\|(?=[\u001b\u0080-\u009f]))/g

/**
 * A control sequence of a terminal, such as a colour, or another escape sequence. If a word follows one without numbers, it may also belong to the word: `[` and `Above` behind an escape
 * character that a model does not see. The last letter of those that are often written before words belongs only to a word of small letters.
 */
const SEQUENCE = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)[<-?]?;?\d[\d:;]*[@-Z\u0060-~]`,
    String.raw`(?:\u001b\[|\u009b)[0-?]*(?:(?:[HJKm]|[!"$]p| q)(?![a-z])|[ !"$']?[@A-Za-z](?!WORD))`,
    String.raw`\u001b(?:[()][A-Z\d]|[#%]\d|[0-@\\^-\u0060{-~]|[DEHMc](?![a-z])|[ -/]?[A-Za-z](?!WORD))`,
  ]
    .join('|')
    .replaceAll('WORD', String.raw`[*_\u0060~\\]{0,9}[A-Za-z]|[\s*_\u0060~\\]{0,9}[a-z]`),
  'g',
)

/** A link or a picture of Markdown without words. */
const EMPTY_LINK = /!?\[\s{0,9}\]\([^()\n]{0,300}\)/g

/** A link of Markdown behind a bracket. */
const LINK_IN_BRACKETS = /(?<=\[ ?)\[(?<words>[^[\]\n]{1,200})\]\([^()\n]{0,300}\)/g

/** What makes words bold, crossed out or code, or keeps a mark from it. */
const MARK = /[*_`~\\]/g
