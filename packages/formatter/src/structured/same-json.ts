import { isDeepStrictEqual } from 'node:util'
import type { ContentBlock } from '@toolblocks/protocol'

/** Whether a text block is the same JSON as a value, whatever its spacing and order of keys. */
export function carriesSameJson(block: ContentBlock, value: unknown): boolean {
  if (block.type !== 'text') return false
  try {
    return isDeepStrictEqual(JSON.parse(block.text), value)
  } catch {
    return false
  }
}
