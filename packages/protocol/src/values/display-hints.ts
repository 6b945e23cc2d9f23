import {
  getOwnField,
  isBoolean,
  isJsonObject,
  isOneOf,
  isNumber,
  isString,
  mayHave,
} from '../json/json.ts'
import type { JsonObject } from '../json/json.ts'

/** The types of a field. */
export const FIELD_TYPES = ['string', 'number', 'boolean', 'date', 'url', 'path'] as const

/** All preferred views. */
export const PREFERRED_VIEWS = [
  'text',
  'markdown',
  'code',
  'diff',
  'table',
  'tree',
  'image',
  'raw',
  'hidden',
] as const

/** The preferred view of a value. `raw`: as JSON. `hidden`: not shown; it never hides an error. */
export type PreferredView = (typeof PREFERRED_VIEWS)[number]

/** A tool's hints for showing its value to a person. A renderer may ignore them. */
export interface DisplayHints {
  preferredView?: PreferredView
  /** For highlighting, for example `rust`. */
  language?: string
  /** Whether it is folded at first. */
  collapsed?: boolean
  /** Lines or pixels, depending on the output. */
  maxHeight?: number
  /** Higher is more prominent. */
  priority?: number
  /** The types of the data's fields, by name, for example `{"modified": "date"}`. */
  fieldTypes?: Record<string, (typeof FIELD_TYPES)[number]>
}

/** The check of each hint. */
const hints: Readonly<Record<keyof DisplayHints, (value: unknown) => boolean>> = {
  preferredView: isOneOf(PREFERRED_VIEWS),
  language: isString,
  collapsed: isBoolean,
  maxHeight: isNumber,
  priority: isNumber,
  fieldTypes: (types) => isJsonObject(types) && Object.values(types).every(isOneOf(FIELD_TYPES)),
}

/** Whether a value is a `DisplayHints`. */
export function isDisplayHints(value: unknown): value is DisplayHints {
  return isJsonObject(value) && Object.entries(hints).every(([key, is]) => mayHave(value, key, is))
}

/** Removes invalid and unknown hints. A value that is not an object has none. */
export function repairDisplayHints(display: unknown): DisplayHints | undefined {
  if (!isJsonObject(display)) return undefined
  const value = withKnownFieldTypes(display)
  const malformed = Object.entries(hints).filter(([key, is]) => !mayHave(value, key, is))
  const names = new Set(malformed.map(([key]) => key))
  return Object.fromEntries(Object.entries(value).filter(([key]) => !names.has(key)))
}

/** One unknown type does not affect the types of other fields. */
function withKnownFieldTypes(display: JsonObject): JsonObject {
  const types = getOwnField(display, 'fieldTypes')
  if (!isJsonObject(types)) return display
  const known = Object.entries(types).filter(([, type]) => isOneOf(FIELD_TYPES)(type))
  return { ...display, fieldTypes: Object.fromEntries(known) }
}
