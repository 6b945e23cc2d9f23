/** Returns the canonical text of a JSON value: own members only, in one order. Equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}

/** Whether a value has no members or items. */
export function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

/** Whether values are few and simple enough to be compared one by one. */
export function areFewScalars(values: readonly unknown[]): boolean {
  return values.length <= 20 && values.every(isScalar)
}

/** Returns a function that tells whether a value is in a list, in time independent of the length of the list. */
export function createLookup(values: readonly unknown[]): (value: unknown) => boolean {
  const scalars = new Set(values.filter(isScalar))
  const others = new Set(values.filter((value) => !isScalar(value)).map(canonicalJson))
  return (value) =>
    isScalar(value) ? scalars.has(value) : others.size > 0 && others.has(canonicalJson(value))
}

/** Returns the indexes of two items that are the same JSON. */
export function findEqualItems(items: readonly unknown[]): { i: number; j: number } | undefined {
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
