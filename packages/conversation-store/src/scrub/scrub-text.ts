import { requireArguments, requireChoice } from '@toolblocks/protocol/internal'
import { StoreError } from '../problems/store-error.ts'
import { findSecret, findWritten, prepareSecret } from './find-secret.ts'
import type { FormBits, LetterCase, SecretSpan } from './secret-forms.ts'

/** Removes one value from texts and bytes. Bytes without the value are returned as the same object. */
export interface Scrubber {
  /** Scrubs UTF-8 text: a mark replaces the value. */
  text(bytes: Uint8Array): Uint8Array
  /** Scrubs bytes of any format: the same number of other bytes replaces the value, so that the format stays valid. */
  bytes(bytes: Uint8Array): Uint8Array
  /** Scrubs bytes that a text contains as base64: as `bytes`, and also a value that the characters of the base64 spell. */
  base64(bytes: Uint8Array): Uint8Array
  /**
   * Scrubs JSON: strings, names and numbers lose the value, and everything else stays the same byte for byte. A string that is a key of `names` is
   * replaced by its value there, and is not searched.
   */
  json(bytes: Uint8Array, names?: ReadonlyMap<string, string>): Uint8Array
  /** Whether bytes contain the plain value. */
  isIn(bytes: Uint8Array): boolean
  /** The forms of each value that was removed so far. */
  removed: readonly FormBits[]
}

/** Minimum length of a value. A shorter one would match too many other texts. */
const MIN_LENGTH = 6

/** Maximum number of passes over the bytes. Of values that share characters, the second is found after the first is removed. */
const ROUNDS = 50

/** Texts that can replace a value. The first one is used that is not part of the value and that no value can begin or end in. */
const MARKS = ['[scrubbed]', '(removed)', '<>']

/** Characters that can replace bytes. In base64 none of them needs one of the two characters in which the alphabets differ. */
const FILLS = ['*', '.', 'x', '-']

/** Characters that can replace base64. */
const LETTERS = ['A', 'x', '0']

/**
 * Creates a scrubber of a value.
 *
 * @throws StoreError `unscrubbable` for a value that is too short, or contains half of a surrogate pair.
 */
export function createScrubber(value: string, letterCase: LetterCase): Scrubber {
  requireArguments('createScrubber(value, …)', [value, 'string'])
  requireChoice('createScrubber(value, letterCase)', 'letterCase', letterCase, ['exact', 'ignored'])
  if (value.length < MIN_LENGTH || !value.isWellFormed()) {
    const message = `Nothing was changed: a value to scrub must have at least ${MIN_LENGTH} characters and no half of a surrogate pair; this one has ${value.length} characters.`
    throw new StoreError('unscrubbable', message)
  }
  const lower = value.toLowerCase()
  const mark = MARKS.find((each) => !touches(lower, each)) ?? ''
  const free = (chars: readonly string[]): string =>
    chars.find((char) => !lower.includes(char.toLowerCase())) ?? chars[0] ?? ''
  const fill = free(FILLS)
  const secret = prepareSecret(value, letterCase, fill)
  const removed: FormBits[] = []
  const toMark: Replace = () => mark

  function scrub(
    bytes: Uint8Array,
    replace: Replace,
    open: (bytes: Uint8Array) => JsonString = (same) => ({ bytes: same }),
  ): Uint8Array {
    let now = bytes
    for (let round = 0; round < ROUNDS; round++) {
      const { bytes: read, starts } = open(now)
      const places = withoutOverlaps(findSecret(toText(read), secret))
      if (places.length === 0) break
      for (const { forms } of places) removed.push(forms)
      now = applyEdits(
        now,
        places.map(({ start, end, encoded }): TextEdit => ({
          start: starts?.[start] ?? start,
          end: starts?.[end] ?? end,
          text: encoded ?? replace(end - start),
        })),
      )
    }
    return now
  }

  function scrubToken(json: Uint8Array, names: ReadonlyMap<string, string>): Uint8Array {
    const name = json.length === HASH_DIGITS ? Buffer.from(json).toString('latin1') : ''
    const other = names.get(name)
    if (other !== undefined) return other === name ? json : Buffer.from(other)
    return json.length < secret.characters.length ? json : scrub(json, toMark, readJsonString)
  }

  function scrubNumber(number: Uint8Array): Uint8Array {
    const matches = findWritten(toText(number), secret, 'plain')
    for (const { forms } of matches) removed.push(forms)
    return matches.length === 0 ? number : Buffer.from('0')
  }

  return {
    text: (bytes) => scrub(bytes, toMark),
    bytes: (bytes) => scrub(bytes, filler(fill)),
    base64: (bytes) => {
      const filled = scrub(bytes, filler(fill))
      const text = Buffer.from(Buffer.from(filled).toString('base64'))
      const scrubbed = scrub(text, filler(free(LETTERS)))
      return scrubbed === text ? filled : Buffer.from(Buffer.from(scrubbed).toString(), 'base64')
    },
    json: (bytes, names = new Map()) => {
      const parts: Uint8Array[] = []
      const distinct = keepDistinct(bytes)
      let position = 0
      for (const { start, end, kind } of readTokens(bytes)) {
        const token = bytes.subarray(start, end)
        let scrubbed = kind === 'string' ? scrubToken(token, names) : scrubNumber(token)
        if (scrubbed === token) continue
        if (kind === 'string' && isName(bytes, end)) scrubbed = distinct(token, scrubbed)
        parts.push(bytes.subarray(position, start), scrubbed)
        position = end
      }
      return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(position)])
    },
    isIn: (bytes) => findWritten(toText(bytes), secret, 'plain').length > 0,
    removed,
  }
}

