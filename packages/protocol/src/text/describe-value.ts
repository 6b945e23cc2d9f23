import { escapeUnprintable } from '../json/json-text.ts'
import { shortenText } from './characters.ts'

/** How much of a text, and of the names of an object's fields, is shown. */
const MAX_LENGTH = 60

/**
 * Shows a value in a few words, for `Problem.got`: `string "abc"`, `number 3`, `array of 3`, `object with path, mode`, `nothing`
 * for `undefined`. One line, whatever the value is.
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

/** A string in quotes, as JSON writes it, shortened to 60 characters. */
export function quoteBriefly(text: string): string {
  return JSON.stringify(shortenText(text, MAX_LENGTH))
}

function describeObject(value: object): string {
  const keys = Object.keys(value)
  if (keys.length === 0) return 'empty object'
  // A name takes at least two characters with its comma.
  return `object with ${shortenText(keys.slice(0, MAX_LENGTH).map(getName).join(', '), MAX_LENGTH)}`
}

/** Names that could break the line, or read like several, in quotes. */
function getName(key: string): string {
  return /^[\w.$-]{1,60}$/.test(key) ? key : quoteBriefly(key)
}

/** A name of a tool or a server in quotes, as it stands in a sentence of a host: one line, whatever characters it has. */
export function quoteName(name: string): string {
  return escapeUnprintable(JSON.stringify(name))
}

/** A value from outside where a text is expected; an object or a list as JSON, because its own `toString` may be anything. */
export function formatValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  try {
    return JSON.stringify(value)
  } catch {
    // Nested deeper than can be written.
    return Object.prototype.toString.call(value)
  }
}
