import type { CountSteps } from './budget.ts'
import { countUniqueness } from './count-equality.ts'
import type { SchemaSurroundings } from './count-steps.ts'

/** The steps of keywords that look at the items of an array. */
export function arraySteps(
  schema: Record<string, unknown>,
  { counterOf, keepsEvaluated }: SchemaSurroundings,
): CountSteps[] {
  const { items, prefixItems } = schema
  const ofEvery = ['contains', 'additionalItems', 'unevaluatedItems', 'items']
    .filter((keyword) => Object.hasOwn(schema, keyword) && !Array.isArray(schema[keyword]))
    .map((keyword) => countItems(counterOf(schema[keyword])))
  const first = [items, prefixItems].filter(Array.isArray)
  return [
    ...ofEvery,
    ...first.map((list) => countFirst(list.map(counterOf))),
    ...(schema['uniqueItems'] === true ? [countUniqueness] : []),
    ...(keepsEvaluated ? [countItems(countNothing)] : []),
  ]
}

const countNothing: CountSteps = () => undefined

function countItems(count: CountSteps): CountSteps {
  return (value, budget) => {
    if (!Array.isArray(value)) return
    for (const item of value) {
      budget.left -= 1
      if (budget.left < 0) return
      count(item, budget)
    }
  }
}

function countFirst(counters: readonly CountSteps[]): CountSteps {
  return (value, budget) => {
    if (!Array.isArray(value)) return
    for (const [index, count] of counters.entries()) {
      if (budget.left < 0 || index >= value.length) return
      count(value[index], budget)
    }
  }
}
