import { type EncodedSecret, encodeSecret, findEncoded } from './encoded-secret.ts'
import { BIT, type FormBits, type LetterCase, type SecretSpan } from './secret-forms.ts'

/** A value to search for. */
export interface SearchedSecret {
  /** Its characters, each in the letter cases that match. */
  characters: readonly Character[]
  /** The value as a whole in hexadecimal and base64. */
  encodings: readonly EncodedSecret[]
  /** Matches the beginning of the value in any form that is written character by character. */
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

/** Prepares a value for the search. `fill` is the byte that replaces its bytes inside an encoding, as one ASCII character. */
export function prepareSecret(value: string, letterCase: LetterCase, fill: string): SearchedSecret {
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
    encodings: [...new Set(values)].flatMap((each) => encodeSecret(Buffer.from(each), fill)),
    begin: getBegin(characters),
  }
}

/** Number of characters that the pattern of the beginning has. It passes most other places at once, also in a text that repeats how a value begins. */
const BEGIN = 48

/** Number of times that a text was written as JSON. */
type Level = 0 | 1 | 2

/**
 * Returns a pattern of the first characters in each of their forms. At each level a character can be read in one way only, so that no text makes the
 * search try many.
 */
function getBegin(characters: readonly Character[]): RegExp {
  const levels = ([0, 1, 2] as const).map((level) =>
    characters
      .slice(0, BEGIN)
      .map(({ cases }) => `(?:${cases.flatMap((char) => getForms(char, level)).join('|')})`)
      .join(''),
  )
  return new RegExp(levels.join('|'), 'g')
}

function getForms(char: string, level: Level): readonly string[] {
  const bytes = toLatin1(char)
  const hex = Buffer.from(char).toString('hex')
  const everywhere = [
    inAnyCase(hex.replaceAll(/../g, '%$&')),
    ...(char === ' ' ? ['\\+'] : []),
    ...(char === '\\' && level > 0 ? [] : [toPattern(bytes)]),
  ]
  return level === 0 ? everywhere : [...everywhere, ...getEscapes(char, level)]
}

/** Returns the escapes of JSON for a character, written once or twice. */
function getEscapes(char: string, level: 1 | 2): readonly string[] {
  const control = Object.keys(CONTROLS).find((letter) => CONTROLS[letter] === getCode(char))
  const units = Array.from({ length: char.length }, (_, index) =>
    inAnyCase(char.charCodeAt(index).toString(16).padStart(4, '0')),
  )
  const own = level === 1 ? '\\\\' : '\\\\{2}'
  return [
    units.map((unit) => `\\\\{1,${level}}u${unit}`).join(''),
    ...(control === undefined ? [] : [own + control]),
    ...(char === '\\' ? [own + own] : []),
    ...(char === '"' ? [`\\\\{${2 * level - 1}}"`] : []),
    ...(char === '/' ? [`\\\\{1,${2 * level - 1}}/`] : []),
  ]
}

const toPattern = (bytes: string): string =>
  Buffer.from(bytes, 'latin1').toString('hex').replaceAll(/../g, '\\x$&')
const inAnyCase = (hex: string): string =>
  hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

const toLatin1 = (text: string): string => Buffer.from(text).toString('latin1')
const getCode = (char: string): number => char.codePointAt(0) ?? 0

/** Finds a value in a text, in each of its forms. Places may overlap. */
export function findSecret(text: string, secret: SearchedSecret): readonly SecretSpan[] {
  return [...findWritten(text, secret, 'escaped'), ...findEncoded(text, secret.encodings)]
}

/** Finds a value that is written character by character; with `escaped`, each of them may be an escape of JSON or of an address. */
export function findWritten(
  text: string,
  { begin, characters }: SearchedSecret,
  level: 'plain' | 'escaped',
): readonly SecretSpan[] {
  const places: SecretSpan[] = []
  begin.lastIndex = 0
  for (let match = begin.exec(text); match; match = begin.exec(text)) {
    const secretPlace = matchAt(text, match.index, characters, level)
    if (secretPlace) places.push(secretPlace)
    begin.lastIndex = secretPlace?.end ?? match.index + 1
  }
  return places
}

