import { findMark, isPlaceholder } from './placeholders.ts'

/** A secret that a rule has found: a range of the text, and the rule. */
export interface FoundRange {
  start: number
  end: number
  rule: string
}

/** The minimum length of a value. A shorter one cannot be distinguished from other text. */
const MIN_LENGTH = 6

/** The maximum length of a value. More characters without a blank are data. It must be less than what neighbouring parts of a search share. */
export const MAX_LENGTH = 8192

/** The end of a name whose value is a secret, and what is between the name and the value. None of the patterns can be slow: each part ends where the next begins. */
const ASSIGNMENT =
  /(PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|SECRET|TOKEN|(?:API|ACCESS|ACCOUNT|PRIVATE|SECRET|ENCRYPTION|SIGNING|MASTER)[ _-]?KEY|SECRET_KEY_BASE|CREDENTIALS?|_AUTH)(?:_ID)?(["'`]?\*{0,2}[ \t\u00A0]{0,8})(=>|:=|[:=：])(?![=>])(\*{0,2}[ \t\u00A0]{0,8})/gi

/** Names of a place in a list, which is no secret. */
const PAGE_TOKEN = /(?:page|continuation|continue|cursor|next|prev(?:ious)?|sync)[_-]?token$/i

/** A name whose value is often words: the scope of a highlighter, a mode of `fetch`. */
const WORD_NAME = /(?:token|credentials?)$/i
const WORD_VALUE = /^(?:[a-z]+(?:[._-][a-z]+)+|include)$/

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

const QUOTED: Readonly<Record<string, RegExp>> = Object.fromEntries(
  ['"', "'", '`'].map((quote) => [
    quote,
    new RegExp(String.raw`((?:[^\n\\${quote}]|\\.){0,${MAX_LENGTH}})${quote}`, 'y'),
  ]),
)

/** Characters after a value that are no part of it. */
const PUNCTUATION = new Set(',;.:!?*|')
const BRACKETS = new Set(')]}')

/** Names, paths, addresses and types, which a program or a document writes where a value could be. */
const NOT_A_VALUE = [
  // A call, an element or a member: readToken(…), tokens[1], config.token2.
  /^[A-Za-z_]\w*(?:\.\w+)*\((?:.*\).*)?$/,
  /^[A-Za-z_]\w*\[/,
  // The root of a path, or a path from here.
  /^(?:~|\.{1,2})?\/(?:$|(?:home|usr|etc|var|tmp|opt|run|root|mnt|srv|dev|proc|app|users|private|workspace|secrets?)\b)/i,
  /^(?:~|\.{1,2})[/\\]/,
]

/** Versions, numbers of objects, colours, paths and calls, which are no secrets whatever their name. */
const NEVER_A_VALUE = [
  /^[\^~<>=v]{0,3}\d+(?:\.\d+){2,12}(?:[-+][\w.-]+)?$/,
  /^#(?:[\da-f]{3,4}){1,2}$/i,
  /^urn:[a-z]/i,
  /^\/[a-z_-]+$/i,
  /^\/?(?:[\w.-]+\/)+[\w.-]+\.[a-z]{2,5}$/i,
  /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+\(/,
  /^[\w$]+\?[A-Za-z_$][\w$]*[.(]/,
]

/** The minimum length of a word of letters that is a token. A shorter one is a word of a language. */
const MIN_WORD = 16

/** Parts of words that stand for a secret in an example, or say something about one. */
const EXAMPLE_WORD =
  /secret|token|key|pass|cred|auth|your|^my|example|sample|test|dummy|fake|place|holder|here|value|change|insert|replace|none|null|false|true|string|undefined|empty|bearer|required|optional|default|public|private|abc|xyz|foo|bar/i

/** Whether a word of letters can be a password of the environment: it stands after a name in capitals, and is not an example. */
function isVariableWord(value: string): boolean {
  return /^[A-Za-z]{8,}$/.test(value) && !EXAMPLE_WORD.test(value)
}

/** Words that a sentence about a secret has, and hardly a passphrase. */
const SENTENCE =
  /[.!?:…]$|^[A-Z][^\d]*\b(?:password|passphrase|secret|token|key|credentials?)\b|\b(?:the|an?|of|is|are|was|must|may|not|no|your|for|to|in|with|at least|characters?|chars|bytes|days?|hours?|minutes?|seconds?|passwords?|secrets?|tokens?|keys?|credentials?|from|this|that|if|and|or|by|be|has|have|on|see|use[ds]?|using|enter|invalid|missing|expired|expires)\b/i

/** The maximum number of words of a passphrase, and of one after a name that is often used for other things. */
const MAX_WORDS = 12
const MAX_SHORT_WORDS = 4

/** Whether a text of several words is a sentence, code or a list, and not a passphrase. */
function isSentence(name: string, value: string): boolean {
  const most = isShortName(name) ? MAX_SHORT_WORDS : MAX_WORDS
  return (
    SENTENCE.test(value) ||
    value.split(/\s+/).length > most ||
    /[$<>{}|;=]|\(\)|, |\\[nrt]/.test(value)
  )
}

/** Whether a value is certainly no secret: a name of something, or a word where no password stands. */
function isNeverSecret({ name, isVariable }: Assignment, value: string): boolean {
  if (NEVER_A_VALUE.some((pattern) => pattern.test(value))) return true
  const isPassword = /(?:pass|passw(?:or)?d|passphrase|pwd)$/i.test(name)
  if (!isPassword && value.length < MIN_WORD && /^[A-Za-z]+$/.test(value))
    return !(isVariable && isVariableWord(value))
  if (isPassword && /\d/.test(value)) return false
  const isName = /^_?[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/.test(value) || /^\w*[a-z\d][A-Z]\w*$/.test(value)
  const [own, other] = [toLetters(name), toLetters(value)]
  return isName && (own.endsWith(other) || other.endsWith(own))
}

function toLetters(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]/g, '')
}

/** The same as `NOT_A_VALUE`, where blanks between the name and the value could be those of prose or of a program. */
const NOT_A_SPACED_VALUE = [
  ...NOT_A_VALUE,
  /^[A-Za-z_]\w*(?:\??\.[A-Za-z_]\w*)+$/,
  /^[a-z][a-z\d+.-]*:\/\//i,
  /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/,
  /^[*&][A-Za-z]/,
  /^[A-Za-z_]*(?:password|passwd|passphrase|secret|token|credential)[A-Za-z_]*\d*$/i,
  /^(?:x509|(?:sha|md|aes|[hrep]s|ed|rfc|iso|utf|base|u?int|float|bigint|string|varchar|char|oauth|bcrypt|argon|pbkdf|scrypt)[-_]?\d{1,5}(?:id|d|Array|[-_][a-z\d_-]{1,12})?)$/i,
  /^id_(?:rsa|ed25519|ecdsa|dsa)\b/,
  /^\d{4}-\d{2}-\d{2}/,
]

const hasDigit = (value: string): boolean => /\d/.test(value)
const hasDigitAndLetter = (value: string): boolean => hasDigit(value) && /[A-Za-z]/.test(value)

/** Finds values by the names that they are given, in forms that the rules of secretlint do not have. */
export function findAssignedSecrets(text: string): readonly FoundRange[] {
  const ranges: FoundRange[] = []
  ASSIGNMENT.lastIndex = 0
  for (let match = ASSIGNMENT.exec(text); match; match = ASSIGNMENT.exec(text)) {
    const [whole, word = '', before = '', sign = '', after = ''] = match
    const name = readName(text, match.index) + word
    if (PAGE_TOKEN.test(name)) continue
    const start = match.index + whole.length
    const isSpaced = /\s/.test(before + after)
    const assigned = {
      name,
      sign,
      isSpaced,
      isVariable: sign === '=' && !isSpaced && name === name.toUpperCase() && !isShortName(name),
      isDeclared: /\b(?:const|let|var|val|auto)\s{1,8}$/.test(
        text.slice(
          Math.max(0, match.index - name.length - 16),
          match.index + word.length - name.length,
        ),
      ),
    }
    const range =
      readQuoted(text, start, assigned) ??
      toClosingQuote(text, start, readUnquoted(text, start, assigned))
    if (!range) continue
    ranges.push(range)
    ASSIGNMENT.lastIndex = Math.max(range.end, ASSIGNMENT.lastIndex)
  }
  return ranges
}

interface Assignment {
  name: string
  /** What is between the name and the value: `=`, `:`, `=>`, `:=`, or the wide colon of Chinese and Japanese. */
  sign: string
  isSpaced: boolean
  /** Whether the name is that of a variable of the environment: in capitals, with `=` and without blanks. */
  isVariable: boolean
  /** Whether the name is one that a program declares. */
  isDeclared: boolean
}

function readName(text: string, end: number): string {
  let start = end
  while (start > 0 && end - start < MAX_NAME && NAME_CHARACTER.test(text.charAt(start - 1)))
    start -= 1
  return text.slice(start, end)
}

/** `password: "…"`, `token = '…'`, `"api_key":"…"`, `API_KEY="…"`. */
function readQuoted(
  text: string,
  quoteIndex: number,
  assigned: Assignment,
): FoundRange | undefined {
  const { name, isVariable } = assigned
  const quote = text.charAt(quoteIndex)
  const pattern = QUOTED[quote]
  if (!pattern) return undefined
  pattern.lastIndex = quoteIndex + 1
  const quoted = pattern.exec(text)?.[1]
  if (quoted === undefined) return undefined
  const value = quoted.slice(0, findMark(quoted))
  if (value.length < MIN_LENGTH || isPlaceholder(value) || isNeverSecret(assigned, value))
    return undefined
  if (/\s/.test(value)) {
    if (quote === '`' || !(hasDigit(value) || isVariable)) return undefined
    if (!/passphrase$/i.test(name) && isSentence(name, value)) return undefined
  }
  const isWeak = quote === '`' || isShortName(name) || /[$<>{}]/.test(value)
  if (isWeak && !hasDigitAndLetter(value)) return undefined
  if (WORD_NAME.test(name) && WORD_VALUE.test(value)) return undefined
  if (/\{\w*\}|<\w+>/.test(value)) return undefined
  if (isWeak && NOT_A_VALUE.some((each) => each.test(value))) return undefined
  const start = quoteIndex + 1
  return { start, end: start + value.length, rule: 'field' }
}

/** The maximum length of a text between quotation marks whose first word is a secret. */
const MAX_REST = 200

/** Extends a value that begins a text between quotation marks to the second mark: the other words may belong to it. */
function toClosingQuote(
  text: string,
  quoteIndex: number,
  range: FoundRange | undefined,
): FoundRange | undefined {
  const quote = text.charAt(quoteIndex)
  const pattern = quote === '`' ? undefined : QUOTED[quote]
  if (!range || !pattern) return range
  pattern.lastIndex = quoteIndex + 1
  const quoted = pattern.exec(text)?.[1] ?? ''
  const end = range.start + findMark(quoted)
  return quoted.length > MAX_REST || end < range.end ? range : { ...range, end }
}

/** Whether a name is often used for what is no secret: the folder of a program (`PWD`), or a test that has passed. */
function isShortName(name: string): boolean {
  return /(?:^|[a-z\d])(?:pwd|pass)$/i.test(name)
}

/** `DB_PASSWORD=…`, `password=…`, `password: …`, `password = …`. */
function readUnquoted(text: string, index: number, assigned: Assignment): FoundRange | undefined {
  const { name, sign, isSpaced, isVariable, isDeclared } = assigned
  if (sign !== '=' && sign !== ':' && sign !== '：') return undefined
  // The text may end, or break off, before its second quotation mark.
  const start = QUOTED[text.charAt(index)] ? index + 1 : index
  UNQUOTED.lastIndex = start
  const run = UNQUOTED.exec(text)?.[0] ?? ''
  if (run.length > MAX_LENGTH) return undefined
  const marked = run.slice(0, findMark(run))
  const value = trimEnd(marked)
  if (value.length < MIN_LENGTH || isPlaceholder(value) || isPlaceholder(marked)) return undefined
  if (isNeverSecret(assigned, value) || isNeverSecret(assigned, marked)) return undefined
  if (/^pwd$|^oldpwd$/i.test(name) && /^(?:[/~.]|[A-Za-z]:[/\\])/.test(value)) return undefined
  const range = { start, end: start + value.length }
  if (isSpaced) {
    if (isDeclared || !hasDigitAndLetter(value)) return undefined
    // A function or a method continues after a bracket, as in `token = read2(`.
    if (NOT_A_SPACED_VALUE.some((pattern) => pattern.test(marked) || pattern.test(value)))
      return undefined
    return { ...range, rule: 'setting' }
  }
  if (NOT_A_VALUE.some((pattern) => pattern.test(marked))) return undefined
  if (!isVariable && !hasDigit(value)) return undefined
  return { ...range, rule: isVariable ? 'variable' : 'setting' }
}

/** Removes punctuation from the end, and brackets if one of them has no opening one. */
function trimEnd(value: string): string {
  const hasBrackets = !isBalanced(value)
  let end = value.length
  for (; end > 0; end--) {
    const last = value.charAt(end - 1)
    if (!PUNCTUATION.has(last) && !(hasBrackets && BRACKETS.has(last))) break
  }
  return value.slice(0, end)
}

/** Whether each closing bracket has an opening one, so that a bracket at the end is a part of the value. */
function isBalanced(value: string): boolean {
  const count = (bracket: RegExp): number => value.match(bracket)?.length ?? 0
  return count(/[)\]}]/g) <= count(/[([{]/g)
}
