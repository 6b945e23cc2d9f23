import type { RequestMessage, Cut, ResponseUsage, Wire } from '../provider.ts'
import { serverSentEvent } from './server-sent-event.ts'

function delta(fields: object, finish: string | null = null): string {
  return serverSentEvent({
    id: 'x',
    choices: [{ index: 0, delta: fields, finish_reason: finish }],
  })
}

function finishReason(calls: number, cut: Cut | undefined): string {
  if (cut === 'tokens') return 'length'
  if (cut === 'filter') return 'content_filter'
  return calls > 0 ? 'tool_calls' : 'stop'
}

function written({ input, cached, output }: ResponseUsage): object {
  return {
    prompt_tokens: input,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens: output,
    total_tokens: input + output,
  }
}

/** OpenAI's Chat API, and every API with the same format. */
export const openaiChat: Wire = {
  read: ({ messages }: { messages: readonly RequestMessage[] }) => messages,
  write: ({ pieces, calls, cut, usage }) => [
    ...pieces.map((word) => delta({ role: 'assistant', content: word })),
    ...calls.map(({ id, name, values }, index) =>
      delta({ tool_calls: [{ index, id, function: { name, arguments: values } }] }),
    ),
    ...(cut === 'error'
      ? [serverSentEvent({ error: { message: 'not now', code: 500 } })]
      : [
          delta({}, finishReason(calls.length, cut)),
          ...(usage ? [serverSentEvent({ id: 'x', choices: [], usage: written(usage) })] : []),
          'data: [DONE]\n\n',
        ]),
  ],
}
