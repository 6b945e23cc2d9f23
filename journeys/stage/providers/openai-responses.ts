import type { RequestMessage, Cut, ResponseUsage, Wire } from '../provider.ts'
import { serverSentEvent } from './server-sent-event.ts'

interface Message {
  role: string
  content: string | readonly { text: string }[]
}

type Item =
  | Message
  | { type: 'function_call'; name: string }
  | { type: 'function_call_output'; output: unknown }

const event = (type: string, more: object): string =>
  serverSentEvent({ type, sequence_number: 1, ...more }, type)

function read(item: Item): RequestMessage {
  if ('role' in item) {
    const { role, content } = item
    const text = typeof content === 'string' ? content : content.map((part) => part.text).join('')
    return { role, content: text }
  }
  switch (item.type) {
    case 'function_call':
      return { role: 'call', content: item.name }
    case 'function_call_output':
      return { role: 'tool', content: item.output }
  }
}

const REASONS = { tokens: 'max_output_tokens', filter: 'content_filter' }

function lastEvent(
  cut: Cut | undefined,
  counted: ResponseUsage,
  output: readonly object[],
): string {
  const usage = {
    input_tokens: counted.input,
    input_tokens_details: { cached_tokens: counted.cached },
    output_tokens: counted.output,
    total_tokens: counted.input + counted.output,
  }
  if (cut === undefined)
    return event('response.completed', { response: { id: 'resp_1', output, usage } })
  if (cut === 'error')
    return event('response.failed', {
      response: { usage, error: { code: 'x', message: 'not now' } },
    })
  const details = { incomplete_details: { reason: REASONS[cut] } }
  return event('response.incomplete', { response: { usage, ...details } })
}

/** OpenAI's Responses API. */
export const openaiResponses: Wire = {
  read: ({ input }: { input: readonly Item[] }) => input.map(read),
  write: ({ pieces, calls, cut, usage = { input: 1, cached: 0, output: 1 } }) => {
    const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [] }
    const messageItem = {
      ...message,
      status: 'completed',
      content: [{ type: 'output_text', text: pieces.join(''), annotations: [] }],
    }
    const callItems = calls.map(({ id, name, values }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: values,
      status: 'completed',
    }))
    return [
      event('response.created', { response: { id: 'resp_1', created_at: 1, model: 'gpt-5' } }),
      event('response.output_item.added', { output_index: 0, item: message }),
      ...pieces.map((word) =>
        event('response.output_text.delta', { item_id: 'msg_1', output_index: 0, delta: word }),
      ),
      event('response.output_item.done', { output_index: 0, item: message }),
      ...callItems.flatMap((item, index) => {
        const output = { output_index: index + 1, item }
        return [
          event('response.output_item.added', output),
          event('response.output_item.done', output),
        ]
      }),
      lastEvent(cut, usage, pieces.length > 0 ? [messageItem, ...callItems] : callItems),
    ]
  },
}