/** Combines scrubbers: each value is scrubbed after the one before it. */
export function joinScrubbers(scrubbers: readonly Scrubber[]): Scrubber {
  const inTurn =
    (way: 'text' | 'bytes' | 'base64') =>
    (bytes: Uint8Array): Uint8Array =>
      scrubbers.reduce((left, scrubber) => scrubber[way](left), bytes)
  return {
    text: inTurn('text'),
    bytes: inTurn('bytes'),
    base64: inTurn('base64'),
    json: (bytes, names = new Map()) => {
      // The result of one scrubber is the name for the next one.
      const kept = new Map([...names.values()].map((name) => [name, name]))
      return scrubbers.reduce(
        (left, scrubber, index) => scrubber.json(left, index === 0 ? names : kept),
        bytes,
      )
    },
    isIn: (bytes) => scrubbers.some((scrubber) => scrubber.isIn(bytes)),
    get removed() {
      return scrubbers.flatMap(({ removed }) => removed)
    },
  }
}

function filler(char: string): Replace {
  return (length) => char.repeat(length)
}

/** Returns bytes as Latin-1, in which each character is a byte. */
const toText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')

const HASH_DIGITS = 64

/** Whether a value could be found in a mark, or across a mark and the text beside it. */
function touches(value: string, mark: string): boolean {
  if (mark.includes(value)) return true
  const lengths = Array.from(
    { length: Math.min(mark.length, value.length) },
    (_, index) => index + 1,
  )
  return lengths.some(
    (length) => mark.startsWith(value.slice(-length)) || mark.endsWith(value.slice(0, length)),
  )
}

/** Bytes to replace by an ASCII text. */
interface TextEdit {
  start: number
  end: number
  text: string
}

/** Returns what replaces a value of a number of bytes. */
type Replace = (length: number) => string

/** Resolves overlaps: keeps the place that begins first, and of several the longest. */
function withoutOverlaps(places: readonly SecretSpan[]): readonly SecretSpan[] {
  const sorted = places.toSorted((one, other) => one.start - other.start || other.end - one.end)
  let end = 0
  return sorted.filter((secretPlace) => {
    if (secretPlace.start < end) return false
    end = secretPlace.end
    return true
  })
}

/** Applies edits to bytes. The edits must be sorted and must not overlap. */
function applyEdits(bytes: Uint8Array, edits: readonly TextEdit[]): Uint8Array {
  const parts: Uint8Array[] = []
  let position = 0
  for (const { start, end, text } of edits) {
    parts.push(bytes.subarray(position, start), Buffer.from(text, 'latin1'))
    position = end
  }
  const joined = Buffer.concat([...parts, bytes.subarray(position)])
  return new Uint8Array(joined.buffer, joined.byteOffset, joined.byteLength)
}

/** A string of JSON while it is read. */
interface JsonString {
  /** Its text as UTF-8. Half of a surrogate pair becomes U+FFFD. */
  bytes: Uint8Array
  /** The position from which each byte comes; absent if nothing is escaped. */
  starts?: Uint32Array
}

