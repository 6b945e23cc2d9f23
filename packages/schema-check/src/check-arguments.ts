import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { requireArguments, splitPointer } from '@toolblocks/protocol/internal'
import type { CheckedValue, CheckValue } from './compile-schema.ts'

/** Checked arguments, as the tool receives them. */
export interface CheckedArguments extends CheckedValue {
  /** The arguments, without the nulls that mean "absent". */
  arguments: JsonObject
}

/** Maximum checks of one call. A check that stops at the first problem finds one null at a time. */
const MAX_CHECKS = 8

/**
 * Checks the arguments of a call. If the schema refuses `null` for a property that may be absent, the property is omitted: many models and clients
 * write `null` for an argument that they do not give. `complete` fills in defaults again after that. If the arguments do not fit without these nulls
 * either, they stay as they are, and the problems are those of the given arguments.
 */
export function checkArguments(
  check: CheckValue,
  callArguments: JsonObject,
  complete: (values: JsonObject) => JsonObject = (values) => values,
): CheckedArguments {
  requireArguments(
    'checkArguments(check, callArguments, …)',
    [check, 'function'],
    [callArguments, 'object'],
  )
  const first = check(callArguments)
  let [values, checked]: [JsonObject, CheckedValue] = [callArguments, first]
  for (let count = 1; checked.verdict === 'invalid' && count < MAX_CHECKS; count += 1) {
    const without = omitNulls(
      values,
      checked.problems.map(({ path }) => splitPointer(path)),
    )
    if (without === values) break
    values = complete(without)
    checked = check(values)
  }
  return checked.verdict === 'invalid'
    ? { ...first, arguments: callArguments }
    : { ...checked, arguments: values }
}

/** Returns the object without the nulls at these places, or the same object if no null is there. Items of lists stay, because they have positions. */
function omitNulls(values: JsonObject, places: readonly (readonly string[])[]): JsonObject {
  const changed = omitIn(values, places)
  return isJsonObject(changed) ? changed : values
}

function omitIn(value: unknown, places: readonly (readonly string[])[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const inside = Map.groupBy(
    places.filter(([step]) => step !== undefined),
    ([step]) => step,
  )
  let isChanged = false
  const entries = Object.entries(value).flatMap(([key, child]: [string, unknown]) => {
    const below = inside.get(key)
    if (!below) return [[key, child] as const]
    if (child === null && !Array.isArray(value)) {
      isChanged = true
      return []
    }
    const changed = omitIn(
      child,
      below.map((steps) => steps.slice(1)),
    )
    isChanged ||= changed !== child
    return [[key, changed] as const]
  })
  if (!isChanged) return value
  return Array.isArray(value) ? entries.map(([, child]) => child) : Object.fromEntries(entries)
}
