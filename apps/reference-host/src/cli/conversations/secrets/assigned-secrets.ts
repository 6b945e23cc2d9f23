import { findMark } from './placeholders.ts'
import {
  type Assignment,
  hasDigit,
  hasDigitAndLetter,
  isQuotedSecret,
  isSentence,
  isShortName,
  isUnquotedSecret,
  trimEnd,
} from './possible-secrets.ts'
import {
  type Closing,
  countEscapes,
  findClosing,
  MAX_LENGTH,
  type Opening,
  readOpening,
  type SearchedText,
} from './quoted-values.ts'

/** A secret that a rule has found: a range of the text, and the rule. */
export interface FoundRange {
  start: number
  end: number
  rule: string
  /** Where the first word of the value ends, if the others may be a part of something else. It is removed also alone. */
  wordEnd?: number
}

/** The end of a name whose value is a secret, and what is between the name and the value. None of the patterns can be slow: each part ends where the next begins. */
const ASSIGNMENT =
  /(PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|SECRET|TOKEN|(?:API|ACCESS|ACCOUNT|PRIVATE|SECRET|ENCRYPTION|SIGNING|MASTER)[ _-]?KEY|SECRET_KEY_BASE|CREDENTIALS?|_AUTH)(?:_ID)?(["'`”“»’]?\*{0,2}[ \t\u00A0]{0,8})(=>|:=|[:=：])(?![=>])(\*{0,2}[ \t\u00A0]{0,8})/gi

/** Names of a place in a list, which is no secret. */
const PAGE_TOKEN = /(?:page|continuation|continue|cursor|next|prev(?:ious)?|sync)[_-]?token$/i

/** What a name may have before its end, read backwards from there. */
const NAME_CHARACTER = /[\w-]/

const MAX_NAME = 60

/**
 * A value without quotation marks: it ends at a blank, a quotation mark, an escape of JSON, or where the next name begins, as in `a=1&b=2`. Other
 * punctuation may be a part of it.
 */
const UNQUOTED = new RegExp(
  String.raw`(?:[^\s"'\x60<>&;,\\]|[&;,](?![\s\w.-]{0,40}[=:])|\\(?![nrtbfu"'\\/])){1,${MAX_LENGTH + 1}}`,
  'y',
)

/** Finds values by the names that they are given, in forms that the rules of secretlint do not have. */
export function findAssignedSecrets(
  text: string,
  written?: SearchedText['written'],
): readonly FoundRange[] {
  const source: SearchedText = written ? { text, written } : { text }
  const ranges: FoundRange[] = []
  ASSIGNMENT.lastIndex = 0
  for (let match = ASSIGNMENT.exec(text); match; match = ASSIGNMENT.exec(text)) {
    const [whole, word = '', before = '', sign = '', after = ''] = match
    const name = readName(text, match.index) + word
    if (PAGE_TOKEN.test(name)) continue
    const start = match.index + whole.length
    const isSpaced = /\s/.test(before + after)
    const nameStart = match.index + word.length - name.length
    const assigned = {
      name,
      nameStart,
      sign,
      isSpaced,
      isQuoted: /["'”“»’]/.test(before),
      isVariable: sign === '=' && !isSpaced && name === name.toUpperCase() && !isShortName(name),
      isDeclared: /\b(?:const|let|var|val|auto)\s{1,8}$/.test(
        text.slice(Math.max(0, nameStart - 16), nameStart),
      ),
    }
    const values = readValues(source, start, assigned)
    ranges.push(...values)
    const last = values.at(-1)
    if (last) ASSIGNMENT.lastIndex = Math.max(findWordEnd(text, last), ASSIGNMENT.lastIndex)
  }
  return ranges
}

/** Returns where the search continues: another name may be among the words that were added to a value. */
function findWordEnd(text: string, { start, end, rule }: FoundRange): number {
  const blank = rule === 'field' ? -1 : text.slice(start, end).search(/\s/)
  return blank === -1 ? end : start + blank
}

function readName(text: string, end: number): string {
  let start = end
  while (start > 0 && end - start < MAX_NAME && NAME_CHARACTER.test(text.charAt(start - 1)))
    start -= 1
  return text.slice(start, end)
}

/** Reads the value after a name, or the values of a list. */
function readValues(
  source: SearchedText,
  index: number,
  assigned: Assignment,
): readonly FoundRange[] {
  const { text } = source
  const around = readAround(source, index, assigned)
  // `'password=' + …`: the value ends where it begins.
  if (
    around?.closing.end === index &&
    /^\\*["'`](?:[\s+,;.)\]}&]|$)/.test(text.slice(index, index + 9))
  )
    return []
  const opening = readOpening(source, index)
  if (opening?.inside === 'list') return readList(source, opening, assigned)
  if (opening) {
    const closing = findClosing(source, opening)
    if (opening.inside !== 'nothing' && (closing.isLong || !isInside(opening, assigned))) return []
    const quoted = readQuoted(text, { opening, closing }, assigned)
    if (quoted || opening.inside !== 'nothing') return toList(quoted)
    // A text that has no second mark breaks off, whatever its sign.
    const sign = closing.isClosed ? assigned.sign : '='
    const word =
      readUnquoted(text, opening.start, { ...assigned, sign }) ??
      readDefault(source, opening.start, assigned)
    if (word && isPattern(opening, text.slice(word.start, word.end))) return []
    return toList(extend(text, word, { opening, closing }))
  }
  const value =
    readBlock(source, index, assigned) ??
    readUnquoted(text, index, assigned) ??
    readDefault(source, index, assigned)
  if (!around) return toList(value)
  if (value) return [extendInside(text, value, around)]
  return isArgument(text, assigned) ? toList(readQuoted(text, around, assigned)) : []
}

/** Whether a text after a prefix is a pattern, or contains variables. */
function isPattern({ prefix }: Opening, word: string): boolean {
  return /r/i.test(prefix) ? /[[\\]/.test(word) : /[f$@]/i.test(prefix) && word.includes('{')
}

/** Whether a value in a line or an object after its name belongs to it. */
function isInside({ inside }: Opening, { isQuoted }: Assignment): boolean {
  return inside === 'line' || isQuoted
}

function toList(range: FoundRange | undefined): readonly FoundRange[] {
  return range ? [range] : []
}

interface QuotedRange {
  opening: Opening
  closing: Closing
}

/** `password: "…"`, `token = b'…'`, `"api_key":"…"`, `API_KEY="…"`. */
function readQuoted(
  text: string,
  { opening, closing }: QuotedRange,
  assigned: Assignment,
): FoundRange | undefined {
  if (!closing.isClosed) return undefined
  const quoted = text.slice(opening.start, closing.end)
  const marked = quoted.slice(0, findMark(quoted))
  const value = marked.trim()
  if (!isQuotedSecret(assigned, value, { ...opening, isLong: closing.isLong })) return undefined
  const start = opening.start + marked.length - marked.trimStart().length
  return { start, end: start + value.length, rule: 'field' }
}

/** The maximum length of a text between quotation marks whose first word is a secret. */
const MAX_REST = 200

/** The same for a text of several lines. */
const MAX_LONG_REST = 2000

/** Extends a value that begins a text between quotation marks to the second mark: the other words may belong to it. */
function extend(
  text: string,
  range: FoundRange | undefined,
  { opening: { quote, start }, closing }: QuotedRange,
): FoundRange | undefined {
  if (!range) return undefined
  // What a shell runs between such marks is no value.
  if (quote === '`' && !hasDigit(text.slice(range.start, range.end))) return range
  const quoted = text.slice(start, closing.end)
  const end = start + quoted.slice(0, findMark(quoted)).trimEnd().length
  return quoted.length > (closing.isLong ? MAX_LONG_REST : MAX_REST) || end < range.end
    ? range
    : { ...range, end }
}

/** Reads the text between quotation marks that begins with a name, as in `'DB_PASSWORD=…'`, `"--password=…"`. */
function readAround(
  source: SearchedText,
  index: number,
  { nameStart, sign, isSpaced }: Assignment,
): QuotedRange | undefined {
  const quote = source.text.charAt(nameStart - 1)
  if (sign !== '=' || isSpaced || !/["'`]/.test(quote)) return undefined
  // After the variable, a shell runs a command.
  const before = source.text.slice(Math.max(0, nameStart - 40), nameStart - 1)
  if (/(?:\s-[a-z]*c|\b(?:cmd|command|script|run)["']?\s{0,8}:)\s{0,8}\\*$/i.test(before))
    return undefined
  const opening: Opening = {
    start: index,
    quote,
    prefix: '',
    inside: 'nothing',
    escapes: countEscapes(source, nameStart - 1),
  }
  const closing = findClosing(source, opening)
  return closing.isClosed && !closing.isLong ? { opening, closing } : undefined
}

/** Extends the first word of a value to the end of the quoted text that begins with its name, if the others can be words of a password. */
function extendInside(text: string, word: FoundRange, around: QuotedRange): FoundRange {
  const whole = extend(text, word, around) ?? word
  const rest = text.slice(word.end, whole.end)
  // Another name, an option, a sentence.
  if (!/^[\s"']/.test(rest) || /\s--?[a-z]|&&/i.test(rest) || isSentence('', rest.trim()))
    return word
  // The other words may also be those of a command.
  const isAlone = hasDigitAndLetter(text.slice(word.start, word.end))
  return isAlone ? { ...whole, wordEnd: word.end } : whole
}

const ARGUMENT = /(?:^|[\s"'])(?:-e|--env|export)[\s"',=\\]{1,12}$/

/** Whether a name between quotation marks is that of an option, or of a variable that a command receives. */
function isArgument(text: string, { name, nameStart, isVariable }: Assignment): boolean {
  return (
    name.startsWith('-') ||
    (isVariable && ARGUMENT.test(text.slice(Math.max(0, nameStart - 24), nameStart)))
  )
}

const COMMA = /["']\s{0,40},\s{0,40}/y

/** `"password": ["…", "…"]`: all values up to one that is no secret. */
function readList(
  source: SearchedText,
  first: Opening,
  assigned: Assignment,
): readonly FoundRange[] {
  const ranges: FoundRange[] = []
  let opening: Opening | undefined = assigned.isQuoted ? first : undefined
  while (opening) {
    const closing = findClosing(source, opening)
    const range = closing.isLong
      ? undefined
      : readQuoted(source.text, { opening, closing }, assigned)
    if (!range) break
    ranges.push(range)
    COMMA.lastIndex = closing.end
    const comma = COMMA.exec(source.text)?.[0] ?? ''
    const next: Opening | undefined = readOpening(source, closing.end + comma.length)
    opening = comma !== '' && next?.inside === 'nothing' ? { ...next, inside: 'list' } : undefined
  }
  return ranges
}

const BLOCK = /[|>][+-]?\d?[ \t]{0,8}\r?\n([ \t]{1,40})(?=\S)/y

/** Reads a block of YAML, `password: |` and lines that are indented. */
function readBlock(
  source: SearchedText,
  index: number,
  assigned: Assignment,
): FoundRange | undefined {
  const { text } = source
  BLOCK.lastIndex = index
  const [whole, indent = ''] = BLOCK.exec(text) ?? []
  if (whole === undefined || assigned.sign !== ':') return undefined
  const start = index + whole.length
  const range = readUnquoted(text, start, { ...assigned, isSpaced: true })
  if (!range) return undefined
  const breaks = countEscapes(source, start - indent.length - 1)
  const block = text.slice(start, start + MAX_LONG_REST)
  const lines = block.search(new RegExp(`\\n(?!${indent})`))
  // In JSON, the text with the block ends at a quotation mark with fewer backslashes than one of the block.
  let end = start + (lines === -1 ? block.length : lines)
  const group = 2 * breaks
  for (const mark of breaks === 0 ? [] : text.slice(start, end).matchAll(/"/g)) {
    if (countEscapes(source, start + mark.index) % group === group - 1) continue
    end = start + mark.index
    break
  }
  return { ...range, end: Math.max(range.end, end) }
}

const DEFAULT = /\$\{\w{1,60}:?[-=]["']?([^\s"'{}$][^\n"'{}]{0,1000})/y
const AFTER_REFERENCE = /\$\{\w{1,60}\}(?=[\w!@#%^*+~-]{12})/y

/** Reads the value that a shell uses if a variable is not set, `${NAME:-…}`, or a long one after a variable, `${NAME}…`. */
function readDefault(
  { text }: SearchedText,
  index: number,
  assigned: Assignment,
): FoundRange | undefined {
  DEFAULT.lastIndex = index
  const [whole, value] = DEFAULT.exec(text) ?? []
  if (whole !== undefined && value !== undefined) {
    const start = index + whole.length - value.length
    const word = readUnquoted(text, start, assigned)
    return word && { ...word, end: start + value.trimEnd().length }
  }
  AFTER_REFERENCE.lastIndex = index
  const reference = AFTER_REFERENCE.exec(text)?.[0]
  if (reference === undefined || !assigned.isVariable) return undefined
  const word = readUnquoted(text, index + reference.length, assigned)
  return word && hasDigitAndLetter(text.slice(word.start, word.end)) ? word : undefined
}

/** `DB_PASSWORD=…`, `password=…`, `password: …`, `password = …`. */
function readUnquoted(text: string, index: number, assigned: Assignment): FoundRange | undefined {
  const { sign, isSpaced, isVariable } = assigned
  if (sign !== '=' && sign !== ':' && sign !== '：') return undefined
  UNQUOTED.lastIndex = index
  const run = UNQUOTED.exec(text)?.[0] ?? ''
  if (run.length > MAX_LENGTH) return undefined
  const marked = run.slice(0, findMark(run))
  const value = trimEnd(marked)
  if (!isUnquotedSecret(assigned, value, marked)) return undefined
  return {
    start: index,
    end: index + value.length,
    rule: isVariable && !isSpaced ? 'variable' : 'setting',
  }
}
