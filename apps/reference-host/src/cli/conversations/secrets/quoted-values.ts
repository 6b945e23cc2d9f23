/** A text as the rules read it, and how it was written before its escapes were read. */
export interface SearchedText {
  text: string
  /** The text with its escapes, and where each character of `text` begins in it. They are absent if no escape was read. */
  written?: { text: string; starts: Uint32Array }
}

/** What opens a value after the name of a secret, for example `"`, `b'`, `["` or `"""`. */
export interface Opening {
  /** The index of the first character of the value. */
  start: number
  /** The quotation mark, or three of them. */
  quote: string
  /** What is before the quotation mark: the prefix of a language, the tag of YAML. */
  prefix: string
  /** What the value is inside of. */
  inside: 'nothing' | 'line' | 'list' | 'object'
  /** Number of backslashes before the quotation mark: 0, in JSON 1, in JSON of JSON 3. */
  escapes: number
}

/** Where a quoted value ends. */
export interface Closing {
  end: number
  /** Whether a quotation mark ends the value, its own or that of a text around it. If not, it ends with its line. */
  isClosed: boolean
  /** Whether the value continues after the end of its line. */
  isLong: boolean
}

/** The maximum length of a value. More characters without a blank are data. It must be less than what neighbouring parts of a search share. */
export const MAX_LENGTH = 8192

/** The maximum length of a value of several lines in simple quotation marks: more of it is the text to the first mark of another value. */
const MAX_LINES_LENGTH = 1000

/** Quotation marks of languages that people write, and what closes them. No character between them is escaped. */
const TYPOGRAPHIC: Readonly<Record<string, string>> = {
  '“': '”“',
  '”': '”',
  '„': '“”',
  '«': '»',
  '»': '«',
  '‘': '’‘',
  '’': '’',
  '‚': '‘’',
  '‹': '›',
  '›': '‹',
  '「': '」',
  '『': '』',
}

const MARKS = Object.keys(TYPOGRAPHIC).join('')

const OPENING = new RegExp(
  String.raw`(\[\s{0,40}|\{\s{0,40}["']?value["']?\s{0,8}:\s{0,8}|\r?\n\s{1,40}(?=["'](?!["'])))?(!!str[ \t]{1,8}|[bu]?r|[buf]|rb|@\$?|\$@?|r?#{1,3})?("""|'''|["'\x60${MARKS}])`,
  'iy',
)

