import { type JsonObject, type JsonValue, isJsonObject } from '@toolblocks/protocol'
import {
  CLOSE_ARRAY,
  COMMA,
  OPEN,
  OPEN_ARRAY,
  endOfValue,
  isBlank,
  skipBlanks,
  trimBlanks,
} from './json-bytes.ts'
import {
  type Records,
  type SplitOptions,
  parseBounded,
  parseObject,
  readRecord,
  startRecords,
  addRecordProblem,
  addLostProblem,
} from './records.ts'

/** A file split into records: one on each line, the elements of an array, or the elements of an array in a field of an object. */
export interface SourceDocument extends Records {
  shape: 'lines' | 'array' | 'object'
  /** The other fields of an object. Empty for other shapes. */
  fields: JsonObject
  /** The field of an object that contains the records, if one does. */
  list?: string
}

/** The field whose value is an object with records as members. */
const TREE = 'mapping'

/** Fields of an object whose elements are its records. If there are several, the first one counts. */
const LISTS: readonly string[] = [
  'messages',
  'events',
  'contents',
  'chat_messages',
  'chatMessages',
  TREE,
]

const NEWLINE = 0x0a
const COLON = 0x3a

/** Splits the bytes of a file into records. All complete records are read, also in a broken file. */
export function splitDocument(bytes: Uint8Array, options: SplitOptions = {}): SourceDocument {
  const start = getStart(bytes)
  if (bytes[start] === OPEN_ARRAY) {
    const records = splitArray(bytes, start, options)
    const rest = restBehind(bytes, start)
    if (rest.length > 0) addLostProblem(records, rest, rest.byteOffset - bytes.byteOffset)
    return { shape: 'array', fields: {}, ...records }
  }
  const newline = bytes.indexOf(NEWLINE, start)
  const line = bytes.subarray(start, newline === -1 ? bytes.length : newline)
  const first = parseObject(line)
  // Several objects are lines, whatever they contain.
  const isOne = bytes[start] === OPEN && restBehind(bytes, start).length === 0
  if (isOne && (!first || LISTS.some((name) => isList(name, own(first, name))))) {
    const members = splitMembers(bytes, start, options)
    const isBare = trimBlanks(line, 0, line.length).length === 1
    if (members.list !== undefined || (isBare && endOfValue(bytes, start) !== -1))
      return { shape: 'object', ...members }
    if (isBare) return createEmptyDocument(bytes)
  }
  const into = startRecords(bytes.length, options)
  splitLines(bytes.subarray(start), into)
  return { shape: 'lines', fields: {}, ...into }
}

/** A file whose bytes are read in parts. */
export interface FileParts {
  /** Its size in bytes. */
  size: number
  /** Reads bytes. Throws if the file was replaced, or has become shorter. */
  read(offset: number, length: number): Uint8Array
}

/** Number of bytes that are read and split together, unless one line is longer. */
const PART = 4 * 1024 * 1024

/**
 * Splits a file of lines into records as `splitDocument` does, part by part: only one part is in memory, and the bytes of a record are read again
 * whenever they are used. Returns `undefined` for a file that is not one record on each line.
 */
export function splitFile(
  { size, read }: FileParts,
  options: SplitOptions,
  part: number = PART,
): SourceDocument | undefined {
  const into = startRecords(size, options)
  let start = 0
  for (let offset = 0, length = part; offset < size && !into.isOver;) {
    const bytes = read(offset, Math.min(length, size - offset))
    const isLast = offset + bytes.length === size
    const end = isLast ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1
    if (offset === 0) {
      start = getStart(bytes)
      if (bytes[start] !== OPEN || restBehind(bytes, start).length === 0) return undefined
    }
    if (end === 0) {
      length *= 2
      continue
    }
    into.releaseBytes = createRelease(read, offset - bytes.byteOffset)
    const skipped = offset === 0 ? start : 0
    splitLines(bytes.subarray(skipped, end), into, {
      before: offset + skipped - start,
      behind: size - offset - end,
    })
    offset += end
    length = part
  }
  return { shape: 'lines', fields: {}, ...into }
}

/** `base`: the place in the file of the first byte of the memory. The function keeps nothing else in memory. */
function createRelease(
  read: FileParts['read'],
  base: number,
): NonNullable<Records['releaseBytes']> {
  return ({ byteOffset, length }) => {
    const offset = base + byteOffset
    return () => read(offset, length)
  }
}

/** Returns the bytes after the value at `start`; empty if the value is cut off. */
function restBehind(bytes: Uint8Array, start: number): Uint8Array {
  const end = endOfValue(bytes, start)
  return trimBlanks(bytes, end === -1 ? bytes.length : end, bytes.length)
}

