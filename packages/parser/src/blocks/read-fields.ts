import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import {
  LIVE_ACTIONS,
  isAudience,
  isPriority,
  appendPointer,
  isJsonSchema,
  isPlainObject,
  isStatus,
  META_ERROR,
  META_STATUS,
  describeValue,
} from '@toolblocks/protocol/internal'
import { mayBeProxy } from '#may-be-proxy'
import { inspectJson, repairJson } from '../json/inspect-json.ts'
import { type Reading, warn } from '../reading/reading.ts'

/**
 * The type of a known field. `own`: the caller reads it. `value`: omitted unless it has the type. `object`: has known fields of its own, or none. A
 * field without an entry may be any JSON and stays.
 */
type Field =
  | { kind: 'own' }
  | {
      kind: 'value'
      expected: string
      is: (value: unknown) => boolean
      /** What its omission means, for the warning. Absent: nothing else. */
      omitted?: string
      /** Returns what another value plainly means; `undefined` if it cannot be understood. */
      repair?: (value: unknown) => unknown
    }
  | { kind: 'object'; shape?: Shape }

/** An object of a document: its known fields, its JSON Pointer, and the number of arrays and objects around its fields. */
interface Shape {
  fields: ReadonlyMap<string, Field>
  at: string
  depth: number
}

/** Returns a value that is an object and not an array, with its own fields only. */
export function asObject(value: unknown, { origin }: Reading): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined
  if (origin === 'text') return value
  return isPlainObject(value) && !mayBeProxy(value) ? value : { ...value }
}

/** Accepts an object unchanged if it has exactly this number of fields. Then its reader has seen all of them. */
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
 * Reads the fields of an object that have no reader of their own. Invalid ones and `__proto__` are omitted with a warning; unknown ones stay.
 * Returns the same object if all are valid.
 */
export function readFields(object: JsonObject, shape: Shape, reading: Reading): JsonObject {
  let copy: Record<string, unknown> | undefined
  for (const key in object) {
    reading.nodes += 1
    reading.keys += 1
    const value = object[key]
    if (fits(value, shape.fields.get(key))) continue
    const read = readField(key, { value, shape, reading })
    if (Object.is(read, value) && read !== undefined) continue
    copy ??= { ...object }
    if (read === undefined) delete copy[key]
    else copy[key] = read
  }
  return copy ?? object
}

/** The fast check for the usual case. */
function fits(value: unknown, field: Field | undefined): boolean {
  if (field?.kind === 'own') return value !== undefined
  return field?.kind === 'value' && field.is(value) && !Object.is(value, -0)
}

interface FieldEntry {
  value: unknown
  shape: Shape
  reading: Reading
}

/** Reads a field that needs a closer check; `undefined` omits it. */
function readField(key: string, entry: FieldEntry): unknown {
  const { value, shape, reading } = entry
  if (key === '__proto__') return dropProto(key, entry)
  if (value === undefined) return undefined
  const field = shape.fields.get(key)
  if (value === null && (field?.kind === 'value' || field?.kind === 'object')) {
    // Many writers send `null` for a field that MCP omits.
    reading.inexact = true
    return undefined
  }
  // JSON has no minus zero.
  if (value === 0 && field?.kind === 'value' && field.is(0)) return 0
  if (field?.kind === 'value') return coerceField(key, field, entry) ?? dropField(key, field, entry)
  if (field?.kind !== 'object') return readUnknown(key, entry)
  const object = asObject(value, reading)
  if (!object) return dropField(key, { expected: 'object' }, entry)
  return field.shape ? readFields(object, field.shape, reading) : readUnknown(key, entry)
}

function readUnknown(key: string, { value, shape, reading }: FieldEntry): unknown {
  const state = inspectJson(value, shape.depth, reading)
  if (state === 'clean') return value
  return repairJson(value, { state, at: appendPointer(shape.at, key) }, reading)
}

/** Reads a value that plainly means a valid one. Only `audience` has such values. */
function coerceField(
  key: string,
  { expected, repair }: Extract<Field, { kind: 'value' }>,
  { value, shape, reading }: FieldEntry,
): unknown {
  const read = repair?.(value)
  if (read === undefined) return undefined
  warn(reading, {
    code: 'coerced-audience',
    at: appendPointer(shape.at, key),
    message: `The field "${key}" was read as ${JSON.stringify(read)}.`,
    expected,
    got: describeValue(value),
  })
  return read
}

/** Reads one role as a list of one, and roles in any letter case. */
function repairAudience(value: unknown): unknown {
  const roles: readonly unknown[] = Array.isArray(value) ? value : [value]
  const read = Array.from(roles, (role) =>
    typeof role === 'string' ? role.trim().toLowerCase() : role,
  )
  return isAudience(read) ? read : undefined
}

function dropField(
  key: string,
  { expected, omitted }: { expected: string; omitted?: string },
  { value, shape, reading }: FieldEntry,
): undefined {
  const effect = omitted === undefined ? '' : `; ${omitted}`
  warn(reading, {
    code: 'dropped-field',
    at: appendPointer(shape.at, key),
    message: `The field "${key}" was omitted: expected ${expected}, got ${describeValue(value)}${effect}.`,
    expected,
    got: describeValue(value),
  })
  return undefined
}

function dropProto(key: string, { shape, reading }: FieldEntry): undefined {
  warn(reading, {
    code: 'proto-key',
    at: appendPointer(shape.at, key),
    message: 'A key named "__proto__" was omitted: it would change the prototype of its object.',
    expected: 'any other key',
    got: '"__proto__"',
  })
  return undefined
}

