import { findSpelled, type SecretMatch } from './match-secret.ts'
import type { Secret } from './prepare-secret.ts'
import { decodeRun, encodeRun, PHASES, BITS, readRuns, type Run } from './read-runs.ts'
import type { Level } from './unit.ts'
import { BIT, type FormBits } from './secret-forms.ts'

/** Bytes that are to be replaced by a text of ASCII. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** One place where a value was found, and what takes it out. */
export interface Patch {
  start: number
  end: number
  edits: readonly Edit[]
  forms: FormBits
}

/** What is written for a piece of a value; pieces are counted from 0. */
export type WritePiece = (index: number, piece: { start: number; end: number }) => string

/** What to look for, and how deep. */
export interface SearchOptions {
  secret: Secret
  /** Escapes and encodings, one inside the other, that may be around the value. */
  depth: Level
  write: WritePiece
  /** One character of ASCII, for values that are encoded. */
  fill: string
}

/**
 * Finds a value in bytes, also where it is escaped or encoded up to `depth` times, and says what takes it out. What is found may overlap. Each run of
 * base64 is decoded from each of four characters on, and each of hexadecimal from two, so that of `n` bytes at most `4n` more are looked through for
 * each encoding: work is linear in the bytes.
 */
export function searchBytes(bytes: Uint8Array, options: SearchOptions): readonly Patch[] {
  const { secret, depth, write } = options
  if (bytes.length < secret.leastBytes) return []
  const patches = findSpelled(bytes, secret, depth).map((match) => patchOf(match, write))
  const deeper: readonly (readonly ['as-is' | 'escaped', Level])[] = [
    ...(depth >= 1 ? [['as-is', depth === 2 ? 1 : 0] as const] : []),
    ...(depth >= 2 ? [['escaped', 0] as const] : []),
  ]
  for (const alphabet of ['base64', 'hexadecimal'] as const)
    for (const [written, left] of deeper) {
      const request = {
        alphabet,
        written,
        least: Math.floor((secret.leastBytes * 8) / BITS[alphabet]),
        overlap: Math.min(1 << 18, 4096 + secret.value.length * CHARACTERS_OF_ONE),
      }
      for (const run of readRuns(bytes, request))
        patches.push(...searchRun(bytes, run, { ...options, depth: left }))
    }
  return patches
}

/** Characters of a run for one of a value that is escaped inside of it, at most. */
const CHARACTERS_OF_ONE = 64

function patchOf({ start, end, pieces, forms }: SecretMatch, write: WritePiece): Patch {
  const edits = pieces.map((piece, index) => ({ ...piece, text: write(index, piece) }))
  return { start, end, edits, forms }
}

function searchRun(bytes: Uint8Array, run: Run, options: SearchOptions): readonly Patch[] {
  const { alphabet, starts, ends } = run
  const write: WritePiece = (_, { start, end }) => options.fill.repeat(end - start)
  return Array.from({ length: PHASES[alphabet] }, (_, phase) => {
    const decoded = decodeRun(run, phase)
    return searchBytes(decoded, { ...options, write }).map((inner): Patch => {
      const changed = applyEdits(decoded, inner.edits)
      const { start: from, end: to } = inner
      const edits = encodeRun(bytes, run, { phase, bytes: changed, from, to }).map(
        ({ index, char }): Edit => ({
          start: starts[index] ?? 0,
          end: ends[index] ?? 0,
          text: char,
        }),
      )
      const form = alphabet === 'base64' ? BIT.base64 : BIT.hex
      const start = edits[0]?.start ?? 0
      return { start, end: edits.at(-1)?.end ?? start, edits, forms: inner.forms | form }
    })
  }).flat()
}

/** Of patches that overlap the one that begins first, and of those the longest. */
export function withoutOverlaps(patches: readonly Patch[]): readonly Patch[] {
  const sorted = patches.toSorted((one, other) => one.start - other.start || other.end - one.end)
  let end = 0
  return sorted.filter((patch) => {
    if (patch.edits.length === 0 || patch.start < end) return false
    end = patch.end
    return true
  })
}

/** Bytes with edits, which are in their order and do not overlap. */
export function applyEdits(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array {
  const parts: Uint8Array[] = []
  let at = 0
  for (const { start, end, text } of edits) {
    parts.push(bytes.subarray(at, start), Buffer.from(text, 'latin1'))
    at = end
  }
  const joined = Buffer.concat([...parts, bytes.subarray(at)])
  return new Uint8Array(joined.buffer, joined.byteOffset, joined.byteLength)
}
