import { isJsonObject, type JsonObject, type JsonValue } from '@toolblocks/protocol'
import { endOfValue, isBlank, skipBlanks, trimBlanks } from './scan-json.ts'
import { splitArray } from './split-array.ts'
import { splitLines } from './split-lines.ts'
import { parseBounded } from './parse-bounded.ts'
import { parseObject, readRecord, type Records, startRecords, tellLost } from './source-record.ts'

/** A file as records: one a line, the elements of an array, or of the array that an object has among its fields. */
export interface SourceDocument extends Records {
  shape: 'lines' | 'array' | 'object'
  /** Of an object: its other fields. Empty otherwise. */
  fields: JsonObject
  /** Of an object: the field that has the records, if one has. */
  list?: string
}

/** An object whose members are records. */
const TREE = 'mapping'
/** The fields of an object whose elements are its records; of several the first. */
const LISTS: readonly string[] = [
  'messages',
  'events',
  'contents',
  'chat_messages',
  'chatMessages',
  TREE,
]
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
  if (isOne && (!first || LISTS.some((name) => isList(name, own(first, name))))) {
    const members = splitMembers(bytes, start)
    const isBare = trimBlanks(line, 0, line.length).length === 1
    if (members.list !== undefined || (isBare && endOfValue(bytes, start) !== -1))
      return { shape: 'object', ...members }
    if (isBare) return nothingWhole(bytes)
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

/** The fields of the object at `start`, as far as they are whole, and the records of its list, if it has one. */
function splitMembers(bytes: Uint8Array, start: number): Omit<SourceDocument, 'shape'> {
  const fields: [string, JsonValue][] = []
  let list: { list: string; records: Records } | undefined
  for (const { key, at, end } of membersOf(bytes, start)) {
    const value = bytes.subarray(at, end === -1 ? bytes.length : end)
    if (!list && LISTS.includes(key) && value[0] === (key === TREE ? OPEN : OPEN_ARRAY))
      list = { list: key, records: splitList(bytes.subarray(0, at + value.length), at) }
    else if (end !== -1) {
      const parsed = parseValue(value)
      if (parsed !== undefined) fields.push([key, parsed])
    }
  }
  const { records = startRecords(bytes.length), ...named } = list ?? {}
  return { ...records, ...named, fields: Object.fromEntries(fields) }
}

/** The members of the object at `start`: the name of each, and where its value is; -1 where the bytes end before it does. */
function* membersOf(
  bytes: Uint8Array,
  start: number,
): Generator<{ key: string; at: number; end: number }> {
  for (let next = skipBlanks(bytes, start + 1); next < bytes.length;) {
    const keyEnd = endOfValue(bytes, next)
    const key = keyEnd === -1 ? undefined : parseValue(bytes.subarray(next, keyEnd))
    let at = keyEnd
    while (at !== -1 && (isBlank(bytes[at]) || bytes[at] === COLON)) at += 1
    if (typeof key !== 'string' || at >= bytes.length) return
    const end = endOfValue(bytes, at)
    yield { key, at, end }
    if (end === -1) return
    next = skipBlanks(bytes, end)
  }
}

/** The elements of an array, or the members of an object, at `start`. */
function splitList(bytes: Uint8Array, start: number): Records {
  if (bytes[start] === OPEN_ARRAY) return splitArray(bytes, start)
  const into = startRecords(bytes.length)
  for (const { at, end } of membersOf(bytes, start)) {
    const value = bytes.subarray(at, end === -1 ? bytes.length : end)
    if (end !== -1 && readRecord(value, into)) continue
    tellLost(into, into.isOver ? bytes.subarray(at) : value, at)
    if (into.isOver) break
  }
  return into
}

function isList(name: string, value: unknown): boolean {
  return name === TREE ? isJsonObject(value) : Array.isArray(value)
}

function parseValue(bytes: Uint8Array): JsonValue | undefined {
  const read = parseBounded(bytes)
  return read.ok ? read.value : undefined
}

function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
