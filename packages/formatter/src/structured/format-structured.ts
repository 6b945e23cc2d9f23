import { codeFence } from '../markdown/code-fence.ts'
import type { Part } from '../parts.ts'

/** Structured content as a block of JSON; what is no JSON is said, not dropped. */
export function formatStructured(value: unknown): Part {
  try {
    const json: unknown = JSON.stringify(value)
    if (typeof json === 'string') return { from: 'host', text: codeFence(json, 'json') }
  } catch {
    // Cycles and big integers, which only an in-process tool can return.
  }
  return { from: 'host', text: '[structured content that is no JSON]' }
}
