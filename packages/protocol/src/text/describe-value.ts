import { shortenText } from './characters.ts'

/** How much of a text, and of the names of an object's fields, is shown. */
const LONGEST = 60

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
  return JSON.stringify(shortenText(text, LONGEST))
}

function describeObject(value: object): string {
  const keys = Object.keys(value)
  if (keys.length === 0) return 'empty object'
  // A name takes at least two characters with its comma.
  return `object with ${shortenText(keys.slice(0, LONGEST).map(nameOf).join(', '), LONGEST)}`
}

/** Names that could break the line, or read like several, in quotes. */
function nameOf(key: string): string {
  return /^[\w.$-]{1,60}$/.test(key) ? key : quoteBriefly(key)
}
