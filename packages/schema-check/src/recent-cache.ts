/** Keeps the most recently used values; the oldest goes when there are more than `size`. */
export function createRecentCache<Value>(
  size: number,
): (key: string, create: () => Value) => Value {
  const values = new Map<string, { value: Value }>()
  return (key, create) => {
    const known = values.get(key)
    const entry = known ?? { value: create() }
    values.delete(key)
    values.set(key, entry)
    if (values.size > size) {
      const oldest = values.keys().next().value
      if (oldest !== undefined) values.delete(oldest)
    }
    return entry.value
  }
}
