import { ESCAPES, GAPS, getTable } from './escape-bytes.ts'
import { readGap, readUnits } from './read-units.ts'

/** Encodings that write a byte with characters of a small alphabet. */
type Alphabet = 'base64' | 'hexadecimal'

/** Consecutive characters of an alphabet, including those across line breaks and colour codes. */
export interface Run {
  alphabet: Alphabet
  /** The value of each character. */
  values: Uint8Array
  /** The start and the end of each character. */
  starts: Uint32Array
  ends: Uint32Array
}

/** Which runs to search for. */
export interface RunRequest {
  alphabet: Alphabet
  /** `escaped`: only runs with an escaped character. */
  written: 'as-is' | 'escaped'
  /** Minimum number of characters of a run. */
  least: number
  /** Number of characters that two parts of a very long run share. */
  overlap: number
}

/** Number of bits that a character encodes. */
export const BITS = { base64: 6, hexadecimal: 4 } as const
/** Number of positions in a run at which the first byte may begin. The characters before that position are skipped. */
export const PHASES = { base64: 4, hexadecimal: 2 } as const

/** Maximum number of characters of a run in memory. Longer runs are returned in parts. */
const MAX_COUNT = 1 << 20
const NONE = 255

const VALUES: Readonly<Record<Alphabet, Uint8Array>> = {
  base64: getValues([
    ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 0],
    ['-_', 62],
  ]),
  hexadecimal: getValues([
    ['0123456789abcdef', 0],
    ['ABCDEF', 10],
  ]),
}

function getValues(rows: readonly (readonly [chars: string, first: number])[]): Uint8Array {
  const table = new Uint8Array(256).fill(NONE)
  for (const [chars, first] of rows)
    for (const [index, char] of chars.split('').entries()) table[char.charCodeAt(0)] = first + index
  return table
}

/** Yields each run that is long enough, from left to right. */
export function* readRuns(bytes: Uint8Array, request: RunRequest): Generator<Run> {
  const isEscaped = request.written === 'escaped'
  if (isEscaped && !hasEscape(bytes)) return
  for (let at = nextRun(bytes, 0, request); at < bytes.length;) {
    const { count, escapes, again } = walk(bytes, at, request)
    if (count >= request.least && (escapes > 0 || !isEscaped)) {
      const { alphabet } = request
      const [starts, ends] = [new Uint32Array(count), new Uint32Array(count)]
      const run: Run = { alphabet, values: new Uint8Array(count), starts, ends }
      walk(bytes, at, request, run)
      yield run
    }
    at = nextRun(bytes, Math.max(again, at + 1), request)
  }
}

/** Finds the start of the next run that may be long enough. Most runs are words. */
function nextRun(
  bytes: Uint8Array,
  from: number,
  { alphabet, written, least }: RunRequest,
): number {
  const table = VALUES[alphabet]
  const isEscaped = written === 'escaped'
  let start = from
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (table[byte] !== NONE) continue
    const isEscape = ESCAPES[byte] === 1
    if (at - start >= least) return start
    if (at > start && (GAPS[byte] === 1 || isEscape || SEPARATES[byte] === 1)) return start
    if (isEscaped && isEscape) return at
    start = at + 1
  }
  return start
}

function hasEscape(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if (ESCAPES[bytes[at] ?? 0] === 1) return true
  return false
}

