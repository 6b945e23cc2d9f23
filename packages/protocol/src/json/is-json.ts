import { MAX_JSON_DEPTH, MAX_JSON_NODES } from '../limits/limits.ts'
import {
  type JsonSchema,
  type JsonValue,
  isBoolean,
  isJsonObject,
  isNumber,
  isPlainObject,
  isString,
} from './json.ts'
import { appendPointer } from './json-pointer.ts'
import type { Problem } from './problem.ts'

/**
 * Whether a value is JSON that every later stage can handle: no `undefined`, function, `NaN` or cycle, at most `MAX_JSON_DEPTH` levels and
 * `MAX_JSON_NODES` values.
 */
export function isJsonValue(value: unknown): value is JsonValue {
  // Level by level, so that a deep value cannot exhaust the stack and a cycle ends at the limit.
  let level: unknown[] = [value]
  let nodes = 0
  for (let depth = 0; level.length > 0; depth++) {
    nodes += level.length
    if (nodes > MAX_JSON_NODES) return false
    const next: unknown[] = []
    for (const node of level) {
      if (node === null || isString(node) || isBoolean(node) || isNumber(node)) continue
      if (depth === MAX_JSON_DEPTH || !(Array.isArray(node) || isPlainObject(node))) return false
      for (const child of Array.isArray(node) ? node : Object.values(node)) next.push(child)
    }
    level = next
  }
  return true
}

/** Whether a value is an object or a boolean, as a JSON Schema is. */
export function isJsonSchema(value: unknown): value is JsonSchema {
  return isBoolean(value) || isJsonObject(value)
}

/**
 * Returns the first part of a value that is not JSON (a `Date`, a `Map`, `NaN`, a big integer, a function, a cycle), or that exceeds the limits of
 * depth and size; `undefined` for JSON. A field that is `undefined` counts as absent. Default of `mostDepth`: `MAX_JSON_DEPTH`.
 */
export function findNonJson(
  value: unknown,
  mostDepth: number = MAX_JSON_DEPTH,
): Problem | undefined {
  let nodes = 0

  function find(part: unknown, path: string, depth: number): Problem | undefined {
    nodes += 1
    if (nodes > MAX_JSON_NODES) return problem(path, `more than ${MAX_JSON_NODES} values`)
    if (part === null || typeof part === 'string' || typeof part === 'boolean') return undefined
    if (typeof part === 'number')
      return Number.isFinite(part) ? undefined : problem(path, `the number ${part}`)
    if (typeof part !== 'object') return problem(path, `a ${typeof part}`)
    if (depth === mostDepth) return problem(path, `more than ${mostDepth} levels, or a cycle`)
    if (Array.isArray(part)) return findIn(part.entries(), path, depth)
    if (!isPlainObject(part)) return problem(path, getName(part))
    const fields = Object.entries(part).filter(([, field]) => field !== undefined)
    return findIn(fields, path, depth)
  }

  function findIn(
    parts: Iterable<readonly [string | number, unknown]>,
    path: string,
    depth: number,
  ): Problem | undefined {
    for (const [key, part] of parts) {
      const nestedProblem = find(part, appendPointer(path, key), depth + 1)
      if (nestedProblem) return nestedProblem
    }
    return undefined
  }

  return find(value, '', 0)
}

function problem(path: string, got: string): Problem {
  return { path, message: `expected JSON, got ${got}`, expected: 'JSON', got }
}

function getName(part: object): string {
  const { constructor } = part
  return typeof constructor === 'function' && constructor.name !== ''
    ? `an object of class ${constructor.name}`
    : 'an object that is not plain'
}

/** Whether two values are the same JSON, whatever the order of keys. It is recursive, so neither may be deep without bound. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSameJson(item, other[index]))
    )
  if (!isJsonObject(one) || !isJsonObject(other)) return Object.is(one, other)
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameJson(one[key], other[key]))
  )
}
