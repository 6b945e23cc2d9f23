import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import {
  isPlainObject,
  MAX_JSON_DEPTH,
  MAX_JSON_NODES,
  describeValue,
} from '@toolblocks/protocol/internal'
import { type Reading, warn } from '../reading/reading.ts'

/** Whether a value can stay unchanged, needs repair, or exceeds a limit. */
type JsonState = 'clean' | 'flawed' | 'depth' | 'nodes'

/**
 * Checks a value of unknown shape and adds its children to `reading.nodes`. `depth` is the number of arrays and objects around it. The recursion
 * ends at `MAX_JSON_DEPTH`, also for cycles.
 */
export function inspectJson(value: unknown, depth: number, reading: Reading): JsonState {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return 'clean'
    case 'number':
      return inspectNumber(value, reading)
    case 'object':
      if (value === null) return 'clean'
      if (depth >= MAX_JSON_DEPTH) return 'depth'
      if (Array.isArray(value)) return inspectArray(value, depth, reading)
      return isJsonObject(value) ? inspectObject(value, depth, reading) : 'flawed'
    case 'undefined':
    case 'bigint':
    case 'symbol':
    case 'function':
      return 'flawed'
  }
}

function inspectNumber(value: number, reading: Reading): JsonState {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) reading.inexact = true
  return Number.isFinite(value) && !Object.is(value, -0) ? 'clean' : 'flawed'
}

function inspectArray(array: readonly unknown[], depth: number, reading: Reading): JsonState {
  reading.nodes += array.length
  if (reading.nodes > MAX_JSON_NODES) return 'nodes'
  let result: JsonState = 'clean'
  for (const element of array) {
    const state = inspectJson(element, depth + 1, reading)
    if (state === 'depth' || state === 'nodes') return state
    if (state === 'flawed') result = state
  }
  return result
}

function inspectObject(object: JsonObject, depth: number, reading: Reading): JsonState {
  let result: JsonState = reading.origin === 'text' || isPlainObject(object) ? 'clean' : 'flawed'
  for (const key in object) {
    reading.nodes += 1
    reading.keys += 1
    if (reading.nodes > MAX_JSON_NODES) return 'nodes'
    const state = inspectJson(object[key], depth + 1, reading)
    if (state === 'depth' || state === 'nodes') return state
    if (state === 'flawed' || key === '__proto__') result = 'flawed'
  }
  return result
}

type Flaw = 'proto-key' | 'number-out-of-range' | 'not-json'

const remarks: Readonly<Record<Flaw, { message: string; expected: string; got: string }>> = {
  'proto-key': {
    message:
      'Keys named "__proto__" were omitted: they would change the prototypes of their objects.',
    expected: 'any other key',
    got: '"__proto__"',
  },
  'number-out-of-range': {
    message: 'Numbers too large for a double became null, as JSON writes them.',
    expected: 'number up to 1.8e308',
    got: 'a larger number',
  },
  'not-json': {
    message: 'Values that are not JSON were omitted.',
    expected: 'JSON',
    got: 'something else',
  },
}

/**
 * Returns a repaired copy of a value that `inspectJson` rejected; `undefined` if it exceeds a limit or is not JSON. Each kind of flaw gives one
 * warning.
 */
export function repairJson(
  value: unknown,
  { state, at }: { state: Exclude<JsonState, 'clean'>; at: string },
  reading: Reading,
): unknown {
  if (state !== 'flawed') {
    reading.exceeded ??= state
    warn(reading, {
      code: 'over-limit',
      at,
      message: 'The value was omitted: it is too deep or too large to be stored and shown.',
      expected:
        state === 'depth' ? `at most ${MAX_JSON_DEPTH} levels` : `at most ${MAX_JSON_NODES} values`,
      got: describeValue(value),
    })
    return undefined
  }
  const flaws = new Set<Flaw>()
  const copy = copyWithoutFlaws(value, flaws)
  for (const code of flaws) warn(reading, { code, at, ...remarks[code] })
  return copy
}

/** The recursion is as deep as the value, which `inspectJson` has limited. */
function copyWithoutFlaws(value: unknown, flaws: Set<Flaw>): unknown {
  if (typeof value === 'number') return cleanNumber(value, flaws)
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (Array.isArray(value)) {
    return Array.from(value, (element) => copyWithoutFlaws(element, flaws) ?? null)
  }
  if (isPlainObject(value)) {
    const fields = Object.entries(value).map(([key, field]) => {
      if (key === '__proto__') flaws.add('proto-key')
      return [key, key === '__proto__' ? undefined : copyWithoutFlaws(field, flaws)] as const
    })
    return Object.fromEntries(fields.filter(([, field]) => field !== undefined))
  }
  // An absent optional field of a typed object may be `undefined`. Nothing is lost.
  if (value !== undefined) flaws.add('not-json')
  return undefined
}

function cleanNumber(value: number, flaws: Set<Flaw>): number | null {
  // JSON has no minus zero.
  if (Number.isFinite(value)) return value === 0 ? 0 : value
  flaws.add('number-out-of-range')
  return null
}
