import { BIT, type FormBits, type LetterCase } from './secret-forms.ts'

/** A place of a text where a value stands, as Latin-1: each character is a byte. */
export interface SecretPlace {
  start: number
  end: number
  forms: FormBits
  /** What to write there, of the same number of characters. Absent for a value that is not encoded as a whole: any text can replace it. */
  encoded?: string
}

/** A value to search for. */
export interface Secret {
  /** Its characters, each in the letter cases that match. */
  characters: readonly Character[]
  /** The value as a whole in hexadecimal and base64. */
  encodings: readonly Encoded[]
  /** Matches the first character of the value in any form that is written character by character. */
  begin: RegExp
}

/** One character of a value. */
interface Character {
  /** The character as it is in the value, then in other letter cases. */
  cases: readonly string[]
  /** The UTF-8 bytes of each as Latin-1. */
  written: readonly string[]
  codes: ReadonlySet<number>
  code: number
}

/** A value that is encoded as a whole. */
interface Encoded {
  form: FormBits
  /** The characters that only the value determines. */
  text: string
  /** What replaces them. */
  filled: string
  /** Bits of the value in the character before and after `text`, whose other bits belong to its neighbours. */
  before: SharedCharacter | undefined
  after: SharedCharacter | undefined
}

interface SharedCharacter {
  mask: number
  bits: number
}

/** The characters of base64 by their bits. The last two are those of addresses. */
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_'

/** Prepares a value for the search. `fill` is the byte that replaces its bytes inside an encoding, as one ASCII character. */
export function prepareSecret(value: string, letterCase: LetterCase, fill: string): Secret {
  const isExact = letterCase === 'exact'
  const characters = Array.from(value, (char): Character => {
    const cases = isExact ? [char] : [char, char.toLowerCase(), char.toUpperCase()]
    const same = [...new Set(cases)].filter((each) => Array.from(each).length === 1)
    return {
      cases: same,
      written: same.map(toLatin1),
      codes: new Set(same.map(getCode)),
      code: getCode(char),
    }
  })
  const values = isExact ? [value] : [value, value.toLowerCase(), value.toUpperCase()]
  return {
    characters,
    encodings: [...new Set(values)].flatMap((each) => encodeWhole(Buffer.from(each), fill)),
    begin: getBegin(characters),
  }
}

/** Returns a pattern of the first character in each of its forms, with a look at the byte after it, so that most other places are passed at once. */
function getBegin([first, second]: readonly Character[]): RegExp {
  const forms = first
    ? first.written.flatMap((each, index) => getForms(each, first.cases[index] ?? ''))
    : []
  const next = second?.written.map((each) => toPattern(each.slice(0, 1))) ?? []
  return new RegExp(`(?:${forms.join('|')})(?=[${next.join('')}\\\\%+])`, 'g')
}

function getForms(bytes: string, char: string): readonly string[] {
  const hex = Buffer.from(bytes, 'latin1').toString('hex')
  const unit = char.charCodeAt(0).toString(16).padStart(4, '0')
  const control = Object.keys(CONTROLS).find((letter) => CONTROLS[letter] === getCode(char))
  return [
    toPattern(bytes),
    inAnyCase(hex.replaceAll(/../g, '%$&')),
    `\\\\{1,2}u${inAnyCase(unit)}`,
    ...(char === ' ' ? ['\\+'] : []),
    ...(control === undefined ? [] : [`\\\\{1,2}${control}`]),
    ...(char === '"' || char === '/' ? [`\\\\(?:\\\\{2})?${char}`] : []),
  ]
}

const toPattern = (bytes: string): string =>
  Buffer.from(bytes, 'latin1').toString('hex').replaceAll(/../g, '\\x$&')
const inAnyCase = (hex: string): string =>
  hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

const toLatin1 = (text: string): string => Buffer.from(text).toString('latin1')
const getCode = (char: string): number => char.codePointAt(0) ?? 0

/** Finds a value in a text, in each of its forms. Places may overlap. */
export function findSecret(text: string, secret: Secret): readonly SecretPlace[] {
  return [...findWritten(text, secret, 'escaped'), ...findEncoded(text, secret)]
}

