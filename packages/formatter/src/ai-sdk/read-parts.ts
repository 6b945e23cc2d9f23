import { isJsonObject, type JsonObject, type ToolCall } from '@toolblocks/protocol'
import type { AssistantMessage, ModelCall } from '../conversation/model-request.ts'
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

/** Reads what a model said; what its provider wants back is kept with it. */
export function readParts(parts: readonly SaidPart[]): AssistantMessage {
  const said = parts.filter((part) => part.type !== 'tool-call')
  const texts = said.filter(({ type, text }) => type === 'text' && text !== '')
  const thoughts = said.filter(({ type }) => type === 'reasoning').map(({ text }) => text)
  const isPlain =
    thoughts.length === 0 && said.every(({ providerMetadata }) => providerMetadata === undefined)
  return {
    role: 'assistant',
    content: texts.map(({ text }) => ({ type: 'text', text })),
    ...(thoughts.some((text) => text !== '') && { reasoning: thoughts.join('\n\n') }),
    calls: parts.flatMap((part) => (part.type === 'tool-call' ? [readCall(part)] : [])),
    ...(!isPlain && { _meta: { [AI_SDK]: said.map(toKept) } }),
  }
}

function toKept({ type, text, providerMetadata }: Extract<SaidPart, { text: string }>): JsonObject {
  return { type, text, ...(providerMetadata && { providerOptions: providerMetadata }) }
}

function readCall(part: Extract<SaidPart, { type: 'tool-call' }>): ModelCall {
  const { toolCallId: id, toolName: name, input, providerMetadata } = part
  return {
    id,
    name,
    arguments: readArguments(input),
    ...(providerMetadata && { _meta: { [AI_SDK]: providerMetadata } }),
  }
}

/** A text that is no object goes on as it is: the executor says to the model what is wrong with it. */
function readArguments(input: string): ToolCall['arguments'] {
  if (input.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(input)
    if (isJsonObject(value)) return value
  } catch {
    // Said by whoever is asked to run it.
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- refused by an executor, in words
  return input as unknown as ToolCall['arguments']
}
