import { isPlainObject } from './fields.ts'
import { appendPointer } from './json-pointer.ts'
import { MAX_JSON_DEPTH, MAX_JSON_NODES } from '../limits.ts'
import type { Problem } from '../problem.ts'

/**
 * The first part of a value that JSON cannot carry as it is (a `Date`, a `Map`, `NaN`, a big integer, a function, a cycle), or that is
 * nested deeper or larger than the limits; nothing for JSON. A field that is `undefined` counts as absent.
 */
export function findNonJson(value: unknown): Problem | undefined {
  let nodes = 0

  function find(part: unknown, path: string, depth: number): Problem | undefined {
    nodes += 1
    if (nodes > MAX_JSON_NODES) return problem(path, `more than ${MAX_JSON_NODES} values`)
    if (part === null || typeof part === 'string' || typeof part === 'boolean') return undefined
    if (typeof part === 'number')
      return Number.isFinite(part) ? undefined : problem(path, `the number ${part}`)
    if (typeof part !== 'object') return problem(path, `a ${typeof part}`)
    if (depth === MAX_JSON_DEPTH)
      return problem(path, `more than ${MAX_JSON_DEPTH} levels, or a cycle`)
    if (Array.isArray(part)) return findIn(part.entries(), path, depth)
    if (!isPlainObject(part)) return problem(path, nameOf(part))
    const fields = Object.entries(part).filter(([, field]) => field !== undefined)
    return findIn(fields, path, depth)
  }

  function findIn(
    parts: Iterable<readonly [string | number, unknown]>,
    path: string,
    depth: number,
  ): Problem | undefined {
    for (const [key, part] of parts) {
      const found = find(part, appendPointer(path, key), depth + 1)
      if (found) return found
    }
    return undefined
  }

  return find(value, '', 0)
}

function problem(path: string, got: string): Problem {
  return { path, message: `expected JSON, got ${got}`, expected: 'JSON', got }
}

function nameOf(part: object): string {
  const { constructor } = part
  return typeof constructor === 'function' && constructor.name !== ''
    ? `an object of class ${constructor.name}`
    : 'an object that is not plain'
}
