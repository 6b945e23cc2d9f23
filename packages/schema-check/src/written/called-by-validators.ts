// What the code of a written validator calls; the names are those it imports.
export type { ValidateFunction } from 'ajv'
export { findSameItems } from '../keywords/lookup.ts'

/** The length of a text in characters, as JSON Schema counts them. */
export function codePointLength(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}