/** Returns no records, and a problem: an indented object was cut off before its first record. */
function createEmptyDocument(bytes: Uint8Array): SourceDocument {
  const document: SourceDocument = { shape: 'object', fields: {}, ...startRecords(bytes.length) }
  addLostProblem(document, bytes, 0)
  return document
}

/** Returns the position after a byte order mark and blanks. */
function getStart(bytes: Uint8Array): number {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  let position = hasMark ? 3 : 0
  while (isBlank(bytes[position])) position += 1
  return position
}

/** Reads the complete fields of the object at `start`, and the records of its list, if it has one. */
function splitMembers(
  bytes: Uint8Array,
  start: number,
  options: SplitOptions,
): Omit<SourceDocument, 'shape'> {
  const fields: [string, JsonValue][] = []
  let list: { list: string; records: Records } | undefined
  for (const { key, at, end } of getMembers(bytes, start)) {
    const value = bytes.subarray(at, end === -1 ? bytes.length : end)
    if (!list && LISTS.includes(key) && value[0] === (key === TREE ? OPEN : OPEN_ARRAY))
      list = { list: key, records: splitList(bytes.subarray(0, at + value.length), at, options) }
    else if (end !== -1) {
      const parsed = parseValue(value)
      if (parsed !== undefined) fields.push([key, parsed])
    }
  }
  const { records = startRecords(bytes.length), ...named } = list ?? {}
  return { ...records, ...named, fields: Object.fromEntries(fields) }
}

/**
 * Yields the members of the object at `start`: the name of each, and the start and end of its value. The end is -1 if the bytes end before the
 * value does.
 */
function* getMembers(
  bytes: Uint8Array,
  start: number,
): Generator<{ key: string; at: number; end: number }> {
  for (let next = skipBlanks(bytes, start + 1); next < bytes.length;) {
    const keyEnd = endOfValue(bytes, next)
    const key = keyEnd === -1 ? undefined : parseValue(bytes.subarray(next, keyEnd))
    let position = keyEnd
    while (position !== -1 && (isBlank(bytes[position]) || bytes[position] === COLON)) position += 1
    if (typeof key !== 'string' || position >= bytes.length) return
    const end = endOfValue(bytes, position)
    yield { key, at: position, end }
    if (end === -1) return
    next = skipBlanks(bytes, end)
  }
}

