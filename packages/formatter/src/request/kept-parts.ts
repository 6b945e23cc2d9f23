import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, requireArguments } from '@toolblocks/protocol/internal'
import type { ModelResponse, ModelCall } from '../model/model-request.ts'

/** A part of a model response: a provider's own part, which goes back unchanged, or the position of a call. */
export type KeptPart =
  | { kind: 'own'; part: JsonObject }
  /** `index`: the position of the call among the calls of the response. */
  | { kind: 'call'; index: number }

/** Marks the position of a call. No provider has parts of this shape. */
const CALL = 'toolblocks/call'

/** Stores a provider's parts under its name, in order. Calls are stored elsewhere, and only marked. */
export function keepParts(provider: string, parts: readonly KeptPart[]): JsonObject {
  requireArguments('keepParts(provider, parts)', [provider, 'string'], [parts, 'array'])
  const kept = parts.map((each) => (each.kind === 'own' ? each.part : { [CALL]: each.index }))
  return { [provider]: kept }
}

/** Functions that write the parts of a model response for a provider. */
interface AssistantPartWriters<Part> {
  /** The calls of the message, in order. */
  calls: readonly Part[]
  /** Writes a part that came from the provider itself. */
  own: (part: JsonObject) => readonly Part[]
  /** Writes the text of a message that came from another provider. */
  text: () => readonly Part[]
}

/** Writes a model response: as its own provider needs it back, in order; else the text and then the calls. */
export function toAssistantParts<Part>(
  message: ModelResponse,
  provider: string,
  parts: AssistantPartWriters<Part>,
): Part[] {
  requireArguments(
    'toAssistantParts(message, provider, parts)',
    [message, 'object'],
    [provider, 'string'],
    [parts, 'object'],
  )
  const { calls, own, text } = parts
  const kept = restoreParts(message, provider)
  if (!kept) return [...text(), ...calls]
  return kept.flatMap((each) =>
    each.kind === 'own' ? own(each.part) : calls.slice(each.index, each.index + 1),
  )
}

/**
 * Returns the parts that a provider needs back, and after them the calls without a position. `undefined` if the message came from another provider.
 */
function restoreParts(
  { _meta, calls }: ModelResponse,
  provider: string,
): readonly KeptPart[] | undefined {
  const kept = _meta ? getOwnField(_meta, provider) : undefined
  if (!Array.isArray(kept)) return undefined
  const used = new Set<number>()
  const parts = kept.filter(isJsonObject).flatMap((part): readonly KeptPart[] => {
    const index = getOwnField(part, CALL)
    if (typeof index !== 'number') return [{ kind: 'own', part }]
    if (!calls[index] || used.has(index)) return []
    used.add(index)
    return [{ kind: 'call', index }]
  })
  const rest = Array.from(calls.keys()).filter((index) => !used.has(index))
  return [...parts, ...rest.map((index): KeptPart => ({ kind: 'call', index }))]
}

/** Returns the provider data of a call or of a message. */
export function getProviderData({ _meta }: Pick<ModelCall, '_meta'>, provider: string): JsonObject {
  const kept = _meta ? getOwnField(_meta, provider) : undefined
  return isJsonObject(kept) ? kept : {}
}
