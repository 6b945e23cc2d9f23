import { createHash } from 'node:crypto'
import { isPlainObject } from '@toolblocks/protocol/internal'

/** Returns the SHA-256 of a JSON value in hexadecimal digits. The order of keys has no effect. */
export function hashJson(value: unknown): string {
  return createHash('sha256').update(orderedJson(value)).digest('hex')
}

/** Returns JSON on one line, with the keys of each object sorted. */
export function orderedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isPlainObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
