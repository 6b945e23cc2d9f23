import type { RequestMessage, Cut, Wire } from '../provider.ts'
import { serverSentEvent } from './server-sent-event.ts'

type Block =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; name: string }
  | { type: 'tool_result'; content: unknown }

interface Message {
  role: string
  content: string | readonly Block[]
}

const event = (type: string, more: object): string => serverSentEvent({ type, ...more }, type)

function read({ role, content }: Message): RequestMessage[] {
  if (typeof content === 'string') return [{ role, content }]
  return content.map((block) => {
    switch (block.type) {
      case 'text':
        return { role, content: block.text }
      case 'tool_use':
        return { role: 'call', content: block.name }
      case 'tool_result':
        return { role: 'tool', content: JSON.stringify(block.content) }
    }
  })
}

const block = (index: number, content_block: object, deltas: readonly object[]): string[] => [
  event('content_block_start', { index, content_block }),
  ...deltas.map((delta) => event('content_block_delta', { index, delta })),
  event('content_block_stop', { index }),
]

function stopReason(calls: number, cut: Cut | undefined): string {
  if (cut === 'tokens') return 'max_tokens'
  if (cut === 'filter') return 'refusal'
  return calls > 0 ? 'tool_use' : 'end_turn'
}

/** Anthropic's Messages API. */
export const anthropic: Wire = {
  read: ({ messages }: { messages: readonly Message[] }) => messages.flatMap(read),
  write: ({ pieces, calls, cut, usage: counted }) => {
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [] }
    const { input, cached, output } = counted ?? { input: 1, cached: 0, output: 1 }
    const usage = {
      input_tokens: input - cached,
      cache_read_input_tokens: cached,
      output_tokens: output,
    }
    return [
      event('message_start', { message: { ...message, usage } }),
      ...block(
        0,
        { type: 'text', text: '' },
        pieces.map((text) => ({ type: 'text_delta', text })),
      ),
      ...calls.flatMap(({ id, name, values }, index) =>
        block(index + 1, { type: 'tool_use', id, name, input: {} }, [
          { type: 'input_json_delta', partial_json: values },
        ]),
      ),
      ...(cut === 'error'
        ? [event('error', { error: { type: 'overloaded_error', message: 'not now' } })]
        : [
            event('message_delta', {
              delta: { stop_reason: stopReason(calls.length, cut) },
              usage,
            }),
            event('message_stop', {}),
          ]),
    ]
  },
}