/** Finds a value that is written character by character; with `escaped`, each of them may be an escape of JSON or of an address. */
export function findWritten(
  text: string,
  { begin, characters }: Secret,
  level: 'plain' | 'escaped',
): readonly SecretPlace[] {
  const places: SecretPlace[] = []
  begin.lastIndex = 0
  for (let found = begin.exec(text); found; found = begin.exec(text)) {
    const place = matchAt(text, found.index, characters, level)
    if (!place) continue
    places.push(place)
    begin.lastIndex = place.end
  }
  return places
}

/** Matches all characters at a place. A backslash can begin several escapes, so all places that were reached go on together. */
function matchAt(
  text: string,
  start: number,
  characters: readonly Character[],
  level: 'plain' | 'escaped',
): SecretPlace | undefined {
  let reached = new Map<number, FormBits>([[start, 0]])
  for (const character of characters) {
    const next = new Map<number, FormBits>()
    for (const [at, forms] of reached) {
      const plain = readPlain(text, at, character)
      if (plain) next.set(plain.end, forms | plain.forms)
      if (level === 'plain' || !ESCAPES.has(text[at] ?? '')) continue
      for (const read of readEscapes(text, at)) {
        if (!character.codes.has(read.code) || next.has(read.end)) continue
        const letterCase = read.code === character.code ? 0 : BIT.letterCase
        next.set(read.end, forms | read.forms | letterCase)
      }
    }
    if (next.size === 0) return undefined
    reached = next
  }
  const [[end, forms] = [start, 0]] = reached
  return { start, end, forms }
}

const ESCAPES = new Set('\\%+')

interface ReadCharacter {
  end: number
  forms: FormBits
}

function readPlain(text: string, at: number, { written }: Character): ReadCharacter | undefined {
  const index = written.findIndex((each) => text.startsWith(each, at))
  const [length, forms] = [written[index]?.length ?? 0, index > 0 ? BIT.letterCase : 0]
  return index === -1 ? undefined : { end: at + length, forms }
}

interface Escape extends ReadCharacter {
  code: number
}