/** What begins a mark that ends a value, or ends its line. */
const STOPS: Readonly<Record<string, RegExp>> = {
  '"': /["\n]/g,
  "'": /['\n]/g,
  '`': /[`\n]/g,
}

/** Reads what opens a value at an index, or returns `undefined` if the value has no quotation mark. */
export function readOpening(source: SearchedText, index: number): Opening | undefined {
  OPENING.lastIndex = index
  const match = OPENING.exec(source.text)
  if (!match) return undefined
  const [whole, around = '', prefix = '', quote = ''] = match
  const markIndex = index + whole.length - quote.length
  const first = around.charAt(0)
  const inside =
    first === '[' ? 'list' : first === '{' ? 'object' : first === '' ? 'nothing' : 'line'
  return {
    start: markIndex + quote.length,
    quote,
    prefix,
    inside,
    escapes: countEscapes(source, markIndex),
  }
}

/** Finds where a value ends that a quotation mark opens. */
export function findClosing(source: SearchedText, opening: Opening): Closing {
  const { text } = source
  const { start, quote, prefix } = opening
  const hashes = /#+$/.exec(prefix)?.[0] ?? ''
  const closers = TYPOGRAPHIC[quote]
  if (closers !== undefined) return findTypographicMark(text, start, closers)
  // A quotation mark after two others is a part of an empty text.
  if (quote.length === 3 || hashes !== '') {
    const rest = text.slice(start, start + MAX_LENGTH)
    const length = rest.indexOf(quote + hashes)
    const end = length === -1 ? findLineEnd(text, start) : start + length
    return { end, isClosed: length !== -1, isLong: text.slice(start, end).includes('\n') }
  }
  return findQuote(source, opening)
}

function findTypographicMark(text: string, start: number, closers: string): Closing {
  const lineEnd = findLineEnd(text, start)
  const line = text.slice(start, lineEnd)
  const index = line.search(new RegExp(`[${closers}]`))
  return { end: index === -1 ? lineEnd : start + index, isClosed: index !== -1, isLong: false }
}

/**
 * Finds the second quotation mark. A mark with as many backslashes as the first one ends the value; one with twice as many and one more is a part of it;
 * any other ends a text around the value. Backslashes at the end of the value come in pairs of such a group.
 */
function findQuote(source: SearchedText, { start, quote, escapes }: Opening): Closing {
  const { text } = source
  const group = 2 * escapes + 2
  const limit = Math.min(text.length, start + MAX_LENGTH)
  let mark = quote
  let lineEnd: number | undefined
  let from = start
  let parts = 0
  for (;;) {
    const index = findStop(text, mark, from)
    if (index >= limit) break
    from = index + 1
    const count = countEscapes(source, index)
    if (text.charAt(index) === '\n') {
      // A line break with more backslashes than the mark is one of the value, if its mark is that of JSON.
      if (count > escapes && quote === '"') continue
      lineEnd ??= text.charAt(index - 1) === '\r' ? index - 1 : index
      if (quote === '`' || index - start > MAX_LINES_LENGTH || isAssigned(text, from)) break
      continue
    }
    const rest = count % group
    if (rest === group - 1) continue
    // If no escape was read, the backslashes of the mark are before it.
    const end = source.written ? index : index - rest
    // A text around the value ends: the value was cut off there.
    if (rest !== escapes)
      return { end: lineEnd ?? end, isClosed: lineEnd === undefined, isLong: false }
    if (lineEnd !== undefined && !isEnd(text, index)) break
    const next = findNextPart(source, index, { mark, escapes })
    parts += 1
    if (next === undefined || parts === MAX_PARTS)
      return { end, isClosed: true, isLong: lineEnd !== undefined }
    mark = text.charAt(next)
    from = next + 1
  }
  const end = Math.min(lineEnd ?? limit, start + MAX_LENGTH)
  const around = /["'`](?=\s{0,8}(?:[,}\]]|$))/.exec(text.slice(start, end))
  return { end: around ? start + around.index : end, isClosed: false, isLong: false }
}

function findStop(text: string, mark: string, from: number): number {
  const pattern = STOPS[mark]
  if (!pattern) return text.length
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

/** Returns the index of the line break after an index, or of the end of what a value can have. */
function findLineEnd(text: string, start: number): number {
  const length = text.slice(start, start + MAX_LENGTH).search(/\r?\n/)
  return length === -1 ? Math.min(text.length, start + MAX_LENGTH) : start + length
}

/** The maximum number of parts of a value that have quotation marks of their own. */
const MAX_PARTS = 8

const ASSIGNED = /[ \t]{0,40}(?:export[ \t]{1,8})?["']?[\w.-]{1,60}["']?[ \t]{0,8}[=:]/y

/** Whether a line begins with another name and its value. */
function isAssigned(text: string, index: number): boolean {
  ASSIGNED.lastIndex = index
  return ASSIGNED.test(text)
}

/** Whether a quotation mark ends a value, and does not open another one. */
function isEnd(text: string, index: number): boolean {
  return (
    !/[ \t=:([{,]/.test(text.charAt(index - 1)) &&
    !/^(?:[\w$]|<(?!\/))/.test(text.slice(index + 1, index + 3))
  )
}

/** Finds the mark with which a value continues: `'a''b'` in YAML, `"a"'b'` and `'a'\''b'` in a shell. */
function findNextPart(
  source: SearchedText,
  index: number,
  { mark, escapes }: { mark: string; escapes: number },
): number | undefined {
  const { text } = source
  const group = 2 * escapes + 2
  let next = index + 1
  const isQuote = (): boolean => text.charAt(next) === '"' || text.charAt(next) === "'"
  while (next - index < 8 && isQuote() && countEscapes(source, next) % group === group - 1)
    next += 1
  const other = text.charAt(next)
  if (!isQuote() || countEscapes(source, next) !== escapes) return undefined
  const rest = text.slice(next + 1, next + 1 + MAX_LENGTH)
  const part = rest.slice(0, Math.max(0, rest.indexOf(other)))
  if (countEscapes(source, next + 1 + part.length) !== escapes) return undefined
  const isPart = /^[^\s,;:.)\]}>+]/.test(part) && !part.includes('\n')
  return isPart && (other === mark || !/[\s,]/.test(part)) ? next : undefined
}

/** The maximum number of backslashes that count. It is more than JSON in JSON has. */
const MAX_ESCAPES = 64

/** Counts the backslashes before a character, as they were written. */
export function countEscapes({ text, written }: SearchedText, index: number): number {
  const source = written?.text ?? text
  const start = written?.starts[index] ?? index
  let before = start
  while (before > 0 && start - before < MAX_ESCAPES && source.charAt(before - 1) === '\\')
    before -= 1
  let after = start
  while (after - start < MAX_ESCAPES && source.charAt(after) === '\\') after += 1
  const count = after - before
  // `\u0022` is written for `\"`, and `\\u0022` for `\\\"`.
  return count > 0 && source.startsWith('u00', after) ? 2 * count - 1 : count
}
