import {
  CONTROLS,
  ESCAPES,
  GAPS,
  decodeName,
  getDigit,
  isAlphanumeric,
  isDigit,
  isHexDigit,
} from './escape-bytes.ts'
import { BIT, type FormBits } from './secret-forms.ts'

const MAX_NAME_LENGTH = 32
const MAX_NUMBER_LENGTH = 16
const [LF, CR, ESC, BEL, CSI] = [0x0a, 0x0d, 0x1b, 0x07, 0x9b]
const MAX_COLOR_LENGTH = 64
const MAX_TITLE_LENGTH = 2048

/** Added to a byte that is not a code point by itself. */
export const RAW = 0x110000

/** One character of a text under some levels of escapes: a way to read it at a place. */
export interface Unit {
  /** A code point, or `RAW` plus a byte beyond ASCII that is a part of one. */
  code: number
  /** Further code points of the same escape: some HTML entities have two. */
  more?: readonly number[]
  /** The position of the next character. */
  next: number
  forms: FormBits
}

/** Number of levels of escapes to read: 0 reads plain bytes, 2 also an escape whose characters are escaped. */
export type Level = 0 | 1 | 2

/** Returns all ways to read one character at a place, the plain one first; empty at the end. */
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

/** Adds the possible meanings of an escape. */
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
      if (byte !== undefined) units.push(unitAt(cursor, getCode(byte), BIT.percent))
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

const getCode = (byte: number): number => (byte < 0x80 ? byte : RAW + byte)

/** The position at which the characters of an escape are read, one after the other, across line breaks and colour codes. */
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
    value = value * base + getDigit(digit)
  }
  return count < least ? undefined : value
}

function unitAt({ at, forms }: Cursor, code: number, form: FormBits): Unit {
  return { code, next: at, forms: forms | form }
}

/** Returns the first way to read a character that passes a test. Line breaks and colour codes before it are skipped. */
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

/** Returns all ways to read the character after a backslash, which may be an escaped backslash itself. */
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

/**
 * Reads escapes of JSON, JavaScript, Python, C and shells: `
 * `, `\"`, `\u00e9`, `\u{e9}`, `\xe9`.
 */
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
  // The second backslash may be escaped itself, so there are two ways to read it.
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
    const code = takeNumber(cursor, base, { least: 1, most: MAX_NUMBER_LENGTH })
    if (code === undefined || code === 0 || code >= RAW) return
    // Browsers accept entities without a semicolon.
    take(cursor, isSemicolon)
    units.push(unitAt(cursor, code, BIT.html))
    return
  }
  let name = ''
  while (name.length < MAX_NAME_LENGTH) {
    const code = take(cursor, isAlphanumeric)
    if (code === undefined) break
    name += String.fromCharCode(code)
  }
  if (name === '' || take(cursor, isSemicolon) === undefined) return
  const [code, ...more] = decodeName(name)
  if (code !== undefined)
    units.push({ ...unitAt(cursor, code, BIT.html), ...(more.length > 0 && { more }) })
}

const isZeroOrOne = (code: number): boolean => code === 0x30 || code === 0x31
const isOpenBrace = (code: number): boolean => code === 0x7b
const isCloseBrace = (code: number): boolean => code === 0x7d
const isSmallU = (code: number): boolean => code === 0x75
const isX = (code: number): boolean => code === 0x58 || code === 0x78
const isNumberSign = (code: number): boolean => code === 0x23
const isSemicolon = (code: number): boolean => code === 0x3b

/** Bytes that may be between two characters of a value. */
interface Gap {
  /** The possible ends: after a line break, and after the blanks that indent the next line. */
  ends: readonly number[]
  forms: FormBits
}

/**
 * Reads one line break or one terminal control code; returns `undefined` if there is neither. A code may contain other codes, which must not
 * contain further ones (`inside`).
 */
export function readGap(
  bytes: Uint8Array,
  at: number,
  level: Level,
  place: 'whole' | 'inside' = 'whole',
): Gap | undefined {
  const byte = bytes[at]
  if (byte === undefined) return undefined
  if (GAPS[byte] === 0 && (level === 0 || ESCAPES[byte] === 0)) return undefined
  for (const { code, next } of readUnits(bytes, at, level)) {
    if (code === LF || code === CR) return readIndent(bytes, next, level)
    const end =
      code === ESC || code === RAW + 0xc2
        ? endOfCode(bytes, next, level, { place, first: code })
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

/** Returns the end of a sequence that begins with ESC, or with CSI as one character (U+009B, of which the first byte was read). */
function endOfCode(
  bytes: Uint8Array,
  from: number,
  level: Level,
  { place, first }: { place: 'whole' | 'inside'; first: number },
): number | undefined {
  let at = from
  let interrupted = place === 'whole'
  const codeAt = (): number | undefined => {
    for (let gap = interrupted && readGap(bytes, at, level, 'inside'); gap;) {
      at = gap.ends.at(-1) ?? at
      gap = readGap(bytes, at, level, 'inside')
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
    // The end of a title has the form of a separate code.
    interrupted = false
    for (let count = 0; count < MAX_TITLE_LENGTH; count++) {
      code = codeAt()
      if (code === BEL) return at
      if (code === undefined || code === LF) return undefined
      if (code === ESC) return codeAt() === 0x5c ? at : undefined
    }
    return undefined
  }
  if (code === 0x5b) {
    for (let count = 0; count < MAX_COLOR_LENGTH; count++) {
      code = codeAt()
      if (code === undefined || code < 0x20 || code > 0x7e) return undefined
      if (code >= 0x40) return at
    }
    return undefined
  }
  for (let count = 0; code !== undefined && code >= 0x20 && code <= 0x2f; count++) {
    if (count === MAX_COLOR_LENGTH) return undefined
    code = codeAt()
  }
  return code !== undefined && code >= 0x30 && code <= 0x7e ? at : undefined
}
