import {
  isJsonObject,
  isPlainObject,
  type JsonObject,
  MAX_JSON_DEPTH,
  MAX_JSON_NODES,
} from '@toolblocks/protocol'
import type { Reading } from '../reading.ts'

/** Whether a value can stay as it is, needs cleaning, or breaks a limit. */
export type JsonState = 'clean' | 'flawed' | 'depth' | 'nodes'

/**
 * Walks a value whose shape nobody knows, counting its children into `reading.nodes`. `depth` is how many arrays and
 * objects enclose it in the document; the recursion ends at `MAX_JSON_DEPTH`, so cycles and bombs end too.
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
