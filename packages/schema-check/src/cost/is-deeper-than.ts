/** Whether arrays and objects stand inside each other in more than so many levels; looks at each once, without recursion. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: object[] = []
  addHolder(value, level)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true
    const next: object[] = []
    for (const holder of level) addHoldersInside(holder, next)
    level = next
  }
  return false
}

/** By name: the engine takes three times as long for all values of a large object at once. */
function addHoldersInside(holder: object, to: object[]): void {
  if (Array.isArray(holder)) for (const item of holder) addHolder(item, to)
  else for (const name of Object.keys(holder)) addHolder(Reflect.get(holder, name), to)
}

function addHolder(value: unknown, to: object[]): void {
  if (typeof value === 'object' && value !== null) to.push(value)
}
