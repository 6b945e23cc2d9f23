import type { RequestMessage, Wire } from '../provider.ts'
import { serverSentEvent } from './server-sent-event.ts'

interface Part {
  text?: string
  functionCall?: { name: string }
  functionResponse?: { response: object }
}

interface Content {
  role: string
  parts: readonly Part[]
}

const chunk = (parts: readonly object[], more: object = {}, beside: object = {}): string =>
  serverSentEvent({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
    responseId: 'r1',
    ...beside,
  })

function read({ role, parts }: Content): RequestMessage[] {
  return parts.map(({ text, functionCall, functionResponse }) => {
    if (functionCall) return { role: 'call', content: functionCall.name }
    if (functionResponse)
      return { role: 'tool', content: JSON.stringify(functionResponse.response) }
    return { role: role === 'model' ? 'assistant' : role, content: text }
  })
}

/** A value that is not JSON stays text. */
function getArguments(values: string): unknown {
  try {
    return JSON.parse(values)
  } catch {
    return values
  }
}

const REASONS = { tokens: 'MAX_TOKENS', filter: 'SAFETY', error: 'MALFORMED_FUNCTION_CALL' }

/** Google's Gemini API. */
export const google: Wire = {
  read: ({ contents }: { contents: readonly Content[] }) => contents.flatMap(read),
  write: ({ pieces, calls, cut, usage }) => [
    ...pieces.map((text) => chunk([{ text }])),
    chunk(
      calls.map(({ name, values }) => ({
        functionCall: { name, args: getArguments(values) },
        thoughtSignature: 'sealed',
      })),
    ),
    chunk(
      [],
      { finishReason: cut ? REASONS[cut] : 'STOP' },
      usage && {
        usageMetadata: {
          promptTokenCount: usage.input,
          cachedContentTokenCount: usage.cached,
          candidatesTokenCount: usage.output,
        },
      },
    ),
  ],
}
