import { isJsonObject } from '@toolblocks/protocol'
import { cutText } from './deliver-result.ts'

/** Shorter strings are names, numbers and choices, which say nothing without their middle. */
const MIN_STRING = 64
/** Levels of a value that are shortened. */
const MAX_DEPTH = 100

/** What is shortened first. A schema may not allow it for all strings, or for all arrays. */
const WAYS = ['strings-and-arrays', 'arrays', 'strings'] as const

/**
 * Shortens a JSON value to a length of its text, so that it still matches what was promised: long strings lose their middle, and arrays their end.
 * Returns `undefined` if no way leads to such a value. `matches` is called at most three times.
 */
export function shortenStructure(
  value: unknown,
  budget: number,
  matches: (shortened: unknown) => boolean,
): unknown {
  const { string, array } = measureLargest(value)
  for (const way of WAYS) {
    const shortened = shortenIn(value, budget, {
      string: way === 'arrays' ? Infinity : string,
      array: way === 'strings' ? Infinity : array,
    })
    if (shortened !== undefined && matches(shortened)) return shortened
  }
  return undefined
}

/** Maximum lengths: of strings in characters (UTF-16 code units), of arrays in items. */
interface Lengths {
  readonly string: number
  readonly array: number
}

/** Shortens strings down to a minimum, then arrays, until the value fits. */
function shortenIn(value: unknown, budget: number, largest: Lengths): unknown {
  let lengths = largest
  for (;;) {
    const shortened = shorten(value, lengths, 0)
    if (JSON.stringify(shortened).length <= budget) return shortened
    const next = lower(lengths)
    if (!next) return undefined
    lengths = next
  }
}

function lower({ string, array }: Lengths): Lengths | undefined {
  if (string > MIN_STRING && string !== Infinity)
    return { string: Math.max(MIN_STRING, Math.floor(string / 2)), array }
  if (array > 1 && array !== Infinity) return { string, array: Math.ceil(array / 2) }
  return undefined
}

function shorten(value: unknown, lengths: Lengths, depth: number): unknown {
  if (typeof value === 'string')
    return value.length > lengths.string ? cutText(value, lengths.string).text : value
  if (depth > MAX_DEPTH) return value
  const inside = (part: unknown): unknown => shorten(part, lengths, depth + 1)
  if (Array.isArray(value)) return value.slice(0, lengths.array).map(inside)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inside(part)]))
}

/** Returns the lengths of the longest string and of the longest array. */
function measureLargest(value: unknown): Lengths {
  let string = 0
  let array = 0
  const open: { part: unknown; depth: number }[] = [{ part: value, depth: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { part, depth } = next
    if (typeof part === 'string') string = Math.max(string, part.length)
    else if (typeof part === 'object' && part !== null && depth <= MAX_DEPTH) {
      if (Array.isArray(part)) array = Math.max(array, part.length)
      for (const each of Object.values(part)) open.push({ part: each, depth: depth + 1 })
    }
  }
  return { string, array }
}
