import type { ModelAnswer, ModelCall } from '../conversation/model-request.ts'
import { readArguments } from '../tools/read-arguments.ts'
import { keepParts, type KeptPart } from '../turns/kept-parts.ts'
import type { ToolNames } from '../tools/tool-names.ts'
import { AI_SDK } from './to-prompt.ts'

/** What a language model of the AI SDK has said, whole, in its order. */
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
export function readParts(parts: readonly SaidPart[], names?: ToolNames): ModelAnswer {
  const said = parts.filter((part) => part.type !== 'tool-call')
  const texts = said.filter(({ type, text }) => type === 'text' && text !== '')
  const thoughts = said.filter(({ type }) => type === 'reasoning').map(({ text }) => text)
  return {
    role: 'assistant',
    content: texts.map(({ text }) => ({ type: 'text', text })),
    ...(thoughts.some((text) => text !== '') && { reasoning: thoughts.join('\n\n') }),
    calls: parts.flatMap((part) => (part.type === 'tool-call' ? [readCall(part, names)] : [])),
    ...(!isPlain(parts) && { _meta: keepParts(AI_SDK, toKept(parts)) }),
  }
}

/** Whether nothing has to go back as it came: texts that no provider marked, and calls behind them. */
function isPlain(parts: readonly SaidPart[]): boolean {
  const firstCall = parts.findIndex(({ type }) => type === 'tool-call')
  return parts.every(
    ({ type, providerMetadata }, index) =>
      type === 'tool-call' ||
      (type === 'text' && providerMetadata === undefined && (firstCall < 0 || index < firstCall)),
  )
}

/** A thought belongs to the call behind it: providers refuse them in another order. */
function toKept(parts: readonly SaidPart[]): readonly KeptPart[] {
  let calls = 0
  return parts.map((part): KeptPart => {
    if (part.type === 'tool-call') return { kind: 'call', index: calls++ }
    const { type, text, providerMetadata } = part
    const own = { type, text, ...(providerMetadata && { providerOptions: providerMetadata }) }
    return { kind: 'own', part: own }
  })
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
