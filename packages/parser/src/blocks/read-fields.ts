import { types } from 'node:util'
import {
  isPlainObject,
  describeValue,
  appendPointer,
  isJsonObject,
  type JsonObject,
} from '@toolblocks/protocol'
import { inspectJson } from '../json/inspect-json.ts'
import { repairJson } from '../json/repair-json.ts'
import { type Reading, warn } from '../reading.ts'

/**
 * What a known field must be. `own`: whoever asks reads it. `value`: left out unless it fits. `object`: has known fields of
 * its own, or none. A field without an entry may be any JSON and stays.
 */
export type Field =
  | { kind: 'own' }
  | { kind: 'value'; expected: string; is: (value: unknown) => boolean }
  | { kind: 'object'; place?: Place }

/** An object of a document: its known fields, its JSON Pointer, and how many arrays and objects enclose its fields. */
export interface Place {
  fields: ReadonlyMap<string, Field>
  at: string
  depth: number
}

/** Gives a value that is an object and no array, with no fields but its own. */
export function asObject(value: unknown, { origin }: Reading): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined
  if (origin === 'text') return value
  // A proxy may answer differently each time it is asked.
  return isPlainObject(value) && !types.isProxy(value) ? value : { ...value }
}

/** Takes an object as it is if it has just so many fields: when its reader has seen them all, nothing is left to check. */
export function takeWhole(object: JsonObject, count: number, reading: Reading): boolean {
  let fields = 0
  // oxlint-disable-next-line no-underscore-dangle -- counting this way makes no array
  for (const _key in object) fields += 1
  if (fields !== count) return false
  reading.nodes += count
  reading.keys += count
  return true
}

/**
 * Reads the fields of an object that have no reader of their own: wrong ones and `__proto__` are left out with a warning,
 * unknown ones stay. Where nothing is wrong the same object comes back.
 */
export function readFields(object: JsonObject, place: Place, reading: Reading): JsonObject {
  let copy: Record<string, unknown> | undefined
  for (const key in object) {
    reading.nodes += 1
    reading.keys += 1
    const value = object[key]
    if (fits(value, place.fields.get(key))) continue
    const read = readField(key, { value, place, reading })
    if (Object.is(read, value) && read !== undefined) continue
    copy ??= { ...object }
    if (read === undefined) delete copy[key]
    else copy[key] = read
  }
  return copy ?? object
}

/** The quick answer for what is nearly always the case. */
function fits(value: unknown, field: Field | undefined): boolean {
  if (field?.kind === 'own') return value !== undefined
  return field?.kind === 'value' && field.is(value) && !Object.is(value, -0)
}

interface Entry {
  value: unknown
  place: Place
  reading: Reading
}

/** Reads a field that needs a closer look; `undefined` leaves it out. */
function readField(key: string, entry: Entry): unknown {
  const { value, place, reading } = entry
  if (key === '__proto__') return dropProto(key, entry)
  if (value === undefined) return undefined
  const field = place.fields.get(key)
  if (value === null && (field?.kind === 'value' || field?.kind === 'object')) {
    // Many writers put `null` where MCP leaves a field out.
    reading.inexact = true
    return undefined
  }
  // Minus zero comes back from JSON as zero.
  if (value === 0 && field?.kind === 'value' && field.is(0)) return 0
  if (field?.kind === 'value') return dropField(key, field.expected, entry)
  if (field?.kind !== 'object') return readUnknown(key, entry)
  const object = asObject(value, reading)
  if (!object) return dropField(key, 'object', entry)
  return field.place ? readFields(object, field.place, reading) : readUnknown(key, entry)
}

function readUnknown(key: string, { value, place, reading }: Entry): unknown {
  const state = inspectJson(value, place.depth, reading)
  if (state === 'clean') return value
  return repairJson(value, { state, at: appendPointer(place.at, key) }, reading)
}

function dropField(key: string, expected: string, { value, place, reading }: Entry): undefined {
  warn(reading, {
    code: 'dropped-field',
    at: appendPointer(place.at, key),
    message: `The field "${key}" was left out: expected ${expected}, got ${describeValue(value)}.`,
    expected,
    got: describeValue(value),
  })
  return undefined
}

function dropProto(key: string, { place, reading }: Entry): undefined {
  warn(reading, {
    code: 'proto-key',
    at: appendPointer(place.at, key),
    message: 'A key named "__proto__" was left out: it would change the object it lands in.',
    expected: 'any other key',
    got: '"__proto__"',
  })
  return undefined
}
