import type { JsonObject } from '@toolblocks/protocol'
import type { AssistantMessage, ModelCall } from '../conversation/model-request.ts'
import { readArguments } from '../turns/read-arguments.ts'
import type { ToolNames } from '../turns/tool-names.ts'
import { AI_SDK } from './to-prompt.ts'

/** What a language model of the AI SDK has said, whole: text and reasoning in their order, then calls. */
export type SaidPart =
  | { type: 'text' | 'reasoning'; text: string; providerMetadata?: object | undefined }
  | {
      type: 'tool-call'
      toolCallId: string
      toolName: string
      /** JSON. */
      input: string
      providerMetadata?: object | undefined
    }

/** Reads what a model said, in the names of the request that it answers; what its provider wants back is kept with it. */
export function readParts(parts: readonly SaidPart[], names?: ToolNames): AssistantMessage {
  const said = parts.filter((part) => part.type !== 'tool-call')
  const texts = said.filter(({ type, text }) => type === 'text' && text !== '')
  const thoughts = said.filter(({ type }) => type === 'reasoning').map(({ text }) => text)
  const isPlain =
    thoughts.length === 0 && said.every(({ providerMetadata }) => providerMetadata === undefined)
  return {
    role: 'assistant',
    content: texts.map(({ text }) => ({ type: 'text', text })),
    ...(thoughts.some((text) => text !== '') && { reasoning: thoughts.join('\n\n') }),
    calls: parts.flatMap((part) => (part.type === 'tool-call' ? [readCall(part, names)] : [])),
    ...(!isPlain && { _meta: { [AI_SDK]: said.map(toKept) } }),
  }
}

function toKept({ type, text, providerMetadata }: Extract<SaidPart, { text: string }>): JsonObject {
  return { type, text, ...(providerMetadata && { providerOptions: providerMetadata }) }
}

function readCall(
  {
    toolCallId: id,
    toolName: name,
    input,
    providerMetadata,
  }: Extract<SaidPart, { type: 'tool-call' }>,
  names: ToolNames | undefined,
): ModelCall {
  const call = { name, arguments: readArguments(input) }
  return {
    id,
    ...(names?.fromProvider(call) ?? call),
    ...(providerMetadata && { _meta: { [AI_SDK]: providerMetadata } }),
  }
}
