import { decodeHTMLStrict } from 'entities/decode'
import { BIT, type FormBits } from './secret-forms.ts'

/** One character of a text under some levels of escapes: how it can be read at a place. */
export interface Unit {
  /** A code point, or `RAW` and a byte beyond ASCII that is a part of one. */
  code: number
  /** Further code points of the same escape: some HTML entities stand for two. */
  more?: readonly number[]
  /** Where the next character begins. */
  next: number
  forms: FormBits
}

/** Levels of escapes that are read: 0 reads bytes as they are, 2 also an escape whose characters are escaped. */
export type Level = 0 | 1 | 2

/** Added to a byte that is no code point of its own. */
export const RAW = 0x110000

const [LF, CR, ESC, BEL, CSI] = [0x0a, 0x0d, 0x1b, 0x07, 0x9b]
const LONGEST_NAME = 32
const LONGEST_NUMBER = 16
const LONGEST_COLOR = 64
const LONGEST_TITLE = 2048

/** Bytes that are 1 in a table of all bytes. */
export function tableOf(chars: string): Uint8Array {
  const table = new Uint8Array(256)
  for (const byte of Buffer.from(chars, 'latin1')) table[byte] = 1
  return table
}

/** What an escape begins with. */
export const ESCAPES = tableOf('\\%&+~')
/** What a line break or a colour code begins with; CSI as one character is two bytes. */
export const GAPS = tableOf('\n\r\u001b\u00c2')

/** All ways to read one character at a place, as it is written first; none at the end. */
export function readUnits(bytes: Uint8Array, at: number, level: Level): readonly Unit[] {
  const byte = bytes[at]
  if (byte === undefined) return []
  const unit: Unit = { code: byte < 0x80 ? byte : RAW + byte, next: at + 1, forms: 0 }
  if (level === 0 || ESCAPES[byte] === 0) return [unit]
  const below: Level = level === 2 ? 1 : 0
  const units = [...readUnits(bytes, at, below)]
  for (let index = 0, count = units.length; index < count; index++) {
    const first = units[index]
    if (first && ESCAPES[first.code] === 1) readEscape(bytes, first, below, units)
  }
  return units
}

/** Adds what an escape may stand for. */
function readEscape(bytes: Uint8Array, first: Unit, level: Level, units: Unit[]): void {
  const { next, forms } = first
  const cursor: Cursor = { bytes, level, at: next, forms }
  switch (first.code) {
    case 0x5c:
      for (const unit of unitsBehindGaps(bytes, next, level))
        readBackslash(
          unit.code,
          { bytes, level, at: unit.next, forms: forms | unit.forms | BIT.json },
          units,
        )
      return
    case 0x25: {
      const byte = takeNumber(cursor, 16, { least: 2, most: 2 })
      if (byte !== undefined) units.push(unitAt(cursor, codeOf(byte), BIT.percent))
      return
    }
    case 0x26:
      return readEntity(cursor, units)
    case 0x2b:
      units.push(unitAt(cursor, 0x20, BIT.percent))
      return
    default: {
      const digit = take(cursor, isZeroOrOne)
      if (digit !== undefined) units.push(unitAt(cursor, digit === 0x31 ? 0x2f : 0x7e, BIT.pointer))
    }
  }
}

const codeOf = (byte: number): number => (byte < 0x80 ? byte : RAW + byte)

/** Where the characters of an escape are read, one after the other, across line breaks and colour codes. */
interface Cursor {
  bytes: Uint8Array
  level: Level
  at: number
  forms: FormBits
}

function take(cursor: Cursor, test: (code: number) => boolean): number | undefined {
  const byte = cursor.bytes[cursor.at]
  if (byte === undefined) return undefined
  if (byte < 0x80 && ESCAPES[byte] === 0 && GAPS[byte] === 0) {
    if (!test(byte)) return undefined
    cursor.at += 1
    return byte
  }
  const unit = expectUnit(cursor.bytes, cursor.at, cursor.level, test)
  if (!unit) return undefined
  cursor.at = unit.next
  cursor.forms |= unit.forms
  return unit.code
}

function takeNumber(
  cursor: Cursor,
  base: 10 | 16,
  { least, most }: { least: number; most: number },
): number | undefined {
  let [value, count] = [0, 0]
  for (; count < most; count++) {
    const digit = take(cursor, base === 16 ? isHexDigit : isDigit)
    if (digit === undefined) break
    value = value * base + digitOf(digit)
  }
  return count < least ? undefined : value
}

function unitAt({ at, forms }: Cursor, code: number, form: FormBits): Unit {
  return { code, next: at, forms: forms | form }
}

/** The first way to read a character that passes a test; line breaks and colour codes before it are skipped. */
export function expectUnit(
  bytes: Uint8Array,
  from: number,
  level: Level,
  test: (code: number) => boolean,
): Unit | undefined {
  let forms = 0
  for (let at = from; ;) {
    const unit = readUnits(bytes, at, level).find(({ code }) => test(code))
    if (unit) return { ...unit, forms: unit.forms | forms }
    const gap = readGap(bytes, at, level)
    if (!gap) return undefined
    forms |= gap.forms
    at = gap.ends.at(-1) ?? at
  }
}