/** Maps a letter after a backslash to its control character, by their codes. */
const CONTROLS: ReadonlyMap<number, number> = new Map(
  Array.from('bfnrt', (char, index) => [char.charCodeAt(0), [8, 12, 10, 13, 9][index] ?? 0]),
)

const [QUOTE, BACKSLASH, MINUS, COLON] = [0x22, 0x5c, 0x2d, 0x3a]
const BLANKS = new Set([0x20, 0x0a, 0x0d, 0x09])
const NUMBER = new Set(Array.from('+-.0123456789Ee', (char) => char.charCodeAt(0)))

/** Yields the strings and numbers of JSON, in their order. */
function* readTokens(
  json: Uint8Array,
): Generator<{ start: number; end: number; kind: 'string' | 'number' }> {
  for (let position = 0; position < json.length; position++) {
    const byte = json[position] ?? 0
    if (byte === QUOTE) {
      const start = position + 1
      for (position = start; position < json.length && json[position] !== QUOTE; position++)
        if (json[position] === BACKSLASH) position += 1
      yield { start, end: Math.min(position, json.length), kind: 'string' }
    } else if (byte === MINUS || (byte >= 0x30 && byte <= 0x39)) {
      const start = position
      while (NUMBER.has(json[position + 1] ?? 0)) position += 1
      yield { start, end: position + 1, kind: 'number' }
    }
  }
}

/** Whether a string, given by its end, is the name of a field. */
function isName(json: Uint8Array, end: number): boolean {
  let position = end + 1
  while (BLANKS.has(json[position] ?? 0)) position += 1
  return json[position] === COLON
}

/** Returns a function that numbers names which became equal, because a reader keeps only the last of several equal ones. */
function keepDistinct(json: Uint8Array): (name: Uint8Array, scrubbed: Uint8Array) => Uint8Array {
  const chosen = new Map<string, string>()
  const counts = new Map<string, number>()
  let taken: Set<string> | undefined
  return (name, scrubbed) => {
    taken ??= readNames(json)
    const [before, wanted] = [toText(name), toText(scrubbed)]
    let choice = chosen.get(before)
    while (choice === undefined) {
      const count = (counts.get(wanted) ?? 0) + 1
      counts.set(wanted, count)
      const next = count === 1 ? wanted : `${wanted} ${count}`
      if (!taken.has(next)) choice = next
    }
    chosen.set(before, choice)
    return choice === wanted ? scrubbed : Buffer.from(choice, 'latin1')
  }
}

function readNames(json: Uint8Array): Set<string> {
  const names = new Set<string>()
  for (const { start, end, kind } of readTokens(json))
    if (kind === 'string' && isName(json, end)) names.add(toText(json.subarray(start, end)))
  return names
}

/** Reads a string, given without its quotation marks. */
function readJsonString(written: Uint8Array): JsonString {
  if (!written.includes(BACKSLASH)) return { bytes: written }
  const bytes = new Uint8Array(written.length)
  const starts = new Uint32Array(written.length + 1)
  let length = 0
  const put = (from: number, ...added: readonly number[]): void => {
    for (const byte of added) {
      bytes[length] = byte
      starts[length] = from
      length += 1
    }
  }
  for (let position = 0; position < written.length;) {
    const byte = written[position] ?? 0
    const next = written[position + 1] ?? 0
    if (byte !== BACKSLASH) put(position++, byte)
    else if (next !== 0x75) {
      put(position, CONTROLS.get(next) ?? next)
      position += 2
    } else {
      const pair = (unitAt(written, position) << 16) | unitAt(written, position + 6)
      const isPair = (pair & 0xfc00_fc00) >>> 0 === 0xd800_dc00
      const units = isPair ? [pair >>> 16, pair & 0xffff] : [pair >>> 16]
      put(position, ...Buffer.from(String.fromCharCode(...units)))
      position += 6 * units.length
    }
  }
  starts[length] = written.length
  return { bytes: bytes.subarray(0, length), starts: starts.subarray(0, length + 1) }
}

function unitAt(written: Uint8Array, position: number): number {
  if (written[position] !== BACKSLASH || written[position + 1] !== 0x75) return 0
  return Number.parseInt(String.fromCharCode(...written.subarray(position + 2, position + 6)), 16)
}
