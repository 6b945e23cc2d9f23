import { isJsonObject } from '@toolblocks/protocol'

/** The size of a JSON value. */
interface JsonMeasure {
  depth: number
  nodes: number
  /** Characters of all keys and strings, and ten for every other scalar. */
  characters: number
}

/** Bounds for measuring. */
interface MeasureBounds {
  depth: number
  /** Maximum number of values. A larger value is only known to be larger. */
  nodes: number
}

/** Measures without recursion, and stops when a bound is exceeded. */
export function measureJson(value: unknown, bounds: MeasureBounds): JsonMeasure {
  const measure = { depth: 0, nodes: 0, characters: 0 }
  let level: unknown[] = [value]
  while (level.length > 0 && measure.depth <= bounds.depth) {
    const next: unknown[] = []
    for (const node of level) {
      visit(node, measure, next)
      if (measure.nodes + next.length > bounds.nodes) return { ...measure, nodes: Infinity }
    }
    if (next.length > 0) measure.depth += 1
    level = next
  }
  return measure
}

function visit(node: unknown, measure: JsonMeasure, next: unknown[]): void {
  measure.nodes += 1
  if (typeof node === 'string') measure.characters += node.length
  else if (typeof node !== 'object' || node === null) measure.characters += 10
  else if (Array.isArray(node)) for (const item of node) next.push(item)
  else {
    for (const key of Object.keys(node)) {
      measure.characters += key.length
      next.push(Reflect.get(node, key))
    }
  }
}

/** Whether arrays and objects are nested deeper than a number of levels, which also limits the recursion. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (Array.isArray(value)) {
    if (levels < 0) return true
    for (const item of value) if (isDeeperThan(item, levels - 1)) return true
  } else if (isJsonObject(value)) {
    if (levels < 0) return true
    // Twice as fast as a list of the names. Inherited members do no harm to a measure.
    for (const name in value) if (isDeeperThan(value[name], levels - 1)) return true
  }
  return false
}
