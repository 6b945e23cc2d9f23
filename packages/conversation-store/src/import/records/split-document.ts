import { type JsonObject, type JsonValue } from '@toolblocks/protocol'
import { endOfValue, isBlank, skipBlanks, trimBlanks } from './scan-json.ts'
import { splitArray } from './split-array.ts'
import { splitLines } from './split-lines.ts'
import { parseBounded } from './parse-bounded.ts'
import { parseObject, type Records, startRecords, tellLost } from './source-record.ts'

/** A file as records: one a line, the elements of an array, or of the array that an object has among its fields. */
export interface SourceDocument extends Records {
  shape: 'lines' | 'array' | 'object'
  /** Of an object: its other fields. Empty otherwise. */
  fields: JsonObject
}

/** The fields of an object whose elements are its records. */
const LISTS: readonly string[] = ['messages', 'events']
const NEWLINE = 0x0a
const OPEN = 0x7b
const OPEN_ARRAY = 0x5b
const COLON = 0x3a

/** Splits the bytes of a file into records. What is broken in it costs no record that is whole. */
export function splitDocument(bytes: Uint8Array): SourceDocument {
  const start = startOf(bytes)
  if (bytes[start] === OPEN_ARRAY) {
    const records = splitArray(bytes, start)
    const rest = restBehind(bytes, start)
    if (rest.length > 0) tellLost(records, rest, rest.byteOffset - bytes.byteOffset)
    return { shape: 'array', fields: {}, ...records }
  }
  const newline = bytes.indexOf(NEWLINE, start)
  const line = bytes.subarray(start, newline === -1 ? bytes.length : newline)
  const first = parseObject(line)
  // Several objects are lines, whatever is in them.
  const isOne = bytes[start] === OPEN && restBehind(bytes, start).length === 0
  if (isOne && (!first || LISTS.some((name) => Array.isArray(own(first, name))))) {
    const members = splitMembers(bytes, start)
    if (members) return { shape: 'object', ...members }
    if (trimBlanks(line, 0, line.length).length === 1) return nothingWhole(bytes)
  }
  return { shape: 'lines', fields: {}, ...splitLines(bytes.subarray(start)) }
}

/** What stands behind the value at `start`; nothing where that is cut off. */
function restBehind(bytes: Uint8Array, start: number): Uint8Array {
  const end = endOfValue(bytes, start)
  return trimBlanks(bytes, end === -1 ? bytes.length : end, bytes.length)
}

/** An indented object that is cut off before its first record. */
function nothingWhole(bytes: Uint8Array): SourceDocument {
  const document: SourceDocument = { shape: 'object', fields: {}, ...startRecords(bytes.length) }
  tellLost(document, bytes, 0)
  return document
}

/** Behind a byte order mark and blanks. */
function startOf(bytes: Uint8Array): number {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  let at = hasMark ? 3 : 0
  while (isBlank(bytes[at])) at += 1
  return at
}

/** The fields of the object at `start`, as far as they are whole; `undefined` where it has no list of records. */
function splitMembers(
  bytes: Uint8Array,
  start: number,
): (Records & { fields: JsonObject }) | undefined {
  const fields: [string, JsonValue][] = []
  let records: Records | undefined
  for (let at = skipBlanks(bytes, start + 1); at < bytes.length;) {
    const keyEnd = endOfValue(bytes, at)
    const key = keyEnd === -1 ? undefined : parseValue(bytes.subarray(at, keyEnd))
    let value = keyEnd
    while (value !== -1 && (isBlank(bytes[value]) || bytes[value] === COLON)) value += 1
    if (typeof key !== 'string' || value >= bytes.length) break
    const end = endOfValue(bytes, value)
    if (LISTS.includes(key) && bytes[value] === OPEN_ARRAY) {
      records = splitArray(end === -1 ? bytes : bytes.subarray(0, end), value)
    } else if (end !== -1) {
      const parsed = parseValue(bytes.subarray(value, end))
      if (parsed !== undefined) fields.push([key, parsed])
    }
    if (end === -1) break
    at = skipBlanks(bytes, end)
  }
  return records && { ...records, fields: Object.fromEntries(fields) }
}

function parseValue(bytes: Uint8Array): JsonValue | undefined {
  const read = parseBounded(bytes)
  return read.ok ? read.value : undefined
}

function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
