import { StoreError } from '../problems/store-error.ts'
import { findSpelled } from './match-secret.ts'
import { prepareSecret } from './prepare-secret.ts'
import { readJsonString, readTokens, type JsonString } from './json-tokens.ts'
import {
  applyEdits,
  type Edit,
  searchBytes,
  withoutOverlaps,
  type WritePiece,
} from './search-bytes.ts'
import type { FormBits, LetterCase } from './secret-forms.ts'

/** Takes one value out of texts and bytes. Where the value is not there, the same bytes come back. */
export interface Scrubber {
  /** UTF-8 text: a mark stands where the value was. */
  text(bytes: Uint8Array): Uint8Array
  /** Bytes of any format: others stand where the value was, as many as before, so that the format stays whole. */
  bytes(bytes: Uint8Array): Uint8Array
  /** Bytes that stand in a text as base64: as `bytes`, and without a value that the characters of the base64 spell. */
  base64(bytes: Uint8Array): Uint8Array
  /**
   * JSON: strings, names and numbers lose the value; what it says beside that stays byte for byte. A string that is a key of `names` is replaced by
   * what stands there, and not looked into.
   */
  json(bytes: Uint8Array, names?: ReadonlyMap<string, string>): Uint8Array
  /** Whether bytes have the value as it is, whatever they mean. */
  isIn(bytes: Uint8Array): boolean
  /** The forms of each value that was removed so far. */
  removed: readonly FormBits[]
}

/** A shorter value is part of too much else. */
const SHORTEST = 6
/** Escapes and encodings, one inside the other, that may be around a value. */
const DEPTH = 2
/** How often bytes are gone through: of values that share characters the second is found once the first is gone. */
const ROUNDS = 50

/** What stands where a value was: the first that is no part of the value, and that no value can begin or end in. */
const MARKS = ['[scrubbed]', '(removed)', '<>']
/** What bytes are filled with. In base64 none of them needs one of the two characters in which its alphabets differ. */
const FILLS = ['*', '.', 'x', '-']
/** What base64 is filled with. */
const LETTERS = ['A', 'x', '0']

/**
 * Makes a scrubber of a value.
 *
 * @throws StoreError `unscrubbable` for a value that is too short, or has half of a surrogate pair.
 */
export function createScrubber(value: string, letterCase: LetterCase): Scrubber {
  if (value.length < SHORTEST || !value.isWellFormed()) {
    const message = `A value to scrub has at least ${SHORTEST} characters and no half of a surrogate pair; this one has ${value.length} characters. Nothing was changed.`
    throw new StoreError('unscrubbable', message)
  }
  const secret = prepareSecret(value, letterCase)
  const lower = value.toLowerCase()
  const mark = MARKS.find((each) => !touches(lower, each)) ?? ''
  const free = (chars: readonly string[]): string =>
    chars.find((char) => !lower.includes(char.toLowerCase())) ?? chars[0] ?? ''
  const fill = free(FILLS)
  const removed: FormBits[] = []
  const toMark: WritePiece = (index) => (index === 0 ? mark : '')

  function scrub(
    bytes: Uint8Array,
    write: WritePiece,
    open: (bytes: Uint8Array) => JsonString = (same) => ({ bytes: same }),
  ): Uint8Array {
    let now = bytes
    for (let round = 0; round < ROUNDS; round++) {
      const { bytes: read, starts } = open(now)
      const found = searchBytes(read, { secret, depth: DEPTH, write, fill })
      const patches = withoutOverlaps(found)
      if (patches.length === 0) break
      removed.push(...patches.map(({ forms }) => forms))
      const placed = ({ start, end, text }: Edit): Edit =>
        starts ? { start: starts[start] ?? 0, end: starts[end] ?? 0, text } : { start, end, text }
      now = applyEdits(
        now,
        patches.flatMap(({ edits }) => edits.map(placed)),
      )
    }
    return now
  }

  function scrubToken(json: Uint8Array, names: ReadonlyMap<string, string>): Uint8Array {
    const name = json.length === HASH_DIGITS ? Buffer.from(json).toString('latin1') : ''
    const other = names.get(name)
    if (other !== undefined) return other === name ? json : Buffer.from(other)
    return json.length < secret.leastBytes ? json : scrub(json, toMark, readJsonString)
  }

  function scrubNumber(number: Uint8Array): Uint8Array {
    const found = findSpelled(number, secret, 0)
    removed.push(...found.map(({ forms }) => forms))
    return found.length === 0 ? number : Buffer.from('0')
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
      let at = 0
      for (const { start, end, kind } of readTokens(bytes)) {
        const token = bytes.subarray(start, end)
        const scrubbed = kind === 'string' ? scrubToken(token, names) : scrubNumber(token)
        if (scrubbed === token) continue
        parts.push(bytes.subarray(at, start), scrubbed)
        at = end
      }
      return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(at)])
    },
    isIn: (bytes) => findSpelled(bytes, secret, 0).length > 0,
    removed,
  }
}

/** Scrubs one value after the other. */
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
      // What a name became is a name for the next one.
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

function filler(char: string): WritePiece {
  return (_, { start, end }) => char.repeat(end - start)
}

const HASH_DIGITS = 64

/** Whether a value could be found in a mark, or between a mark and what stands beside it. */
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
