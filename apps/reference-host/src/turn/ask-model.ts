import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelRequest } from '@toolblocks/formatter'
import { ModelError } from '../model/model-error.ts'
import type { Model, ModelEvent } from '../model/model.ts'

/** What is worth showing while a model is asked. */
export type AskNotice =
  /** It has been asked, and is silent until it thinks or speaks. */
  | { type: 'asking' }
  | Exclude<ModelEvent, { type: 'message' }>
  /** It gave no answer and is asked again; what it said until then counts for nothing. */
  | { type: 'retry'; reason: string; waitMs: number }

type Answer = Extract<ModelEvent, { type: 'message' }>

const MOST_TRIES = 4
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000

/**
 * Asks a model, again where that may help; `undefined` once the signal aborts. Nothing has come of a request that was not answered, so
 * asking again does nothing twice.
 */
export async function askModel(
  model: Model,
  request: ModelRequest,
  { signal, show }: { signal: AbortSignal; show: (notice: AskNotice) => void | Promise<void> },
): Promise<Answer | undefined> {
  for (let tries = 1; ; tries++) {
    await show({ type: 'asking' })
    try {
      return await readAnswer(model(request, signal), show)
    } catch (error) {
      if (signal.aborted) return undefined
      if (!(error instanceof ModelError) || error.code !== 'unavailable' || tries === MOST_TRIES)
        throw error
      const waitMs = Math.min(
        error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (tries - 1),
        LONGEST_WAIT_MS,
      )
      await show({ type: 'retry', reason: error.message, waitMs })
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return undefined
    }
  }
}

async function readAnswer(
  events: AsyncIterable<ModelEvent>,
  show: (notice: AskNotice) => void | Promise<void>,
): Promise<Answer> {
  for await (const event of events) {
    if (event.type === 'message') return event
    await show(event)
  }
  throw new ModelError('unavailable', 'the answer of the model ended before it was whole')
}
