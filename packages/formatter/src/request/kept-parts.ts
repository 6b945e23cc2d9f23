import { getOwnField, isJsonObject, type JsonObject } from '@toolblocks/protocol'
import type { ModelResponse, ModelCall } from '../model/model-request.ts'

/** A part of what a model said: its provider's own, to be given back as it came, or one of the message's calls. */
export type KeptPart = { kind: 'own'; part: JsonObject } | { kind: 'call'; index: number }

/** Where a call stood among the parts; no provider has parts of this shape. */
const CALL = 'toolblocks/call'

/** Keeps a provider's parts under its name, in their order; calls are kept apart and only marked. */
export function keepParts(provider: string, parts: readonly KeptPart[]): JsonObject {
  const kept = parts.map((each) => (each.kind === 'own' ? each.part : { [CALL]: each.index }))
  return { [provider]: kept }
}

/** How what a model said is written for a provider. */
interface Said<Part> {
  /** The calls of the message, in their order. */
  calls: readonly Part[]
  /** A part of its own that the provider gave, as it goes back. */
  own: (part: JsonObject) => readonly Part[]
  /** What the message says, where another provider wrote it. */
  words: () => readonly Part[]
}

/** What a model said: as its provider wants it back, in its order; else its words and then its calls. */
export function saidParts<Part>(
  message: ModelResponse,
  provider: string,
  { calls, own, words }: Said<Part>,
): Part[] {
  const kept = keptParts(message, provider)
  if (!kept) return [...words(), ...calls]
  return kept.flatMap((each) =>
    each.kind === 'own' ? own(each.part) : calls.slice(each.index, each.index + 1),
  )
}

/**
 * The parts that a provider wants back, and behind them the calls that stand at none of them. `undefined` where the message came
 * from another provider.
 */
function keptParts(
  { _meta, calls }: ModelResponse,
  provider: string,
): readonly KeptPart[] | undefined {
  const kept = _meta ? getOwnField(_meta, provider) : undefined
  if (!Array.isArray(kept)) return undefined
  const placed = new Set<number>()
  const parts = kept.filter(isJsonObject).flatMap((part): readonly KeptPart[] => {
    const index = getOwnField(part, CALL)
    if (typeof index !== 'number') return [{ kind: 'own', part }]
    if (!calls[index] || placed.has(index)) return []
    placed.add(index)
    return [{ kind: 'call', index }]
  })
  const rest = Array.from(calls.keys()).filter((index) => !placed.has(index))
  return [...parts, ...rest.map((index): KeptPart => ({ kind: 'call', index }))]
}

/** What a provider wants back with a call, or with a whole message. */
export function keptWith({ _meta }: Pick<ModelCall, '_meta'>, provider: string): JsonObject {
  const kept = _meta ? getOwnField(_meta, provider) : undefined
  return isJsonObject(kept) ? kept : {}
}
