import { canonicalJson, isScalar } from './canonical-json.ts'

/** Whether values are few and simple enough to be compared one by one. */
export function areFewScalars(values: readonly unknown[]): boolean {
  return values.length <= 20 && values.every(isScalar)
}

/** Whether a value is among some, in time that does not grow with how many there are. */
export function createLookup(values: readonly unknown[]): (value: unknown) => boolean {
  const scalars = new Set(values.filter(isScalar))
  const others = new Set(values.filter((value) => !isScalar(value)).map(canonicalJson))
  return (value) =>
    isScalar(value) ? scalars.has(value) : others.size > 0 && others.has(canonicalJson(value))
}

/** The places of two items that are the same JSON. */
export function findSameItems(items: readonly unknown[]): { i: number; j: number } | undefined {
  const scalars = new Map<unknown, number>()
  const texts = new Map<unknown, number>()
  for (const [i, item] of items.entries()) {
    const [places, key] = isScalar(item) ? [scalars, item] : [texts, canonicalJson(item)]
    const j = places.get(key)
    if (j !== undefined) return { i, j }
    places.set(key, i)
  }
  return undefined
}
