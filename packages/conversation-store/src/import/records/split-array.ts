import { endOfValue, skipBlanks, trimBlanks } from './scan-json.ts'
import { readRecord, type Records, startRecords, tellLost } from './source-record.ts'

const NEWLINE = 0x0a
const OPEN = 0x7b
const CLOSE_ARRAY = 0x5d
const COMMA = 0x2c
/** Nobody writes a deeper one, and every blank of it costs a look through the file. */
const LONGEST_INDENT = 100

/** Reads the objects of the JSON array that begins at `start` with `[`; one that is cut off loses only what is not whole. */
export function splitArray(bytes: Uint8Array, start: number): Records {
  const into = startRecords(bytes.length)
  const first = skipBlanks(bytes, start + 1)
  const indent = bytes[first] === OPEN ? indentOf(bytes, start + 1, first) : undefined
  if (indent) splitIndented(bytes.subarray(0, endOf(bytes, first, indent)), { first, indent, into })
  else splitCompact(bytes, first, into)
  return into
}

/** What stands before the first element on its line, the newline included; `undefined` where it is on the line of the bracket. */
function indentOf(bytes: Uint8Array, from: number, first: number): Uint8Array | undefined {
  const newline = bytes.subarray(from, first).lastIndexOf(NEWLINE)
  const indent = newline === -1 ? undefined : bytes.subarray(from + newline, first)
  return indent && indent.length <= LONGEST_INDENT ? indent : undefined
}

/** Where the array ends: at a bracket that begins a line with less before it than the elements have. */
function endOf(bytes: Uint8Array, first: number, indent: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ends = Array.from({ length: indent.length - 1 }, (_, blanks) =>
    text.indexOf(Buffer.concat([indent.subarray(0, blanks + 1), Buffer.from(']')]), first),
  ).filter((end) => end !== -1)
  return Math.min(bytes.length, ...ends)
}

/** No string of JSON has a newline in it: a line that begins as the first element's begins is the next element. */
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
    if (into.isOver) return tellLost(into, bytes.subarray(start), start)
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
  // Behind the last element there is the end of the array, and of what holds it.
  const end = endOfValue(part, 0)
  if (end === -1 || !readRecord(part.subarray(0, end), into))
    if (!into.isOver) tellLost(into, trimmed, offset)
}

function splitCompact(bytes: Uint8Array, first: number, into: Records): void {
  let at = first
  while (at < bytes.length && bytes[at] !== CLOSE_ARRAY) {
    const end = endOfValue(bytes, at)
    if (end === -1 || !readRecord(bytes.subarray(at, end), into)) {
      if (into.isOver) return tellLost(into, bytes.subarray(at), at)
      const lost = trimBlanks(bytes, at, end === -1 ? bytes.length : Math.max(end, at + 1))
      tellLost(into, lost, at)
      if (end === -1) return
    }
    at = skipBlanks(bytes, Math.max(end, at + 1))
  }
}