/** All ways to read the character that follows a backslash, which may be an escaped backslash itself. */
function unitsBehindGaps(bytes: Uint8Array, from: number, level: Level): readonly Unit[] {
  const units = [...readUnits(bytes, from, level)]
  let forms = 0
  for (let gap = readGap(bytes, from, level); gap;) {
    forms |= gap.forms
    const end = gap.ends.at(-1) ?? from
    const behind = readUnits(bytes, end, level)
    units.push(...behind.map((unit) => ({ ...unit, forms: unit.forms | forms })))
    gap = readGap(bytes, end, level)
  }
  return units
}

/** JSON, and what JavaScript, Python, C and shells write alike: `\n`, `\"`, `\u00e9`, `\u{e9}`, `\xe9`. */
function readBackslash(code: number, cursor: Cursor, units: Unit[]): void {
  if (code <= 0x20 || code >= 0x7f) return
  const control = CONTROLS.get(code)
  if (control !== undefined) units.push(unitAt(cursor, control, 0))
  else if (code === 0x75) readUnicode(cursor, units)
  else if (code === 0x78) {
    const byte = takeNumber(cursor, 16, { least: 2, most: 2 })
    if (byte !== undefined) units.push(unitAt(cursor, byte, 0))
    if (byte !== undefined && byte >= 0x80) units.push(unitAt(cursor, RAW + byte, 0))
  } else if (!isAlphanumeric(code)) units.push(unitAt(cursor, code, 0))
}

const CONTROLS: ReadonlyMap<number, number> = new Map(
  [...'bfnrt'].map((char, index) => [char.charCodeAt(0), [8, 12, LF, CR, 9][index] ?? 0]),
)

function readUnicode(cursor: Cursor, units: Unit[]): void {
  const braced = { ...cursor }
  if (take(braced, isOpenBrace) !== undefined) {
    const code = takeNumber(braced, 16, { least: 1, most: 6 })
    const isWhole = code !== undefined && take(braced, isCloseBrace) !== undefined
    if (isWhole && code < RAW) units.push(unitAt(braced, code, 0))
    return
  }
  const four = { least: 4, most: 4 }
  const high = takeNumber(cursor, 16, four)
  if (high === undefined || (high >= 0xdc00 && high < 0xe000)) return
  if (high < 0xd800 || high >= 0xe000) {
    units.push(unitAt(cursor, high, 0))
    return
  }
  // The second backslash may be escaped itself, which can be read in two ways.
  for (const unit of unitsBehindGaps(cursor.bytes, cursor.at, cursor.level)) {
    if (unit.code !== 0x5c) continue
    const rest = { ...cursor, at: unit.next, forms: cursor.forms | unit.forms }
    if (take(rest, isSmallU) === undefined) continue
    const low = takeNumber(rest, 16, four)
    if (low !== undefined && low >= 0xdc00 && low < 0xe000)
      units.push(unitAt(rest, 0x10000 + (high - 0xd800) * 0x400 + (low - 0xdc00), 0))
  }
}

function readEntity(cursor: Cursor, units: Unit[]): void {
  if (take(cursor, isNumberSign) !== undefined) {
    const base = take(cursor, isX) === undefined ? 10 : 16
    const code = takeNumber(cursor, base, { least: 1, most: LONGEST_NUMBER })
    if (code === undefined || code === 0 || code >= RAW) return
    // Browsers need no semicolon.
    take(cursor, isSemicolon)
    units.push(unitAt(cursor, code, BIT.html))
    return
  }
  let name = ''
  while (name.length < LONGEST_NAME) {
    const code = take(cursor, isAlphanumeric)
    if (code === undefined) break
    name += String.fromCharCode(code)
  }
  if (name === '' || take(cursor, isSemicolon) === undefined) return
  const [code, ...more] = decodeName(name)
  if (code !== undefined)
    units.push({ ...unitAt(cursor, code, BIT.html), ...(more.length > 0 && { more }) })
}

const MOST_NAMES = 4096
const names = new Map<string, readonly number[]>()

/** The code points that a named entity stands for; none where there is no such name. */
function decodeName(name: string): readonly number[] {
  const known = names.get(name)
  if (known) return known
  const decoded = decodeHTMLStrict(`&${name};`)
  const codes =
    decoded === `&${name};` ? [] : Array.from(decoded, (char) => char.codePointAt(0) ?? 0)
  if (names.size >= MOST_NAMES) names.clear()
  names.set(name, codes)
  return codes
}

/** What may stand between two characters of a value. */
export interface Gap {
  /** Where it may end: behind a line break, and behind the blanks that indent the next line. */
  ends: readonly number[]
  forms: FormBits
}

/** Reads one line break or one code that a terminal acts on; `undefined` where there is neither. A code may itself be interrupted, once. */
export function readGap(bytes: Uint8Array, at: number, level: Level): Gap | undefined {
  return readGapAt(bytes, at, level, 'whole')
}

