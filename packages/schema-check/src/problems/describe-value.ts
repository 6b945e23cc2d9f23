import { describeValue, quoteBriefly, shortenText } from '@toolblocks/protocol'

const LONGEST = 60

/** A value in a few words, for example `string "abc"`, `array of 3` or `nothing`. */
export type DescribeValue = (value: unknown) => string

/** Describes values, each large one once: many problems may speak of the same. */
export function createDescriber(): DescribeValue {
  const described = new Map<unknown, string>()
  return (value) => {
    if (typeof value !== 'object' || value === null) return describeValue(value)
    const text = described.get(value) ?? describeValue(value)
    described.set(value, text)
    return text
  }
}

/** A list of JSON values, for example `"a", "b" or 3`. */
export function listValues(values: readonly unknown[]): string {
  const shown = values.slice(0, 10).map(shortJson)
  if (values.length > shown.length) shown.push(`${values.length - shown.length} more`)
  return joinWithOr(shown)
}

/** For example `a`, `a or b`, `a, b or c`. */
export function joinWithOr(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

const shortened = new WeakMap<object, string>()

/** A value of a schema, which stays as it is, is written out once; of a text only the beginning. */
function shortJson(value: unknown): string {
  if (typeof value === 'string') return quoteBriefly(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const text = shortened.get(value) ?? shortenText(JSON.stringify(value), LONGEST)
  shortened.set(value, text)
  return text
}
