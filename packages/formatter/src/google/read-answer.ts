import { isJsonObject, type JsonObject, textOfValue } from '@toolblocks/protocol'
import type { ModelAnswer, ModelCall } from '../conversation/model-request.ts'
import { type KeptPart, keepParts } from '../turns/kept-parts.ts'
import type { ToolNames } from '../tools/tool-names.ts'
import { GOOGLE } from './to-request.ts'

/** The content of a candidate, whole; a part of a kind that is not known here is kept and given back. */
export interface GoogleAnswer {
  parts?: readonly object[]
}

/** Reads what a model said, in the names of the request that it answers; what Google wants back is kept with it. */
export function readAnswer({ parts = [] }: GoogleAnswer, names?: ToolNames): ModelAnswer {
  const given = parts.filter(isJsonObject)
  const calls: ModelCall[] = []
  const kept = given.map((part): KeptPart => {
    const { functionCall, ...extras } = part
    if (!isJsonObject(functionCall)) return { kind: 'own', part }
    calls.push(readCall(functionCall, extras, { index: calls.length, names }))
    return { kind: 'call', index: calls.length - 1 }
  })
  const texts = given.filter(({ text }) => typeof text === 'string' && text !== '')
  const thoughts = texts.filter(({ thought }) => thought === true).map(({ text }) => String(text))
  const isPlain = given.every(
    (part) => Object.keys(part).length === 1 && ('text' in part || 'functionCall' in part),
  )
  return {
    role: 'assistant',
    content: texts
      .filter(({ thought }) => thought !== true)
      .map(({ text }) => ({ type: 'text', text: String(text) })),
    ...(thoughts.length > 0 && { reasoning: thoughts.join('\n\n') }),
    calls,
    ...(!isPlain && { _meta: keepParts(GOOGLE, kept) }),
  }
}

/** Calls may have no id: they are counted then, which is unique in the turn. */
function readCall(
  { name, args, id, ...rest }: JsonObject,
  extras: JsonObject,
  { index, names }: { index: number; names: ToolNames | undefined },
): ModelCall {
  const said = { name: textOfValue(name), arguments: isJsonObject(args) ? args : {} }
  const hasId = typeof id === 'string' && id !== ''
  const kept = { ...extras, ...(hasId && { functionCall: { ...rest, id } }) }
  return {
    id: hasId ? id : `call-${index + 1}`,
    ...(names?.fromProvider(said) ?? said),
    ...(Object.keys(kept).length > 0 && { _meta: { [GOOGLE]: kept } }),
  }
}
