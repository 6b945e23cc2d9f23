import type { JsonValue } from './json.ts'

/** The value of a JSON text; `undefined` where it is none. As in `JSON.parse`, the last of repeated members counts. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
