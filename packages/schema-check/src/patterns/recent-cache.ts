/** How much a cache keeps. */
export interface CacheBounds {
  entries: number
  /** Characters of all keys together: what is made from a longer key is taken to be larger. */
  characters: number
}

/** Keeps the most recently used values; the oldest go when there is more than the bounds allow. */
export function createRecentCache<Value>(
  bounds: CacheBounds,
): (key: string, create: () => Value) => Value {
  const values = new Map<string, { value: Value }>()
  let characters = 0
  return (key, create) => {
    const known = values.get(key)
    const entry = known ?? { value: create() }
    values.delete(key)
    values.set(key, entry)
    characters += known ? 0 : key.length
    for (const oldest of values.keys()) {
      if (values.size <= bounds.entries && characters <= bounds.characters) break
      values.delete(oldest)
      characters -= oldest.length
    }
    return entry.value
  }
}
