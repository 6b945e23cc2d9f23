import { createHash } from 'node:crypto'
import { isPlainObject } from '@toolblocks/protocol'
import type { PinnedDefinition } from '../define-tool.ts'

/** What a tool said of itself when it was recorded. */
export interface Pin {
  /** Of the definition, whatever the order of its keys, in hexadecimal digits. */
  sha256: string
  definition: PinnedDefinition
}

/** A pin of what a tool says now. */
export function pinOf(definition: PinnedDefinition): Pin {
  const sha256 = createHash('sha256').update(orderedJson(definition)).digest('hex')
  return { sha256, definition }
}

/** JSON in which the order of keys says nothing. */
function orderedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isPlainObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
