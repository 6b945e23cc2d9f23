/** The size of a JSON value. */
export interface JsonMeasure {
  depth: number
  nodes: number
  /** Characters of all keys and strings, and ten for every other scalar. */
  characters: number
  /** The sum of the squares of the lengths of all arrays: what comparing their items pairwise costs. */
  pairs: number
}

/** Measures without recursion; stops as soon as the depth exceeds `maxDepth`. */
export function measureJson(value: unknown, maxDepth: number): JsonMeasure {
  const measure = { depth: 0, nodes: 0, characters: 0, pairs: 0 }
  let level: unknown[] = [value]
  while (level.length > 0 && measure.depth <= maxDepth) {
    const next: unknown[] = []
    for (const node of level) visit(node, measure, next)
    if (next.length > 0) measure.depth += 1
    level = next
  }
  return measure
}

function visit(node: unknown, measure: JsonMeasure, next: unknown[]): void {
  measure.nodes += 1
  if (typeof node === 'string') measure.characters += node.length
  else if (typeof node !== 'object' || node === null) measure.characters += 10
  else if (Array.isArray(node)) {
    measure.pairs += node.length * node.length
    for (const item of node) next.push(item)
  } else {
    for (const [key, item] of Object.entries(node)) {
      measure.characters += key.length
      next.push(item)
    }
  }
}
