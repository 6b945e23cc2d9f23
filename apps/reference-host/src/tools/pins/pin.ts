import { hashJson } from '../../hash-json.ts'
import type { PinnedDefinition } from '../define-tool.ts'

/** What a tool said of itself when it was recorded. */
export interface Pin {
  /** Of the definition, whatever the order of its keys, in hexadecimal digits. */
  sha256: string
  definition: PinnedDefinition
}

/** A pin of what a tool says now. */
export function pinOf(definition: PinnedDefinition): Pin {
  return { sha256: hashJson(definition), definition }
}
