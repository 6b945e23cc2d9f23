import { isJsonObject } from '../json/json.ts'
import { isSameJson } from '../json/is-json.ts'
import type { ContentBlock } from './content-block.ts'

/**
 * The text blocks that are the same JSON as a value, whatever its spacing and order of keys. The work is linear in the text of
 * the blocks, whatever the size of the value: only a text that is long enough to be it is parsed.
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

/** How a text begins that can be the JSON of a value. */
function getBeginning(value: unknown): RegExp {
  if (Array.isArray(value)) return /^[ \t\r\n]*\[/
  if (isJsonObject(value)) return /^[ \t\r\n]*\{/
  if (typeof value === 'string') return /^[ \t\r\n]*"/
  return /^[ \t\r\n]*[-\dtfn]/
}

/**
 * A length that no text with the JSON of a value falls short of: one character for each value, key and character of a string.
 * Counting ends above `most`, so that a cycle ends too.
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
    // No JSON, or nested deeper than can be compared.
    return false
  }
}
