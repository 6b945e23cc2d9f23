import type { BlobRef } from '@toolblocks/protocol'
import type { Output, Store } from './output-buffer.ts'
import type { LocalProblem } from '../local-problem.ts'

/** Where the original went, or what to say because it went nowhere. */
export interface KeptOriginal {
  readonly raw?: BlobRef
  readonly warning?: LocalProblem
}

/** How long a store may take, once the tool has ended, before the result goes on without its answer. */
const STORE_MS = 10_000

/** Gives an output to the store and waits for its name. A store that fails is a warning: the result is worth more. */
export async function keepOriginal(output: Output, store: Store): Promise<KeptOriginal> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    late.reject,
    STORE_MS,
    new Error(`no answer within ${STORE_MS / 1000} s`),
  )
  try {
    const stored = output.isWhole ? store(output.bytes) : output.stored
    const raw = await Promise.race([stored, late.promise])
    return raw ? { raw } : {}
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = `The original output could not be kept: ${reason}.`
    return { warning: { path: '', code: 'output-not-kept', message } }
  } finally {
    clearTimeout(timer)
  }
}
