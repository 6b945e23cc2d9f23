import { isBoolean, isJsonObject, isNumber, isPlainObject, isString } from './fields.ts'
import type { JsonSchema, JsonValue } from './json.ts'
import { MAX_JSON_DEPTH, MAX_JSON_NODES } from '../limits.ts'

/**
 * Says whether a value is one that JSON carries and every later stage can handle: no `undefined`, function, `NaN`
 * or cycle, at most `MAX_JSON_DEPTH` levels and `MAX_JSON_NODES` values.
 */
export function isJsonValue(value: unknown): value is JsonValue {
  // Level by level, so that hostile depth cannot exhaust the stack and a cycle ends at the limit.
  let level: unknown[] = [value]
  let nodes = 0
  for (let depth = 0; level.length > 0; depth++) {
    nodes += level.length
    if (nodes > MAX_JSON_NODES) return false
    const next: unknown[] = []
    for (const node of level) {
      if (isScalar(node)) continue
      if (depth === MAX_JSON_DEPTH || !(Array.isArray(node) || isPlainObject(node))) return false
      for (const child of Array.isArray(node) ? node : Object.values(node)) next.push(child)
    }
    level = next
  }
  return true
}

/** Says whether a value has the outside of a JSON Schema: an object or a boolean. */
export function isJsonSchema(value: unknown): value is JsonSchema {
  return isBoolean(value) || isJsonObject(value)
}

function isScalar(value: unknown): boolean {
  return value === null || isString(value) || isBoolean(value) || isNumber(value)
}
