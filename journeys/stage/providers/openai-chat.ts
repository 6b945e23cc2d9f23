import type { AskedMessage, Cut, Wire } from '../provider.ts'
import { serverSentEvent } from './server-sent-event.ts'

function delta(given: object, finish: string | null = null): string {
  return serverSentEvent({
    id: 'x',
    choices: [{ index: 0, delta: given, finish_reason: finish }],
  })
}

function finishReason(calls: number, cut: Cut | undefined): string {
  if (cut === 'tokens') return 'length'
  if (cut === 'filter') return 'content_filter'
  return calls > 0 ? 'tool_calls' : 'stop'
}

/** OpenAI's Chat API, and whatever speaks as it does. */
export const openaiChat: Wire = {
  read: ({ messages }: { messages: readonly AskedMessage[] }) => messages,
  write: ({ words, calls, cut }) => [
    ...words.map((word) => delta({ role: 'assistant', content: word })),
    ...calls.map(({ id, name, values }, index) =>
      delta({ tool_calls: [{ index, id, function: { name, arguments: values } }] }),
    ),
    ...(cut === 'error'
      ? [serverSentEvent({ error: { message: 'not now', code: 500 } })]
      : [delta({}, finishReason(calls.length, cut)), 'data: [DONE]\n\n']),
  ],
}
