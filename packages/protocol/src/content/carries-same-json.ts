import { isJsonObject } from '../fields.ts'
import type { ContentBlock } from './content-block.ts'

/** Whether a text block is the same JSON as a value, whatever its spacing and order of keys. */
export function carriesSameJson(block: ContentBlock, value: unknown): boolean {
  if (block.type !== 'text') return false
  try {
    return isSameJson(JSON.parse(block.text), value)
  } catch {
    // No JSON, or nested deeper than can be compared.
    return false
  }
}

function isSameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSameJson(item, other[index]))
    )
  if (!isJsonObject(one) || !isJsonObject(other)) return Object.is(one, other)
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameJson(one[key], other[key]))
  )
}
