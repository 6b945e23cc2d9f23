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

/** What a field can be said to hold. */
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

/** How a value would best be shown. `raw`: as JSON. `hidden`: not at all; it never hides an error. */
export type PreferredView = (typeof PREFERRED_VIEWS)[number]

/** What a tool suggests for showing its value to a person. A renderer may ignore all of it. */
export interface DisplayHints {
  preferredView?: PreferredView
  /** For highlighting, for example `rust`. */
  language?: string
  /** Shown folded at first. */
  collapsed?: boolean
  /** Lines or pixels, as suits the surface. */
  maxHeight?: number
  /** Higher is more prominent. */
  priority?: number
  /** What fields of the data hold, by their names, for example `{"modified": "date"}`. */
  fieldTypes?: Record<string, (typeof FIELD_TYPES)[number]>
}

/** What each hint must be. */
const hints: Readonly<Record<keyof DisplayHints, (value: unknown) => boolean>> = {
  preferredView: isOneOf(PREFERRED_VIEWS),
  language: isString,
  collapsed: isBoolean,
  maxHeight: isNumber,
  priority: isNumber,
  fieldTypes: (types) => isJsonObject(types) && Object.values(types).every(isOneOf(FIELD_TYPES)),
}

/** Says whether a value is a `DisplayHints`. */
export function isDisplayHints(value: unknown): value is DisplayHints {
  return isJsonObject(value) && Object.entries(hints).every(([key, is]) => mayHave(value, key, is))
}

/** Leaves out the hints that are malformed or not known; what is not an object holds none. */
export function repairDisplayHints(given: unknown): DisplayHints | undefined {
  if (!isJsonObject(given)) return undefined
  const value = withKnownFieldTypes(given)
  const malformed = Object.entries(hints).filter(([key, is]) => !mayHave(value, key, is))
  const names = new Set(malformed.map(([key]) => key))
  return Object.fromEntries(Object.entries(value).filter(([key]) => !names.has(key)))
}

/** One odd type does not take those of the other fields away. */
function withKnownFieldTypes(display: JsonObject): JsonObject {
  const types = getOwnField(display, 'fieldTypes')
  if (!isJsonObject(types)) return display
  const known = Object.entries(types).filter(([, type]) => isOneOf(FIELD_TYPES)(type))
  return { ...display, fieldTypes: Object.fromEntries(known) }
}