/** Reads the elements of an array, or the members of an object, at `start`. */
function splitList(bytes: Uint8Array, start: number, options: SplitOptions): Records {
  if (bytes[start] === OPEN_ARRAY) return splitArray(bytes, start, options)
  const into = startRecords(bytes.length, options)
  for (const { at, end } of getMembers(bytes, start)) {
    const value = bytes.subarray(at, end === -1 ? bytes.length : end)
    if (end !== -1 && readRecord(value, into)) continue
    addLostProblem(into, into.isOver ? bytes.subarray(at) : value, at)
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

/** No program indents deeper, and each blank of an indentation costs a search through the file. */
const MAX_INDENT_LENGTH = 100

/** Reads the objects of the JSON array whose `[` is at `start`. If the array is cut off, only incomplete objects are lost. */
function splitArray(bytes: Uint8Array, start: number, options: SplitOptions): Records {
  const into = startRecords(bytes.length, options)
  const first = skipBlanks(bytes, start + 1)
  const indent = bytes[first] === OPEN ? findIndent(bytes, start + 1, first) : undefined
  if (indent)
    splitIndented(bytes.subarray(0, getEnd(bytes, first, indent)), { first, indent, into })
  else splitCompact(bytes, first, into)
  return into
}

/** Returns the indentation of the first element, including the newline before it; `undefined` if it is on the line of the bracket. */
function findIndent(bytes: Uint8Array, from: number, first: number): Uint8Array | undefined {
  const newline = bytes.subarray(from, first).lastIndexOf(NEWLINE)
  const indent = newline === -1 ? undefined : bytes.subarray(from + newline, first)
  return indent && indent.length <= MAX_INDENT_LENGTH ? indent : undefined
}

/** Returns the end of the array: a bracket at the start of a line whose indentation is less than that of the elements. */
function getEnd(bytes: Uint8Array, first: number, indent: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ends = Array.from({ length: indent.length - 1 }, (_, blanks) =>
    text.indexOf(Buffer.concat([indent.subarray(0, blanks + 1), Buffer.from(']')]), first),
  ).filter((end) => end !== -1)
  return Math.min(bytes.length, ...ends)
}

/** Splits an indented array. No JSON string contains a newline, so a line that starts like the first element's line is the next element. */
function splitIndented(
  bytes: Uint8Array,
  { first, indent, into }: { first: number; indent: Uint8Array; into: Records },
): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const opening = Buffer.concat([indent, Buffer.from('{')])
  for (let start = first; start !== -1;) {
    const next = text.indexOf(opening, start)
    const part = bytes.subarray(start, next === -1 ? bytes.length : next)
    readPart(part, start, { into, isLast: next === -1 })
    if (into.isOver) return addLostProblem(into, bytes.subarray(start), start)
    start = next === -1 ? -1 : next + indent.length
  }
}

function readPart(
  part: Uint8Array,
  offset: number,
  { into, isLast }: { into: Records; isLast: boolean },
): void {
  const trimmed = trimBlanks(part, 0, part.length)
  const whole = trimmed.at(-1) === COMMA ? trimBlanks(trimmed, 0, trimmed.length - 1) : trimmed
  if (!isLast && readRecord(whole, into)) return
  if (into.isOver) return
  // After the last element come the end of the array and the end of the object that contains it.
  const end = endOfValue(part, 0)
  if (end === -1 || !readRecord(part.subarray(0, end), into))
    if (!into.isOver) addLostProblem(into, trimmed, offset)
}

function splitCompact(bytes: Uint8Array, first: number, into: Records): void {
  let position = first
  while (position < bytes.length && bytes[position] !== CLOSE_ARRAY) {
    const end = endOfValue(bytes, position)
    if (end === -1 || !readRecord(bytes.subarray(position, end), into)) {
      if (into.isOver) return addLostProblem(into, bytes.subarray(position), position)
      const lost = trimBlanks(
        bytes,
        position,
        end === -1 ? bytes.length : Math.max(end, position + 1),
      )
      addLostProblem(into, lost, position)
      if (end === -1) return
    }
    position = skipBlanks(bytes, Math.max(end, position + 1))
  }
}

/** Number of places of a torn line that are tried as the start of a record. */
const TRIES = 16

/**
 * Reads one record from each line. In a line that is not one record, finds complete records: one after another, or after a torn one. `before`, `behind`:
 * numbers of bytes of the file before and after these.
 */
function splitLines(
  bytes: Uint8Array,
  into: Records,
  { before, behind }: { before: number; behind: number } = { before: 0, behind: 0 },
): void {
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline === -1 ? bytes.length : newline
    const line = trimBlanks(bytes, start, end)
    if (line.length > 0 && !readRecord(line, into) && !into.isOver)
      salvage(line, into, before + line.byteOffset - bytes.byteOffset)
    if (into.isOver) {
      addLostProblem(into, { length: bytes.length - start + behind }, before + start)
      break
    }
    start = end + 1
  }
}

function salvage(line: Uint8Array, into: Records, offset: number): void {
  let count = 0
  let position = 0
  while (position < line.length) {
    const end = endOfValue(line, position)
    if (end === -1 || !readRecord(line.subarray(position, end), into)) break
    count += 1
    position = skipBlanks(line, end)
  }
  if (into.isOver) return
  const rest = line.subarray(position)
  const behind = rest.length > 0 ? findLast(rest, into) : undefined
  if (rest.length > 0)
    addLostProblem(into, behind ? rest.subarray(0, behind.at) : rest, offset + position)
  if (behind && readRecord(rest.subarray(behind.at), into)) count += 1
  if (count === 0) return
  const message = `${count} ${count === 1 ? 'record was' : 'records were'} found on a line that is not one record`
  addRecordProblem(into, 'repaired-record', message)
}

/** Finds a complete record at the end of the bytes, which begins like the record before it. */
function findLast(rest: Uint8Array, { records }: Records): { at: number } | undefined {
  const before = Object.keys(records.at(-1)?.value ?? {})
  const [key] = before
  if (key === undefined) return undefined
  const opening = Buffer.from(`{${JSON.stringify(key)}:`)
  const text = Buffer.from(rest.buffer, rest.byteOffset, rest.byteLength)
  let position = text.lastIndexOf(opening)
  for (let tries = 0; position > 0 && tries < TRIES; tries += 1) {
    const value = parseObject(rest.subarray(position))
    // The last object inside a torn record is not a record, even if it is complete.
    const isOwn =
      !MAY_STAND_BEFORE_INNER.has(rest[position - 1]) || Object.keys(value ?? {})[1] === before[1]
    if (value && isOwn) return { at: position }
    position = text.lastIndexOf(opening, position - 1)
  }
  return undefined
}

/** Characters before an inner object: colon, comma, opening bracket and blank. */
const MAY_STAND_BEFORE_INNER: ReadonlySet<number | undefined> = new Set([0x3a, 0x2c, 0x5b, 0x20])
