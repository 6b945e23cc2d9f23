const LONGEST = 60

/** A value in a few words, for example `string "abc"`, `array of 3` or `nothing`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `array of ${value.length}`
  if (typeof value === 'object') return describeObject(value)
  return `${typeof value} ${shorten(toJson(value))}`
}

/** A list of JSON values, for example `"a", "b" or 3`. */
export function listValues(values: readonly unknown[]): string {
  const shown = values.slice(0, 10).map((value) => shorten(toJson(value)))
  if (values.length > shown.length) shown.push(`${values.length - shown.length} more`)
  return joinWithOr(shown)
}

/** For example `a`, `a or b`, `a, b or c`. */
export function joinWithOr(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function describeObject(value: object): string {
  const keys = Object.keys(value)
  if (keys.length === 0) return 'empty object'
  return `object with ${shorten(keys.slice(0, LONGEST).map(nameOf).join(', '))}`
}

/** Names that could break the line, or read like several, in quotes. */
function nameOf(key: string): string {
  return /^[\w.$-]+$/.test(key) ? key : JSON.stringify(key)
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? typeof value
}

function shorten(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}
