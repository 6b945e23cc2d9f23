import { field, isJsonObject, type JsonObject, textOfValue } from '@toolblocks/protocol'
import type { ModelAnswer, ModelCall } from '../conversation/model-request.ts'
import { type KeptPart, keepParts } from '../turns/kept-parts.ts'
import { readArguments } from '../tools/read-arguments.ts'
import type { ToolNames } from '../tools/tool-names.ts'
import { OPENAI_RESPONSES } from './to-responses-request.ts'

/** A response, whole; an item of a kind that is not known here is kept and given back. */
export interface ResponsesAnswer {
  output: readonly { type: string }[]
}

/** Reads what a model said, in the names of the request that it answers; what OpenAI wants back is kept with it. */
export function readResponse({ output }: ResponsesAnswer, names?: ToolNames): ModelAnswer {
  const items = output.filter(isJsonObject)
  const calls: ModelCall[] = []
  const parts = items.map((item): KeptPart => {
    if (item['type'] !== 'function_call') return { kind: 'own', part: item }
    calls.push(readCall(item, names))
    return { kind: 'call', index: calls.length - 1 }
  })
  const texts = items
    .filter(({ type }) => type === 'message')
    .flatMap((item) => textsIn(item, 'content'))
  const thoughts = items
    .filter(({ type }) => type === 'reasoning')
    .flatMap((item) => textsIn(item, 'summary'))
  return {
    role: 'assistant',
    content: texts.map((text) => ({ type: 'text', text })),
    ...(thoughts.length > 0 && { reasoning: thoughts.join('\n\n') }),
    calls,
    ...(parts.some(({ kind }) => kind === 'own') && { _meta: keepParts(OPENAI_RESPONSES, parts) }),
  }
}

function readCall(item: JsonObject, names: ToolNames | undefined): ModelCall {
  const { type: _, call_id, name, arguments: given, ...extras } = item
  const said = { name: textOfValue(name), arguments: readArguments(textOfValue(given)) }
  return {
    id: textOfValue(call_id),
    ...(names?.fromProvider(said) ?? said),
    ...(Object.keys(extras).length > 0 && { _meta: { [OPENAI_RESPONSES]: extras } }),
  }
}

/** Texts of the parts in a field; a refusal is what the model said, too. */
function textsIn(item: JsonObject, key: string): readonly string[] {
  const parts = field(item, key)
  if (!Array.isArray(parts)) return []
  return parts.filter(isJsonObject).flatMap(({ text, refusal }) => {
    const said = typeof text === 'string' ? text : refusal
    return typeof said === 'string' && said !== '' ? [said] : []
  })
}
