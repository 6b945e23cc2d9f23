import { isJsonObject } from './fields.ts'

/** Says whether two values are the same JSON, whatever the order of keys; by recursion, so neither may be deep without bound. */
export function isSameJson(one: unknown, other: unknown): boolean {
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
