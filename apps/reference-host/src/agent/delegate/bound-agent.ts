import type { ModelRequest } from '@toolblocks/formatter'
import { ModelError } from '../../model/model-error.ts'
import type { Model, ModelMessageEvent } from '../../model/model.ts'
import { tokensOf } from '../../model/tokens.ts'

/** Ends work after a time in which nobody was waited for. */
export interface TimeLimit {
  /** Aborts once the time is over. */
  signal: AbortSignal
  /** The time stands still until what is given has settled. */
  pausedFor<Value>(wait: () => Promise<Value>): Promise<Value>
  /** Nothing aborts any more. */
  clear(): void
}

/** Starts to count milliseconds. */
export function startTimeLimit(ms: number): TimeLimit {
  const end = new AbortController()
  let left = ms
  let since = performance.now()
  let waits = 0
  let timer = setTimeout(() => end.abort(), left)

  function pause(): void {
    waits += 1
    if (waits > 1) return
    clearTimeout(timer)
    left -= performance.now() - since
  }

  function resume(): void {
    waits -= 1
    if (waits > 0) return
    since = performance.now()
    timer = setTimeout(() => end.abort(), left)
  }

  return {
    signal: end.signal,
    pausedFor: async (wait) => {
      pause()
      return await wait().finally(resume)
    },
    clear: () => {
      clearTimeout(timer)
      waits = Infinity
    },
  }
}

/** A model that counts what its requests and messages take, as the provider tells, and by their length where it does not. */
export interface CountedModel {
  model: Model
  /** Until now. */
  tokens(): number
}

/** Counts the tokens of a model. Once it has taken more than it may, the next request is refused. */
export function countTokens(model: Model, most = Infinity): CountedModel {
  let taken = 0
  return {
    model: async function* answer(request, signal) {
      if (taken >= most)
        throw new ModelError(
          'refused',
          `it has taken ${taken.toLocaleString('en')} tokens, and may take ${most.toLocaleString('en')}`,
        )
      for await (const event of model(request, signal)) {
        if (event.type === 'message') taken += tokensTaken(request, event)
        yield event
      }
    },
    tokens: () => taken,
  }
}

function tokensTaken(request: ModelRequest, { message, usage }: ModelMessageEvent): number {
  const { inputTokens = estimate(request), outputTokens = estimate(message) } = usage ?? {}
  return inputTokens + outputTokens
}

function estimate(said: object): number {
  return tokensOf(JSON.stringify(said).length)
}
