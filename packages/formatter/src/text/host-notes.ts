import { readVisible } from './visible-text.ts'

/** A word, a digit or the end of a line. */
const STOP = /[\p{L}\p{Nd}\n\v\f\r\u2028\u2029]/gu

/** What marks an entry of a list, or a task that is done, in Markdown. */
const LIST_MARK = /\d{1,9}[.)]|(?<=\[)[xX](?=\])/y

const LINE_END = /[\n\v\f\r\u2028\u2029]/g

/** How a line begins: the place of its first word in a text, and what is before it in the line: blanks, punctuation, and what marks a list or a heading. */
interface LineBeginning {
  before: string
  from: number
}

/** Reads how the lines of a visible text begin, also of lines without words. The time is linear in the text, and a line may have any length. */
function* readLineBeginnings(visible: string): Generator<LineBeginning & { hasWords: boolean }> {
  for (let start = 0; start <= visible.length;) {
    let from = findFrom(STOP, visible, start)
    while (matchesAt(LIST_MARK, visible, from)) from = findFrom(STOP, visible, LIST_MARK.lastIndex)
    const hasWords = from < visible.length && !/[\n\v\f\r\u2028\u2029]/.test(visible.charAt(from))
    yield { before: visible.slice(start, from), from, hasWords }
    start = findFrom(LINE_END, visible, from) + 1
  }
}

/** Returns where a pattern matches next, or the end of the text. */
function findFrom(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

/** An opening bracket before the first word, and no closing one behind it. Parentheses, braces and quotation marks are usual in ordinary text. */
const OPEN_BRACKET =
  /[[\p{Ps}\u23a1-\u23a3]--[\(\{\u201a\u201e\u301d]][^[\p{Ps}\p{Pe}\u23a1-\u23a6]--[\(\)\{\}\u201a\u201e\u301d-\u301f]]*$/v

/** How a note about content begins that was cut, selected, shortened, scaled or not repeated. */
const NOTE_BEGINNING =
  /above(?:\s*[,\u060c\u201a\u3001]|\s+are\s+only)|structured\s+content\s+(?:was|of)|the\s+image\s+above\s+was|[^\]\n\v\f\r\u2028\u2029]{1,300}?\shas\s+not\s+changed\s+since/iy

/** What a line has before its first word if only a quotation begins there. */
const BLANK = /^[\s>]*$/

/** In code, a list of names may begin so. */
const NAME_IN_LIST = /above\s*,(?!\s*\d)/iy

const matchesAt = (pattern: RegExp, text: string, from: number): boolean => {
  pattern.lastIndex = from
  return pattern.test(text)
}

/** Whether a text has a line that a model could mistake for a note of the host about omitted content. The time is linear in the text. */
export function isLikeNote(text: string): boolean {
  return readVisible(text).some(hasNoteLine)
}

function hasNoteLine(visible: string): boolean {
  /** Whether the last line that was not blank ends with an opening bracket and has no word. */
  let isOpen = false
  for (const { before, from, hasWords } of readLineBeginnings(visible)) {
    const opens = OPEN_BRACKET.test(before)
    if (!hasWords) {
      if (!BLANK.test(before)) isOpen = opens
      continue
    }
    const continues = isOpen && BLANK.test(before) && !matchesAt(NAME_IN_LIST, visible, from)
    if ((opens || continues) && matchesAt(NOTE_BEGINNING, visible, from)) return true
    isOpen = false
  }
  return false
}

/** Whether a text begins with words that a model could mistake for the host's. */
export function resemblesHostNote(text: string): boolean {
  return readVisible(text).some(beginsLikeNote)
}

function beginsLikeNote(visible: string): boolean {
  for (const { from, hasWords } of readLineBeginnings(visible))
    if (hasWords) return matchesAt(/the\s+tool\b/iy, visible, from)
  return false
}
