import type { ModelText } from '@toolblocks/protocol'
import { codeFence } from '../code-fence.ts'
import { toModelText } from '../model-text.ts'

/** Structured content as a block of JSON; what is no JSON is said, not dropped. */
export function formatStructured(value: unknown): ModelText {
  try {
    const json: unknown = JSON.stringify(value)
    if (typeof json === 'string') return codeFence(json, 'json')
  } catch {
    // Cycles and big integers, which only an in-process tool can return.
  }
  return toModelText('[structured content that is no JSON]')
}
