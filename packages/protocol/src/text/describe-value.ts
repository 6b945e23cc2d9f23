import { escapeUnprintable } from '../json/json-text.ts'
import { shortenText } from './characters.ts'

/** Maximum length of a shown text, and of the shown names of an object's fields. */
const MAX_LENGTH = 60

/**
 * Describes a value in a few words, for `Problem.got`: `string "abc"`, `number 3`, `array of 3`, `object with path, mode`, `nothing` for
 * `undefined`. Always one line.
 */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'nothing'
    case 'string':
      return `string ${quoteBriefly(value)}`
    case 'number':
    case 'boolean':
    case 'bigint':
      return `${typeof value} ${value}`
    case 'symbol':
    case 'function':
      return typeof value
    case 'object':
      if (value === null) return 'null'
      return Array.isArray(value) ? `array of ${value.length}` : describeObject(value)
  }
}

/** Returns a string in quotes, as JSON, shortened to 60 characters. */
export function quoteBriefly(text: string): string {
  return JSON.stringify(shortenText(text, MAX_LENGTH))
}

function describeObject(value: object): string {
  const keys = Object.keys(value)
  if (keys.length === 0) return 'empty object'
  // A name has at least two characters with its comma.
  return `object with ${shortenText(keys.slice(0, MAX_LENGTH).map(getName).join(', '), MAX_LENGTH)}`
}

/** Returns a name, in quotes if it could break the line or look like several names. */
function getName(key: string): string {
  return /^[\w.$-]{1,60}$/.test(key) ? key : quoteBriefly(key)
}

/** Returns the name of a tool or a server in quotes for a sentence: one line, whatever characters it has. */
export function quoteName(name: string): string {
  return escapeUnprintable(JSON.stringify(name))
}

/** Formats an outside value where a text is expected. An object or a list becomes JSON, because its own `toString` cannot be trusted. */
export function formatValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  try {
    return JSON.stringify(value)
  } catch {
    // The value is nested too deep.
    return Object.prototype.toString.call(value)
  }
}