function readGapAt(
  bytes: Uint8Array,
  at: number,
  level: Level,
  place: 'whole' | 'inside',
): Gap | undefined {
  const byte = bytes[at]
  if (byte === undefined) return undefined
  if (GAPS[byte] === 0 && (level === 0 || ESCAPES[byte] === 0)) return undefined
  for (const { code, next } of readUnits(bytes, at, level)) {
    if (code === LF || code === CR) return readIndent(bytes, next, level)
    const end =
      code === ESC || code === RAW + 0xc2
        ? endOfCode(bytes, next, level, { first: code, place })
        : undefined
    if (end !== undefined) return { ends: [end], forms: BIT.colors }
  }
  return undefined
}

function readIndent(bytes: Uint8Array, behind: number, level: Level): Gap {
  let end = behind
  for (;;) {
    const blank = readUnits(bytes, end, level).find(({ code }) => code === 0x20 || code === 9)
    if (!blank) break
    end = blank.next
  }
  return { ends: end === behind ? [behind] : [behind, end], forms: BIT.lines }
}

/** The end of a sequence that begins with ESC, or with CSI as one character (U+009B, of which the first byte was read). */
function endOfCode(
  bytes: Uint8Array,
  from: number,
  level: Level,
  { first, place }: { first: number; place: 'whole' | 'inside' },
): number | undefined {
  let at = from
  let interrupted = place === 'whole'
  const codeAt = (): number | undefined => {
    for (let gap = interrupted && readGapAt(bytes, at, level, 'inside'); gap;) {
      at = gap.ends.at(-1) ?? at
      gap = readGapAt(bytes, at, level, 'inside')
    }
    const [unit] = readUnits(bytes, at, level).toReversed()
    if (unit) at = unit.next
    return unit?.code
  }
  let code = codeAt()
  if (first !== ESC) {
    if (code !== RAW + CSI) return undefined
    code = 0x5b
  }
  if (code === 0x5d) {
    // What ends a title looks like a code of its own.
    interrupted = false
    for (let count = 0; count < LONGEST_TITLE; count++) {
      code = codeAt()
      if (code === BEL) return at
      if (code === undefined || code === LF) return undefined
      if (code === ESC) return codeAt() === 0x5c ? at : undefined
    }
    return undefined
  }
  if (code === 0x5b) {
    for (let count = 0; count < LONGEST_COLOR; count++) {
      code = codeAt()
      if (code === undefined || code < 0x20 || code > 0x7e) return undefined
      if (code >= 0x40) return at
    }
    return undefined
  }
  for (let count = 0; code !== undefined && code >= 0x20 && code <= 0x2f; count++) {
    if (count === LONGEST_COLOR) return undefined
    code = codeAt()
  }
  return code !== undefined && code >= 0x30 && code <= 0x7e ? at : undefined
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
const isHexDigit = (code: number): boolean =>
  isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66)
const isAlphanumeric = (code: number): boolean =>
  isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
const isZeroOrOne = (code: number): boolean => code === 0x30 || code === 0x31
const isOpenBrace = (code: number): boolean => code === 0x7b
const isCloseBrace = (code: number): boolean => code === 0x7d
const isSmallU = (code: number): boolean => code === 0x75
const isX = (code: number): boolean => code === 0x58 || code === 0x78
const isNumberSign = (code: number): boolean => code === 0x23
const isSemicolon = (code: number): boolean => code === 0x3b

/** A look at the bytes of an escape that is worth more than reading it: whether what it stands for may begin with one of some bytes. */
export function mayStandFor(bytes: Uint8Array, at: number, begins: Uint8Array): boolean {
  if (begins[bytes[at] ?? 0] === 1) return true
  const next = bytes[at + 1] ?? 0
  const isOpen = ESCAPES[next] === 1 || GAPS[next] === 1
  switch (bytes[at]) {
    case 0x5c: {
      // Three of them are one or two, and nothing else.
      if (next === 0x5c) return bytes[at + 2] !== 0x5c || bytes[at + 3] !== 0x5c
      if (isOpen || next === 0x78 || next === 0x75) return true
      return begins[CONTROLS.get(next) ?? next] === 1
    }
    case 0x25: {
      const last = bytes[at + 2] ?? 0
      if (isOpen || ESCAPES[last] === 1 || GAPS[last] === 1) return true
      if (!isHexDigit(next) || !isHexDigit(last)) return false
      const byte = (digitOf(next) << 4) | digitOf(last)
      return begins[byte] === 1 || ESCAPES[byte] === 1
    }
    case 0x26:
      return isOpen || next === 0x23 || isAlphanumeric(next)
    case 0x2b:
      return begins[0x20] === 1
    default:
      return begins[0x2f] === 1 || begins[0x7e] === 1
  }
}

const digitOf = (digit: number): number => (digit < 0x40 ? digit - 0x30 : (digit & 0x1f) + 9)
