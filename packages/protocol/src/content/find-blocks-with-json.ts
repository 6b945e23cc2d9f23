import { isJsonObject } from '../json/json.ts'
import { isSameJson } from '../json/is-json.ts'
import type { ContentBlock } from './content-block.ts'

/**
 * Returns the text blocks that are the same JSON as a value, whatever the white space and order of keys. The time is linear in the text of the
 * blocks, whatever the size of the value: only a text of sufficient length is parsed.
 */
export function findBlocksWithJson(
  content: readonly ContentBlock[],
  value: unknown,
): ReadonlySet<ContentBlock> {
  const begin = getBeginning(value)
  const candidates = content.flatMap((block) =>
    block.type === 'text' && begin.test(block.text) ? [block] : [],
  )
  const longest = candidates.reduce((most, { text }) => Math.max(most, text.length), 0)
  const least = leastLength(value, longest)
  return new Set(candidates.filter(({ text }) => text.length >= least && isSameText(text, value)))
}

/** Returns a pattern for the beginning of a value's JSON. */
function getBeginning(value: unknown): RegExp {
  if (Array.isArray(value)) return /^[ \t\r\n]*\[/
  if (isJsonObject(value)) return /^[ \t\r\n]*\{/
  if (typeof value === 'string') return /^[ \t\r\n]*"/
  return /^[ \t\r\n]*[-\dtfn]/
}

/**
 * Returns a lower bound for the length of a value's JSON: one character for each value, key and character of a string. Counting ends above `most`,
 * so that a cycle ends too.
 */
function leastLength(value: unknown, most: number): number {
  let length = 0
  const unread: Iterator<unknown>[] = [[value].values()]
  for (let parts = unread.at(-1); parts && length <= most; parts = unread.at(-1)) {
    const { done, value: part } = parts.next() as IteratorResult<unknown, unknown>
    if (done) unread.pop()
    else length += typeof part === 'string' ? part.length + 1 : 1
    if (Array.isArray(part)) unread.push(part.values())
    else if (isJsonObject(part))
      unread.push(Object.keys(part).values(), Object.values(part).values())
  }
  return length
}

function isSameText(text: string, value: unknown): boolean {
  try {
    return isSameJson(JSON.parse(text), value)
  } catch {
    // Not JSON, or nested too deep to compare.
    return false
  }
}