/** Counts the characters of one run, or records them. */
function walk(
  bytes: Uint8Array,
  from: number,
  { alphabet, written, overlap }: RunRequest,
  run?: Run,
): { count: number; escapes: number; again: number } {
  const table = VALUES[alphabet]
  const level = written === 'escaped' ? 1 : 0
  let [count, escapes, at, again] = [0, 0, from, from]
  while (at < bytes.length && count < MAX_COUNT) {
    const byte = bytes[at] ?? 0
    let value = table[byte] ?? NONE
    let next = at + 1
    if (value === NONE && level === 1 && ESCAPES[byte] === 1) {
      const unit = readUnits(bytes, at, 1).find(({ code }) => code < 0x80 && table[code] !== NONE)
      if (unit) {
        value = table[unit.code] ?? NONE
        next = unit.next
        escapes += 1
      }
    }
    if (value === NONE) {
      const end = count === 0 ? undefined : endOfGap(bytes, at, alphabet, level)
      if (end === undefined) break
      if (end > at + 1 && ESCAPES[byte] === 1) escapes += 1
      at = end
      continue
    }
    if (run) {
      run.values[count] = value
      run.starts[count] = at
      run.ends[count] = next
    }
    count += 1
    if (count === MAX_COUNT - overlap) again = next
    at = next
  }
  return { count, escapes, again: count === MAX_COUNT ? again : at }
}

function endOfGap(
  bytes: Uint8Array,
  at: number,
  alphabet: Alphabet,
  level: 0 | 1,
): number | undefined {
  const gap = readGap(bytes, at, level)
  if (gap) return gap.ends.at(-1)
  return alphabet === 'hexadecimal' ? endOfSeparator(bytes, at) : undefined
}

/** Returns the end of a separator between hexadecimal bytes: `:`, `-`, blanks and commas, and `0x`. */
function endOfSeparator(bytes: Uint8Array, from: number): number | undefined {
  let at = from
  while (at < from + 2 && SEPARATES[bytes[at] ?? 0] === 1) at += 1
  if (at === from) return undefined
  const isPrefix = bytes[at] === 0x30 && ((bytes[at + 1] ?? 0) | 0x20) === 0x78
  return isPrefix ? at + 2 : at
}

const SEPARATES = getTable(' :,-')

/** Decodes the bytes of a run, without its first `phase` characters. */
export function decodeRun({ alphabet, values }: Run, phase: number): Uint8Array {
  const bits = BITS[alphabet]
  const bytes = new Uint8Array(Math.max(0, ((values.length - phase) * bits) >> 3))
  let [held, count, at] = [0, 0, 0]
  for (let index = phase; index < values.length && at < bytes.length; index++) {
    held = ((held << bits) | (values[index] ?? 0)) & 0xffff
    count += bits
    if (count < 8) continue
    count -= 8
    bytes[at] = (held >> count) & 0xff
    at += 1
  }
  return bytes
}

/** Returns the characters to change when bytes of a run change: their index in the run, and the new characters. */
export function encodeRun(
  source: Uint8Array,
  run: Run,
  { phase, bytes, from, to }: { phase: number; bytes: Uint8Array; from: number; to: number },
): readonly { index: number; char: string }[] {
  const { alphabet, values, starts } = run
  const bits = BITS[alphabet]
  const chars = getChars(source, run)
  const changed: { index: number; char: string }[] = []
  const last = Math.min(values.length, phase + Math.ceil((to * 8) / bits))
  for (let index = phase + Math.floor((from * 8) / bits); index < last; index++) {
    let value = 0
    for (let bit = 0; bit < bits; bit++) {
      const place = (index - phase) * bits + bit
      const byte = bytes[place >> 3]
      const old = ((values[index] ?? 0) >> (bits - 1 - bit)) & 1
      value = (value << 1) | (byte === undefined ? old : (byte >> (7 - (place & 7))) & 1)
    }
    if (value !== values[index] && starts[index] !== undefined)
      changed.push({ index, char: chars[value] ?? '' })
  }
  return changed
}

/** Returns the alphabet of a run: for base64 the URL form or the standard form, for hexadecimal capitals or small letters. */
function getChars(source: Uint8Array, { alphabet, starts }: Run): string {
  const isWrittenWith = (chars: RegExp): boolean =>
    starts.some((start) => chars.test(String.fromCharCode(source[start] ?? 0)))
  if (alphabet === 'hexadecimal')
    return isWrittenWith(/[A-F]/) ? '0123456789ABCDEF' : '0123456789abcdef'
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  return letters + (isWrittenWith(/[-_]/) ? '-_' : '+/')
}
