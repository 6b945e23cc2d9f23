import { isPlaceholder } from './placeholders.ts'
import type { Closing, Opening } from './quoted-values.ts'

/** The name of a secret, and how its value is given to it. */
export interface Assignment {
  name: string
  /** The index of the first character of the name. */
  nameStart: number
  /** What is between the name and the value: `=`, `:`, `=>`, `:=`, or the wide colon of Chinese and Japanese. */
  sign: string
  isSpaced: boolean
  /** Whether the name has a quotation mark of its own, as in JSON. */
  isQuoted: boolean
  /** Whether the name is that of a variable of the environment: in capitals, with `=` and without blanks. */
  isVariable: boolean
  /** Whether the name is one that a program declares. */
  isDeclared: boolean
}

/** The minimum length of a value. A shorter one cannot be distinguished from other text. */
const MIN_LENGTH = 6

/** A name whose value is often words: the scope of a highlighter, a mode of `fetch`. */
const WORD_NAME = /(?:token|credentials?)$/i
const WORD_VALUE = /^(?:[a-z]+(?:[._-][a-z]+)+|include)$/

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
export function isSentence(name: string, value: string): boolean {
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

export const hasDigit = (value: string): boolean => /\d/.test(value)
export const hasDigitAndLetter = (value: string): boolean =>
  hasDigit(value) && /[A-Za-z]/.test(value)

/** What a list of rules or of texts has: `min:8`, and sizes of a design. */
const NOT_A_PART = [...NOT_A_SPACED_VALUE, /^\w+:\d+$/, /^[\d.]+[a-z%]{1,4}$/i, /^x-[a-z\d-]+$/i]

/** Whether a name is often used for what is no secret: the folder of a program (`PWD`), or a test that has passed. */
export function isShortName(name: string): boolean {
  return /(?:^|[a-z\d])(?:pwd|pass)$/i.test(name)
}

/** How a quoted value is written. */
type QuotedForm = Pick<Opening, 'quote' | 'prefix' | 'inside'> & Pick<Closing, 'isLong'>

/** Whether a value in quotation marks can be a secret. */
export function isQuotedSecret(assigned: Assignment, value: string, form: QuotedForm): boolean {
  const { name, isVariable } = assigned
  const { quote, prefix, inside } = form
  if (value.length < MIN_LENGTH || isPlaceholder(value) || isNeverSecret(assigned, value))
    return false
  if (/\s/.test(value)) {
    // A sentence has typographic quotation marks, and numbers that are words.
    if (quote === '`' || !(hasDigit(value) || isVariable)) return false
    if (form.isLong && value.includes('\n')) return false
    if (quote > '\u007F' && !/[A-Za-z]\d|\d[A-Za-z]/.test(value)) return false
    if (!/passphrase$/i.test(name) && isSentence(name, value)) return false
  }
  const isPart = inside === 'list' || inside === 'object'
  const isWeak =
    quote === '`' || prefix !== '' || isPart || isShortName(name) || /[$<>{}]/.test(value)
  if (isWeak && !hasDigitAndLetter(value)) return false
  if (WORD_NAME.test(name) && WORD_VALUE.test(value)) return false
  if (/\{\w*\}|<\w+>/.test(value)) return false
  if (isWeak && NOT_A_VALUE.some((each) => each.test(value))) return false
  if (isPart && NOT_A_PART.some((each) => each.test(value))) return false
  return !(/r/i.test(prefix) && PATTERN.test(value))
}

/** What the pattern of a program has. */
const PATTERN = /\\[A-Za-z.]|\[[^\]]*-|\(\?|[+*]$/

/** Whether a value without quotation marks can be a secret. `marked` is the value with the punctuation after it. */
export function isUnquotedSecret(assigned: Assignment, value: string, marked: string): boolean {
  const { name, isSpaced, isVariable, isDeclared } = assigned
  if (value.length < MIN_LENGTH || isPlaceholder(value) || isPlaceholder(marked)) return false
  if (isNeverSecret(assigned, value) || isNeverSecret(assigned, marked)) return false
  if (/^pwd$|^oldpwd$/i.test(name) && /^(?:[/~.]|[A-Za-z]:[/\\])/.test(value)) return false
  if (isSpaced) {
    if (isDeclared || !hasDigitAndLetter(value)) return false
    // A function or a method continues after a bracket, as in `token = read2(`.
    return !NOT_A_SPACED_VALUE.some((pattern) => pattern.test(marked) || pattern.test(value))
  }
  return !NOT_A_VALUE.some((pattern) => pattern.test(marked)) && (isVariable || hasDigit(value))
}

/** Removes punctuation from the end, and brackets if one of them has no opening one. */
export function trimEnd(value: string): string {
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
