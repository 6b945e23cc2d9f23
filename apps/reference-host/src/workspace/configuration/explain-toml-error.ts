/** Where a parser of TOML stopped, and its reason. */
interface TomlError {
  /** From 1. */
  line: number
  /** From 1. */
  column: number
  message: string
}

/** The longest part of a file that a message repeats. */
const MAX_QUOTED = 40

/** The longest value that a message repeats: a longer one may be a secret. */
const MAX_VALUE = 20

/** A key whose value is not repeated. */
const SECRET_KEY = /key|token|secret|password|auth|credential/i

/** The characters beside the place of an error that are read. Patterns would take quadratic time for a long line. */
const MAX_READ = 200

/** The words of other formats for a value of TOML. */
const WORDS_OF_OTHERS: Readonly<Record<string, string>> = {
  true: 'true',
  yes: 'true',
  on: 'true',
  false: 'false',
  no: 'false',
  off: 'false',
}

const NO_VALUE = /^(?:null|none|nil|undefined)$/i

const VALUE = 'a text in quotes, a number, true, false, a list or a table'

/** Says what a file is that is no TOML as a whole. */
export function explainOtherFile(text: string): string | undefined {
  if (text.includes('\0')) return 'expected UTF-8 text, got a NUL character; save the file as UTF-8'
  return /^\s*\{/.test(text)
    ? 'expected TOML, got JSON; write each field as key = value, and each object as a table: [tools.NAME]'
    : undefined
}

/** Says what was expected where a parser stopped, what is there, and for the usual slips what to write. */
export function explainTomlError(text: string, error: TomlError): TomlError {
  const all = text.split('\n')
  const whole = (all[error.line - 1] ?? '').replace(/\r$/, '')
  const lines = all.map((each) => each.slice(0, MAX_READ))
  const offset = error.column - 1
  const context = {
    line: whole.slice(0, MAX_READ),
    before: whole.slice(Math.max(0, offset - MAX_READ), offset),
    rest: whole.slice(offset, offset + MAX_READ),
  }
  const about = (message: string): TomlError => ({ ...error, message })
  if (isAfterEquals(lines, error)) return explainMissingValue(lines, error)
  switch (error.message) {
    case 'Defining a key multiple times is invalid':
      return about(explainRepeated(lines, error, context))
    case 'Invalid character in escape sequence':
      return about(explainEscape(context))
    case 'Unterminated string constant':
      return about(
        'the text is not closed: expected a quotation mark at its end; a text of several lines begins and ends with three',
      )
    case 'Must be a newline':
      return about(explainRest(context))
    case 'Expected comma (,) token':
      return about(`expected "," before the next value, got ${quoteStart(context.rest)}`)
    default:
      return about(explainCharacter(context, error.message))
  }
}

interface ErrorContext {
  line: string
  /** What comes before the character at which the parser stopped. */
  before: string
  /** That character and what follows it. */
  rest: string
}

const shorten = (text: string): string =>
  text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text

function quote(text: string): string {
  return JSON.stringify(shorten(text))
}

/** Quotes the first character, or says that the line has ended. */
function quoteStart(rest: string): string {
  const [first] = rest
  return first === undefined ? 'the end of the line' : quote(first)
}

function explainRepeated(
  lines: readonly string[],
  { line }: TomlError,
  { before, rest }: ErrorContext,
): string {
  const written = (lines[line - 1] ?? '').trim()
  const isHeader = written.startsWith('[')
  const name = isHeader ? readHeader(written) : readKey(before.includes('=') ? rest : written)
  const earlier = lines
    .slice(0, line - 1)
    .map((each) => each.trim())
    .findLastIndex((each) => readKey(each) === name || (isHeader && readHeader(each) === name))
  const what = isHeader ? `the table [${shorten(name)}]` : `the key ${shorten(name)}`
  return earlier === -1
    ? `${what} is written twice, or a part of it is a value already; write it once`
    : `${what} is written twice: line ${earlier + 1} has it too; write it once`
}

/** Returns the name of a table from its header, without spaces. */
function readHeader(line: string): string {
  return line.startsWith('[') ? (/^\[+([^\]]*)\]/.exec(line)?.[1] ?? '').replaceAll(/\s/g, '') : ''
}

