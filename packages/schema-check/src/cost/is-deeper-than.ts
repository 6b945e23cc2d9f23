/** Whether arrays and objects stand inside each other in more than so many levels; looks at each once, without recursion. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level = holdersAmong([value])
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true
    level = level.flatMap(holdersInside)
  }
  return false
}

/** By name: the engine takes three times as long for all values of a large object at once. */
function holdersInside(holder: object): object[] {
  if (Array.isArray(holder)) return holdersAmong(holder)
  const holders: object[] = []
  for (const name of Object.keys(holder)) {
    const value: unknown = Reflect.get(holder, name)
    if (typeof value === 'object' && value !== null) holders.push(value)
  }
  return holders
}

function holdersAmong(values: readonly unknown[]): object[] {
  return values.filter((value) => typeof value === 'object' && value !== null)
}
