import fc from 'fast-check'
import type { JsonValue } from '@toolblocks/protocol'

/** Objects as `JSON.parse` creates them. */
export const PLAIN = { noNullPrototype: true }
export const anyText = fc.string({ unit: 'binary' })

export const anyJson = fc.oneof(
  fc.json().map((text): JsonValue => JSON.parse(text)),
  fc.constantFrom(-0, Infinity, -Infinity, '\ud83d', '\0', '\ufeff'),
)
