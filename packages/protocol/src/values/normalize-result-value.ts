import { field, isArrayOf, isJsonObject, isString } from '../json/fields.ts'
import type { JsonObject } from '../json/json.ts'
import { type DisplayHints, repairDisplayHints } from './display-hints.ts'
import { isValidKind, type ToolResultValue } from './tool-result-value.ts'
import { hasShapeOf, isWellKnownKind } from './well-known-shape.ts'
import type { FileEntry } from './well-known-value.ts'

/**
 * Reads a semantic value in its own or an older shape; `undefined` for what is none: no object, or no valid
 * `kind`.
 *
 * - A flat value, whose fields stand beside `kind`, gets them as its `data`; in a `file_list`, `files` reads as `entries`.
 * - `json` reads as `structured`. So does a well-known kind whose data has not that kind's shape, with nothing lost.
 * - Hints (`summary`, `mimeType`, `display`) that are malformed or not known here are left out; unknown fields stay.
 */
export function normalizeResultValue(value: unknown): ToolResultValue | undefined {
  if (!isJsonObject(value)) return undefined
  const named = field(value, 'kind')
  if (!isString(named) || !isValidKind(named)) return undefined

  const kind = named === 'json' ? 'structured' : named
  const fields = without(value, ['kind', ...HINT_NAMES])
  const isFlat = !Object.hasOwn(value, 'data')
  const data = isFlat ? flatData(kind, fields) : fields['data']
  const rest = isFlat ? {} : fields
  if (!isWellKnownKind(kind) || hasShapeOf(kind, data)) {
    return { ...rest, kind, data, ...hints(value) }
  }
  return { ...rest, kind: 'structured', data: isFlat ? value : data, ...hints(value) }
}

/**
 * Reads a semantic value in its own shape, with a `kind` and `data`: `undefined` for what is none, and for a well-known kind whose data
 * has not that kind's shape. Hints that are malformed, or of kinds that are not known here, are left out; they never decide what a value is.
 */
export function readResultValue(value: unknown): ToolResultValue | undefined {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'data')) return undefined
  const kind = field(value, 'kind')
  if (!isString(kind) || !isValidKind(kind)) return undefined
  const data = field(value, 'data')
  if (isWellKnownKind(kind) && !hasShapeOf(kind, data)) return undefined
  return { ...without(value, HINT_NAMES), kind, data, ...hints(value) }
}

const HINT_NAMES = ['summary', 'mimeType', 'display']

function hints(value: JsonObject): { summary?: string; mimeType?: string; display?: DisplayHints } {
  const summary = field(value, 'summary')
  const mimeType = field(value, 'mimeType')
  const display = repairDisplayHints(field(value, 'display'))
  return {
    ...(isString(summary) && { summary }),
    ...(isString(mimeType) && { mimeType }),
    ...(display && { display }),
  }
}

function flatData(kind: string, fields: JsonObject): JsonObject {
  if (!isWellKnownKind(kind)) return fields
  // Flat values repeat that the call worked, which is no part of a file or a diff.
  const data = field(fields, 'success') === true ? without(fields, ['success']) : fields
  const files = kind === 'file_list' && !Object.hasOwn(data, 'entries') && field(data, 'files')
  if (!isArrayOf(files, isString)) return data
  return { ...without(data, ['files']), entries: files.map(fileEntry) }
}

function fileEntry(name: string): FileEntry {
  return /.\/$/s.test(name) ? { name: name.slice(0, -1), type: 'directory' } : { name }
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}
