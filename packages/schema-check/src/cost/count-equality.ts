import type { CountSteps } from './budget.ts'
import { measureJson } from './measure-json.ts'

const PER_VALUE = 20
const PER_SCALAR = 6

/** The steps of looking for items that are the same. */
export const countUniqueness: CountSteps = (value, budget) => {
  if (!Array.isArray(value)) return
  for (const item of value) {
    budget.left -= PER_SCALAR + (typeof item === 'string' ? item.length / 4 : 0)
    if (budget.left < 0) return
    countEquality(item, budget)
  }
}

/** The steps of writing a value out to compare it with others. */
export const countEquality: CountSteps = (value, budget) => {
  if (typeof value !== 'object' || value === null) return
  const bounds = { depth: Infinity, nodes: Math.ceil(budget.left / PER_VALUE) }
  const { nodes, characters } = measureJson(value, bounds)
  budget.left -= nodes * PER_VALUE + characters
}
