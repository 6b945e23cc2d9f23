import { field, isJsonObject, type JsonObject, textOfValue } from '@toolblocks/protocol'
import type { ModelAnswer, ModelCall } from '../conversation/model-request.ts'
import { readArguments } from '../tools/read-arguments.ts'
import type { ToolNames } from '../tools/tool-names.ts'
import { OPENAI_CHAT } from './to-chat-request.ts'

/** The message of a choice, whole. */
export interface ChatAnswer {
  content?: string | null
  refusal?: string | null
  tool_calls?: readonly object[] | null
}

/** What servers other than OpenAI's say of thoughts, and want back. */
const THOUGHTS = ['reasoning_content', 'reasoning', 'reasoning_details'] as const

/** Reads what a model said, in the names of the request that it answers; what its server wants back is kept with it. */
export function readChatMessage(answer: ChatAnswer, names?: ToolNames): ModelAnswer {
  const given: JsonObject = { ...answer }
  const { content, refusal, tool_calls: calls } = answer
  const texts = [content, refusal].filter((text) => typeof text === 'string' && text !== '')
  const kept = THOUGHTS.flatMap((key) => {
    const value = field(given, key)
    return value === undefined || value === null ? [] : [[key, value] as const]
  })
  const thought = kept.find(([, value]) => typeof value === 'string' && value !== '')?.[1]
  return {
    role: 'assistant',
    content: texts.map((text) => ({ type: 'text', text: String(text) })),
    ...(typeof thought === 'string' && { reasoning: thought }),
    calls: (calls ?? []).filter(isJsonObject).flatMap((call) => readCall(call, names)),
    ...(kept.length > 0 && { _meta: { [OPENAI_CHAT]: Object.fromEntries(kept) } }),
  }
}

function readCall(call: JsonObject, names: ToolNames | undefined): readonly ModelCall[] {
  const { id, type: _, function: called, ...extras } = call
  if (!isJsonObject(called)) return []
  const { name, arguments: given, ...inside } = called
  const said = {
    name: textOfValue(name),
    arguments: readArguments(typeof given === 'string' ? given : ''),
  }
  const { index: _index, ...kept } = { ...inside, ...extras }
  return [
    {
      id: textOfValue(id),
      ...(names?.fromProvider(said) ?? said),
      ...(Object.keys(kept).length > 0 && { _meta: { [OPENAI_CHAT]: kept } }),
    },
  ]
}