const CONTROLS: Readonly<Record<string, number>> = { b: 8, f: 12, n: 10, r: 13, t: 9 }
const UNIT = /\\{1,2}u([\dA-Fa-f]{4})/y
const CONTROL = /\\{1,2}([bfnrt])/y
const QUOTED = /\\(?:\\{2})?(["/])/y
const BACKSLASHES = /\\{2}(?:\\{2})?/y
const BYTES = /(?:%[\dA-Fa-f]{2}){1,4}/y

/** Reads the escapes of JSON, also of JSON in JSON, and of addresses that begin at a place. */
function readEscapes(text: string, at: number): readonly Escape[] {
  switch (text.charAt(at)) {
    case '+':
      return [{ code: 0x20, end: at + 1, forms: BIT.percent }]
    case '%':
      return readPercent(text, at)
    case '\\':
      return readBackslash(text, at).map((read) => ({ ...read, forms: BIT.json }))
    default:
      return []
  }
}

function readPercent(text: string, at: number): readonly Escape[] {
  const [bytes] = matchFrom(BYTES, text, at) ?? []
  if (bytes === undefined) return []
  const decoded = Buffer.from(bytes.replaceAll('%', ''), 'hex').toString()
  const code = getCode(decoded)
  const length = Buffer.byteLength(String.fromCodePoint(code))
  return [{ code, end: at + 3 * length, forms: BIT.percent }]
}

/** Returns every meaning of a backslash: three of them and a quotation mark are one escape in JSON in JSON, or two in JSON. */
function readBackslash(text: string, at: number): readonly Omit<Escape, 'forms'>[] {
  const control = matchFrom(CONTROL, text, at)
  const quoted = matchFrom(QUOTED, text, at)
  const length = matchFrom(BACKSLASHES, text, at)?.[0].length ?? 0
  return [
    ...readUnit(text, at),
    ...(control ? [{ code: CONTROLS[control[1] ?? ''] ?? 0, end: at + control[0].length }] : []),
    ...(quoted ? [{ code: getCode(quoted[1] ?? ''), end: at + quoted[0].length }] : []),
    ...[2, 4].filter((each) => each <= length).map((each) => ({ code: 0x5c, end: at + each })),
  ]
}

function readUnit(text: string, at: number): readonly Omit<Escape, 'forms'>[] {
  const unit = matchFrom(UNIT, text, at)
  if (!unit) return []
  const end = at + unit[0].length
  const high = Number.parseInt(unit[1] ?? '', 16)
  const low = high >= 0xd800 && high < 0xdc00 ? matchFrom(UNIT, text, end) : undefined
  if (!low) return [{ code: high, end }]
  const code = getCode(String.fromCharCode(high, Number.parseInt(low[1] ?? '', 16)))
  return [{ code, end: end + low[0].length }]
}

function matchFrom(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

/** Encodes a value as a whole: in hexadecimal, and in base64 with no, one or two bytes of others before it. */
function encodeWhole(value: Buffer, fill: string): readonly Encoded[] {
  const bytes = Buffer.from(fill.repeat(value.length))
  const [hex, filled] = [value.toString('hex'), bytes.toString('hex')]
  const whole = { form: BIT.hex, before: undefined, after: undefined }
  const capitals = { ...whole, text: hex.toUpperCase(), filled: filled.toUpperCase() }
  return [
    { ...whole, text: hex, filled },
    ...(capitals.text === hex ? [] : [capitals]),
    ...[0, 1, 2].flatMap((shift) => encodeBase64(value, bytes, shift)),
  ]
}

const withUrl = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_')

function encodeBase64(value: Buffer, fill: Buffer, shift: number): readonly Encoded[] {
  const from = shift * 8
  const to = from + value.length * 8
  const [first, last] = [Math.ceil(from / 6), Math.floor(to / 6)]
  const encode = (bytes: Buffer): string =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replaceAll('=', '')
  const [coded, filled] = [encode(value), encode(fill)]
  const bitsAt = (index: number): number => BASE64.indexOf(filled[index] ?? '')
  // The low bits of the character before belong to the value, and the high bits of the one after.
  const before =
    from % 6 === 0 ? undefined : { mask: (1 << (6 - (from % 6))) - 1, bits: bitsAt(first - 1) }
  const after =
    to % 6 === 0 ? undefined : { mask: 0x3f & ~((1 << (6 - (to % 6))) - 1), bits: bitsAt(last) }
  const standard = {
    form: BIT.base64,
    text: coded.slice(first, last),
    filled: filled.slice(first, last),
    before,
    after,
  }
  const forms = [standard]
  if (/[+/]/.test(standard.text))
    forms.push({
      ...standard,
      text: withUrl(standard.text),
      filled: withUrl(standard.filled),
    })
  // JSON may write a slash as \/.
  if (standard.text.includes('/'))
    forms.push({ ...standard, text: standard.text.replaceAll('/', '\\/') })
  return forms
}

function findEncoded(text: string, { encodings }: Secret): readonly SecretPlace[] {
  const places: SecretPlace[] = []
  for (const encoded of encodings) {
    for (let at = text.indexOf(encoded.text); at !== -1; at = text.indexOf(encoded.text, at + 1))
      places.push(toPlace(text, at, encoded))
  }
  return places
}

function toPlace(text: string, at: number, encoded: Encoded): SecretPlace {
  const behind = at + encoded.text.length
  const before = fillShared(text[at - 1], encoded.before)
  const after = fillShared(text[behind], encoded.after)
  return {
    start: at - before.length,
    end: behind + after.length,
    forms: encoded.form,
    encoded: before + encoded.filled + after,
  }
}

/**
 * Returns a character of base64 without the bits of the value; empty if there is no such character. The bits of the bytes that replace a value (`FILLS`)
 * never make one of the characters in which the two alphabets differ.
 */
function fillShared(char: string | undefined, shared: SharedCharacter | undefined): string {
  const index = char === undefined ? -1 : BASE64.indexOf(char)
  if (!shared || index === -1) return ''
  const bits = index < 64 ? index : index - 2
  return BASE64[(bits & ~shared.mask) | (shared.bits & shared.mask)] ?? ''
}
