import { createHash } from 'node:crypto'
import { isPlainObject } from '@toolblocks/protocol/json'

/** The SHA-256 of a JSON value in hexadecimal digits; the order of keys says nothing. */
export function hashJson(value: unknown): string {
  return createHash('sha256').update(orderedJson(value)).digest('hex')
}

/** JSON on one line, with the keys of each object in their order. */
export function orderedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isPlainObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
