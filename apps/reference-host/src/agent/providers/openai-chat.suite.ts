import type { AskedMessage, Wire } from './provider.suite.ts'
import { serverSentEvent } from './server-sent-event.suite.ts'

function delta(given: object, finish: string | null = null): string {
  return serverSentEvent({
    id: 'x',
    choices: [{ index: 0, delta: given, finish_reason: finish }],
  })
}

/** OpenAI's Chat API, and whatever speaks as it does. */
export const openaiChat: Wire = {
  read: ({ messages }: { messages: readonly AskedMessage[] }) => messages,
  write: ({ words, calls }) => [
    ...words.map((word) => delta({ role: 'assistant', content: word })),
    ...calls.map(({ id, name, values }, index) =>
      delta({ tool_calls: [{ index, id, function: { name, arguments: values } }] }),
    ),
    delta({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    'data: [DONE]\n\n',
  ],
}
