import { endOfValue, skipBlanks, trimBlanks } from './scan-json.ts'
import {
  parseObject,
  readRecord,
  type Records,
  startRecords,
  tell,
  tellLost,
} from './source-record.ts'

const NEWLINE = 0x0a
/** How many places of a torn line are tried as the start of a record. */
const TRIES = 16

/** Reads one record a line. Of a line that is none, whole records are found, one behind another or behind a torn one. */
export function splitLines(bytes: Uint8Array): Records {
  const into = startRecords(bytes.length)
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline === -1 ? bytes.length : newline
    const line = trimBlanks(bytes, start, end)
    if (line.length > 0 && !readRecord(line, into) && !into.isOver)
      salvage(line, into, line.byteOffset - bytes.byteOffset)
    if (into.isOver) {
      tellLost(into, bytes.subarray(start), start)
      break
    }
    start = end + 1
  }
  return into
}

function salvage(line: Uint8Array, into: Records, offset: number): void {
  let found = 0
  let at = 0
  while (at < line.length) {
    const end = endOfValue(line, at)
    if (end === -1 || !readRecord(line.subarray(at, end), into)) break
    found += 1
    at = skipBlanks(line, end)
  }
  if (into.isOver) return
  const rest = line.subarray(at)
  const behind = rest.length > 0 ? findLast(rest, into) : undefined
  if (rest.length > 0) tellLost(into, behind ? rest.subarray(0, behind.at) : rest, offset + at)
  if (behind && readRecord(rest.subarray(behind.at), into)) found += 1
  if (found === 0) return
  const message = `${found} ${found === 1 ? 'record was' : 'records were'} found on a line that is not one record`
  tell(into, 'repaired-record', message)
}

/** A whole record at the end of the bytes, which begins like the one before it. */
function findLast(rest: Uint8Array, { records }: Records): { at: number } | undefined {
  const before = Object.keys(records.at(-1)?.value ?? {})
  const [key] = before
  if (key === undefined) return undefined
  const opening = Buffer.from(`{${JSON.stringify(key)}:`)
  const text = Buffer.from(rest.buffer, rest.byteOffset, rest.byteLength)
  let at = text.lastIndexOf(opening)
  for (let tries = 0; at > 0 && tries < TRIES; tries += 1) {
    const value = parseObject(rest.subarray(at))
    // The last object within a torn record is none, though it may be whole too.
    const isOwn =
      !MAY_STAND_BEFORE_INNER.has(rest[at - 1]) || Object.keys(value ?? {})[1] === before[1]
    if (value && isOwn) return { at }
    at = text.lastIndexOf(opening, at - 1)
  }
  return undefined
}

/** Colon, comma, opening bracket and blank. */
const MAY_STAND_BEFORE_INNER: ReadonlySet<number | undefined> = new Set([0x3a, 0x2c, 0x5b, 0x20])