function readKey(line: string): string {
  return line.startsWith('#') ? '' : (/^[^=]*(?==)/.exec(line)?.[0] ?? '').trim()
}

/** Whether the line before is a key without a value: the parser stops at what follows it. */
function isAfterEquals(lines: readonly string[], { line, column, message }: TomlError): boolean {
  const before = (lines[line - 1] ?? '').slice(0, column - 1).trim()
  return (
    message === 'Unspecified values are invalid' ||
    (before === '' && /=\s*$/.test(lines[line - 2] ?? ''))
  )
}

function explainMissingValue(lines: readonly string[], error: TomlError): TomlError {
  const end = lines.slice(0, error.line).findLastIndex((line) => /=\s*(?:#.*)?$/.test(line))
  const line = end === -1 ? error.line : end + 1
  const column = end === -1 ? error.column : (lines[end] ?? '').lastIndexOf('=') + 2
  return { line, column, message: `expected ${VALUE} after "=", got the end of the line` }
}

function explainEscape({ line, before, rest }: ErrorContext): string {
  // The parser stops behind the backslash, or at the first character that does not fit.
  const backslash = before.lastIndexOf('\\')
  const escape = backslash === -1 ? rest.slice(0, 2) : line.slice(backslash, backslash + 2)
  return `the text contains ${escape}, which means nothing in TOML; write a path in single quotes ('C:\\folder'), or each backslash twice`
}

function explainRest({ before, rest }: ErrorContext): string {
  const got = `expected the end of the line after the value, got ${rest === '' ? 'a value that is not complete' : quote(rest)}`
  if (/^[,;]/.test(rest)) return `${got}; remove the ${quote(rest.slice(0, 1))}`
  if (before.trimEnd().endsWith("'")) return `${got}; write a text that contains ' in double quotes`
  return got
}

function explainCharacter({ line, before, rest }: ErrorContext, reason: string): string {
  const key = before.trim()
  if (rest.startsWith(':')) {
    const name = shorten(/[^\s{,[]*$/.exec(key)?.[0] ?? key)
    return `expected "=" after the key ${name}, got ":"; write ${name} = …`
  }
  if (line.trimStart().startsWith('//'))
    return 'expected a key, got "//"; a comment begins with "#"'
  if (line.trimStart().startsWith('- '))
    return 'expected a key, got "-"; write a list as key = ["a", "b"]'
  if (/[=[,]$/.test(key)) return explainValue(key, rest)
  if (reason === 'Expected equal (=) token')
    return `expected "=" after the key ${shorten(key)}, got ${quoteStart(rest)}; write key = value, and a key with a space in quotes`
  // oxlint-disable-next-line no-control-regex -- TOML allows no other control characters
  if (/^[\0-\x08\x0A-\x1F\x7F]/.test(rest))
    return `expected text, got the control character ${quoteStart(rest)}`
  return key.includes('=')
    ? explainRest({ line, before, rest })
    : `expected a key or the header of a table, got ${quoteStart(rest)}`
}

function explainValue(before: string, rest: string): string {
  const written = rest.replace(/\s*(?:#.*)?$/, '')
  const word = /^[\p{L}\p{N}_]+/u.exec(written)?.[0] ?? ''
  const known = word === written.replace(/[\]},;].*$/, '') ? word.toLowerCase() : ''
  const isShown = written.length <= MAX_VALUE && !SECRET_KEY.test(before)
  const got = `got ${word === '' ? quoteStart(written) : isShown ? quote(written) : 'a text without quotes'}`
  if (NO_VALUE.test(known)) return `expected ${VALUE}, ${got}; TOML has no null: remove the key`
  if (Object.hasOwn(WORDS_OF_OTHERS, known))
    return `expected ${VALUE}, ${got}; write ${WORDS_OF_OTHERS[known]}`
  if (/^[+-]?\.\d/.test(written)) return `expected ${VALUE}, ${got}; write 0 before the point`
  if (/^[“”„‘’]/.test(written)) return `expected ${VALUE}, ${got}; write straight quotes: "`
  const isText = word !== '' && before.endsWith('=')
  const example = isShown ? JSON.stringify(written) : '"…"'
  const hint = isText ? `; write a text in quotes: ${shorten(before)} ${example}` : ''
  return `expected ${VALUE}, ${got}${hint}`
}
