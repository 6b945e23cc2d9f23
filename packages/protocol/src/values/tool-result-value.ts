import {
  type JsonObject,
  getOwnField,
  has,
  isArrayOf,
  isJsonObject,
  isString,
  mayHave,
} from '../json/json.ts'
import { type DisplayHints, isDisplayHints, repairDisplayHints } from './display-hints.ts'
import {
  type FileEntry,
  type WellKnownValue,
  hasShapeOf,
  isWellKnownKind,
} from './well-known-value.ts'

/**
 * A result as data with a meaning, for showing to a person. It is sent as `structuredContent`, with text beside it for readers that do not know it.
 * A model receives the content blocks.
 */
export interface ToolResultValue {
  /** A well-known kind, or a tool's own, such as `git.status`. */
  kind: string
  /** The data. `kind` decides its shape. */
  data: unknown
  /** One line that can replace the value. */
  summary?: string
  /** The type of `data`, for example `text/markdown` or `image/png`. */
  mimeType?: string
  /** Hints; a renderer may ignore all of them. */
  display?: DisplayHints
}

/** The syntax of a `kind`. */
export const KIND_PATTERN = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*$/

/** Whether a text is a valid `kind`: lower-case words of letters, digits and `_`, joined by dots. */
export function isValidKind(kind: string): boolean {
  return KIND_PATTERN.test(kind)
}

/** Whether a value is a `ToolResultValue`. The `data` of a well-known kind must have its shape. */
export function isToolResultValue(value: unknown): value is ToolResultValue {
  return isEnvelope(value) && (!isWellKnownKind(value.kind) || hasShapeOf(value.kind, value.data))
}

/** Whether a value is a `WellKnownValue`: its kind is well known and its `data` has the shape of that kind. */
export function isWellKnownValue(value: unknown): value is WellKnownValue {
  return isEnvelope(value) && isWellKnownKind(value.kind) && hasShapeOf(value.kind, value.data)
}

function isEnvelope(value: unknown): value is ToolResultValue {
  return (
    isJsonObject(value) &&
    has(value, 'kind', (kind) => isString(kind) && isValidKind(kind)) &&
    Object.hasOwn(value, 'data') &&
    mayHave(value, 'summary', isString) &&
    mayHave(value, 'mimeType', isString) &&
    mayHave(value, 'display', isDisplayHints)
  )
}

/**
 * Reads a semantic value in its own or an older shape; `undefined` for a value that is not an object or has no valid `kind`.
 *
 * - A flat value, with fields beside `kind`, gets them as its `data`. In a `file_list`, `files` is read as `entries`.
 * - `json` is read as `structured`. So is a well-known kind whose data has another shape, without loss.
 * - Invalid or unknown hints (`summary`, `mimeType`, `display`) are omitted. Unknown fields stay.
 */
export function normalizeResultValue(value: unknown): ToolResultValue | undefined {
  if (!isJsonObject(value)) return undefined
  const named = getOwnField(value, 'kind')
  if (!isString(named) || !isValidKind(named)) return undefined

  const kind = named === 'json' ? 'structured' : named
  const fields = without(value, ['kind', ...HINT_NAMES])
  const isFlat = !Object.hasOwn(value, 'data')
  const data = isFlat ? flatData(kind, fields) : fields['data']
  const rest = isFlat ? {} : fields
  if (!isWellKnownKind(kind) || hasShapeOf(kind, data)) {
    return { ...rest, kind, data, ...getHints(value) }
  }
  return { ...rest, kind: 'structured', data: isFlat ? value : data, ...getHints(value) }
}

/**
 * Reads a semantic value in its own shape, with `kind` and `data`; `undefined` for any other value, and for a well-known kind whose data has
 * another shape. Invalid or unknown hints are omitted. They never decide the kind of a value.
 */
export function readResultValue(value: unknown): ToolResultValue | undefined {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'data')) return undefined
  const kind = getOwnField(value, 'kind')
  if (!isString(kind) || !isValidKind(kind)) return undefined
  const data = getOwnField(value, 'data')
  if (isWellKnownKind(kind) && !hasShapeOf(kind, data)) return undefined
  return { ...without(value, HINT_NAMES), kind, data, ...getHints(value) }
}

const HINT_NAMES = ['summary', 'mimeType', 'display']

function getHints(value: JsonObject): {
  summary?: string
  mimeType?: string
  display?: DisplayHints
} {
  const summary = getOwnField(value, 'summary')
  const mimeType = getOwnField(value, 'mimeType')
  const display = repairDisplayHints(getOwnField(value, 'display'))
  return {
    ...(isString(summary) && { summary }),
    ...(isString(mimeType) && { mimeType }),
    ...(display && { display }),
  }
}

function flatData(kind: string, fields: JsonObject): JsonObject {
  if (!isWellKnownKind(kind)) return fields
  // Flat values repeat that the call succeeded, which is not part of a file or a diff.
  const data = getOwnField(fields, 'success') === true ? without(fields, ['success']) : fields
  const files =
    kind === 'file_list' && !Object.hasOwn(data, 'entries') && getOwnField(data, 'files')
  if (!isArrayOf(isString)(files)) return data
  return { ...without(data, ['files']), entries: files.map(fileEntry) }
}

function fileEntry(name: string): FileEntry {
  return /.\/$/s.test(name) ? { name: name.slice(0, -1), type: 'directory' } : { name }
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** Finds a value for a person in structured content: a semantic value, also one of a well-known kind in its older form, with its fields beside `kind`. */
export function findValueForPerson(structuredContent: unknown): ToolResultValue | undefined {
  const value = readResultValue(structuredContent)
  if (value) return value
  const older = normalizeResultValue(structuredContent)
  return older && older.kind !== 'structured' && isWellKnownKind(older.kind) ? older : undefined
}
