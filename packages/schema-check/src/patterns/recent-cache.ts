/** Limits of a cache. */
export interface CacheBounds {
  entries: number
  /** Maximum characters of all keys together, because a value of a longer key is assumed to be larger. */
  characters: number
}

/** Creates a cache of the most recently used values. The oldest are removed when the limits are exceeded. */
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