type FieldTable = Readonly<Record<string, Field>>

/** A field that the reader of the object reads. */
const ownField: Field = { kind: 'own' }

/** An object without known fields, such as `_meta`. */
const anyObject: Field = { kind: 'object' }

const string: Field = {
  kind: 'value',
  expected: 'string',
  is: (value) => typeof value === 'string',
}

const number: Field = {
  kind: 'value',
  expected: 'number',
  is: (value) => Number.isFinite(value),
}

const boolean: Field = {
  kind: 'value',
  expected: 'true or false',
  is: (value) => typeof value === 'boolean',
}

/** The known keys of the `_meta` of a result. */
const resultMetaShape = getShape('/_meta', 2, {
  [META_STATUS]: {
    kind: 'value',
    expected: '"running", "waiting" or "stopped"',
    is: isStatus,
    omitted: 'the tool counts as stopped',
  },
  [META_ERROR]: {
    kind: 'object',
    shape: getShape(appendPointer('/_meta', META_ERROR), 3, {
      transient: boolean,
      trace: {
        kind: 'value',
        expected: 'array of strings',
        is: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
      },
    }),
  },
})

export const resultShape = getShape('', 1, {
  content: ownField,
  isError: ownField,
  _meta: { kind: 'object', shape: resultMetaShape },
})

export const toolDefinitionShape = getShape('', 1, {
  name: ownField,
  title: string,
  summary: string,
  description: string,
  examples: string,
  inputSchema: ownField,
  outputSchema: { kind: 'value', expected: 'JSON Schema', is: isJsonSchema },
  annotations: anyObject,
  icons: { kind: 'value', expected: 'array', is: Array.isArray },
  _meta: anyObject,
})

export const toolDescriptionShape = getShape('', 1, {
  name: ownField,
  title: string,
  summary: string,
  description: string,
  examples: string,
  inputSchema: { kind: 'value', expected: 'JSON Schema', is: isJsonSchema },
  outputSchema: { kind: 'value', expected: 'JSON Schema', is: isJsonSchema },
  annotations: anyObject,
  stateful: { ...boolean, expected: 'boolean' },
  actions: { kind: 'value', expected: `list of ${LIVE_ACTIONS.join(', ')}`, is: areActions },
})

function areActions(value: unknown): boolean {
  const actions: readonly unknown[] = LIVE_ACTIONS
  return (
    Array.isArray(value) && value.includes('spawn') && value.every((each) => actions.includes(each))
  )
}

export const textShape = blockShape({ text: ownField, mimeType: string })
export const mediaShape = blockShape({ data: ownField, mimeType: ownField })
export const embeddedResourceShape = blockShape({
  resource: ownField,
  formatted: string,
  name: string,
  title: string,
  description: string,
})

export const resourceShape = getShape('/resource', 4, {
  uri: ownField,
  text: ownField,
  blob: ownField,
  formatted: string,
  mimeType: string,
  name: string,
  title: string,
  description: string,
  annotations: annotations('/resource/annotations', 5),
  _meta: anyObject,
})

export const linkShape = blockShape({
  uri: ownField,
  name: ownField,
  title: string,
  description: string,
  mimeType: string,
  size: number,
})

export const questionBlockShape = blockShape({ question: ownField })
export const questionShape = getShape('/question', 4, { id: ownField, text: ownField, url: string })

/** A block's fields are inside the result, its `content` and the block. */
function blockShape(table: FieldTable): Shape {
  const everyBlock = {
    type: ownField,
    annotations: annotations('/annotations', 4),
    _meta: anyObject,
  }
  return getShape('', 3, { ...everyBlock, ...table })
}

function annotations(path: string, depth: number): Field {
  const fields: FieldTable = {
    audience: {
      kind: 'value',
      expected: 'array of "user" and "assistant"',
      is: isAudience,
      repair: repairAudience,
    },
    priority: { kind: 'value', expected: 'number from 0 to 1', is: isPriority },
    lastModified: string,
  }
  return { kind: 'object', shape: getShape(path, depth, fields) }
}

function getShape(path: string, depth: number, table: FieldTable): Shape {
  return { fields: new Map(Object.entries(table)), at: path, depth }
}

/** A field under another name than MCP's. */
interface Rename {
  from: string
  to: string
  /** JSON Pointer of the object in its block or document. */
  at?: string
}

/** Renames a field to MCP's name. If both names exist, nothing changes. */
export function renameField(
  object: JsonObject,
  { from, to, at = '' }: Rename,
  reading: Reading,
): JsonObject {
  if (!Object.hasOwn(object, from) || Object.hasOwn(object, to)) return object
  const { [from]: value, ...rest } = object
  warn(reading, {
    code: 'renamed-field',
    at: `${at}/${from}`,
    message: `"${from}" was read as "${to}".`,
    expected: `"${to}"`,
    got: `"${from}"`,
  })
  return { ...rest, [to]: value }
}

/** Renames `mime_type` of a block or of its resource, as languages with underscores in names write it. */
export function renameMimeType(block: JsonObject, reading: Reading): JsonObject {
  const renamed = renameField(block, { from: 'mime_type', to: 'mimeType' }, reading)
  const { resource } = renamed
  if (renamed['type'] !== 'resource' || !isJsonObject(resource)) return renamed
  const inner = { from: 'mime_type', to: 'mimeType', at: '/resource' }
  const read = renameField(resource, inner, reading)
  return read === resource ? renamed : { ...renamed, resource: read }
}