/** Matches all characters at a place. A backslash can begin several escapes, so all places that were reached go on together. */
function matchAt(
  text: string,
  start: number,
  characters: readonly Character[],
  level: 'plain' | 'escaped',
): SecretSpan | undefined {
  let reached = new Map<number, FormBits>([[start, 0]])
  for (const character of characters) {
    const next = new Map<number, FormBits>()
    for (const [position, forms] of reached) {
      const plain = readPlain(text, position, character)
      if (plain) next.set(plain.end, forms | plain.forms)
      if (level === 'plain' || !ESCAPES.has(text[position] ?? '')) continue
      for (const read of readEscapes(text, position)) {
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

function readPlain(
  text: string,
  position: number,
  { written }: Character,
): ReadCharacter | undefined {
  const index = written.findIndex((each) => text.startsWith(each, position))
  const [length, forms] = [written[index]?.length ?? 0, index > 0 ? BIT.letterCase : 0]
  return index === -1 ? undefined : { end: position + length, forms }
}

interface Escape extends ReadCharacter {
  code: number
}

const CONTROLS: Readonly<Record<string, number>> = { b: 8, f: 12, n: 10, r: 13, t: 9 }
const UNIT = /\\{1,2}u([\dA-Fa-f]{4})/y
const CONTROL = /\\{1,2}([bfnrt])/y
const QUOTED = /\\(?:\\{2})?"|\\{1,3}\//y
const BACKSLASHES = /\\{2}(?:\\{2})?/y
const BYTES = /(?:%[\dA-Fa-f]{2}){1,4}/y

/** Reads the escapes of JSON, also of JSON in JSON, and of addresses that begin at a place. */
function readEscapes(text: string, position: number): readonly Escape[] {
  switch (text.charAt(position)) {
    case '+':
      return [{ code: 0x20, end: position + 1, forms: BIT.percent }]
    case '%':
      return readPercent(text, position)
    case '\\':
      return readBackslash(text, position).map((read) => ({ ...read, forms: BIT.json }))
    default:
      return []
  }
}

function readPercent(text: string, position: number): readonly Escape[] {
  const [bytes] = matchFrom(BYTES, text, position) ?? []
  if (bytes === undefined) return []
  const decoded = Buffer.from(bytes.replaceAll('%', ''), 'hex').toString()
  const code = getCode(decoded)
  const length = Buffer.byteLength(String.fromCodePoint(code))
  return [{ code, end: position + 3 * length, forms: BIT.percent }]
}

/** Returns every meaning of a backslash: three of them and a quotation mark are one escape in JSON in JSON, or two in JSON. */
function readBackslash(text: string, position: number): readonly Omit<Escape, 'forms'>[] {
  const control = matchFrom(CONTROL, text, position)
  const quoted = matchFrom(QUOTED, text, position)
  const length = matchFrom(BACKSLASHES, text, position)?.[0].length ?? 0
  return [
    ...readUnit(text, position),
    ...(control
      ? [{ code: CONTROLS[control[1] ?? ''] ?? 0, end: position + control[0].length }]
      : []),
    ...(quoted ? [{ code: getCode(quoted[0].slice(-1)), end: position + quoted[0].length }] : []),
    ...[2, 4]
      .filter((each) => each <= length)
      .map((each) => ({ code: 0x5c, end: position + each })),
  ]
}

function readUnit(text: string, position: number): readonly Omit<Escape, 'forms'>[] {
  const unit = matchFrom(UNIT, text, position)
  if (!unit) return []
  const end = position + unit[0].length
  const high = Number.parseInt(unit[1] ?? '', 16)
  const low = high >= 0xd800 && high < 0xdc00 ? matchFrom(UNIT, text, end) : undefined
  if (!low) return [{ code: high, end }]
  const code = getCode(String.fromCharCode(high, Number.parseInt(low[1] ?? '', 16)))
  return [{ code, end: end + low[0].length }]
}

function matchFrom(pattern: RegExp, text: string, position: number): RegExpExecArray | undefined {
  pattern.lastIndex = position
  return pattern.exec(text) ?? undefined
}
