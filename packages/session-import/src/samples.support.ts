import type { FormatName } from '@toolblocks/conversation-store'
import { getLines } from './sources/make-source.support.ts'

/** A file of each format for these tests: its content is known, and it ends with a record. */
export interface Sample {
  format: FormatName
  path: string
  text: string
}

const timestamp = '2026-02-03T04:05:06.000Z'
const claude = (uuid: string, type: string, content: unknown, more: object = {}) => ({
  parentUuid: null,
  isSidechain: false,
  sessionId: 's-1',
  uuid,
  timestamp,
  type,
  message: { role: type, content },
  ...more,
})
const codex = (type: string, payload: object) => ({ timestamp, type, payload })
const pi = (id: string, message: object) => ({
  type: 'message',
  id,
  parentId: null,
  timestamp,
  message,
})

const jp = [
  { timestamp, type: 'turn_start' },
  { timestamp, type: 'chat_request', content: 'Look.' },
  { timestamp, type: 'tool_call_request', id: 'c', name: 'look', arguments: { at: 'YQ==' } },
  { timestamp, type: 'tool_call_response', id: 'c', content: 'Z29uZQ==', is_error: true },
  { timestamp, type: 'chat_response', reasoning: 'hm' },
  { timestamp, type: 'chat_response', message: 'It is gone.' },
]

const gemini = [
  { id: 'm1', timestamp, type: 'user', content: 'Look.' },
  {
    id: 'm2',
    timestamp,
    type: 'gemini',
    content: [{ text: 'It is gone.' }],
    thoughts: [{ subject: 'hm', description: '', timestamp }],
    toolCalls: [
      {
        id: 'c',
        name: 'look',
        args: { at: 'a' },
        status: 'error',
        timestamp,
        result: [{ functionResponse: { id: 'c', name: 'look', response: { error: 'gone' } } }],
      },
    ],
  },
]

const anthropic = [
  { role: 'user', content: 'Look.' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'hm', signature: 'x' },
      { type: 'tool_use', id: 'c', name: 'look', input: { at: 'a' } },
    ],
  },
  {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'c', content: 'gone', is_error: true }],
  },
  { role: 'assistant', content: [{ type: 'text', text: 'It is gone.' }] },
]

const gone = [{ type: 'text', text: 'gone' }]

/**
 * Every file has the same content: "Look.", a call `look {at: "a"}`, "gone" as its error if the format has errors, a thought "hm", and "It is
 * gone."
 */
export const SAMPLES: readonly Sample[] = [
  { format: 'jp', path: '/x/17700000001-a/events.json', text: `${JSON.stringify(jp, null, 2)}\n` },
  {
    format: 'lace',
    path: '/x/sess_1.jsonl',
    text: getLines(
      [
        ['prompt', { content: 'Look.' }],
        [
          'tool_use',
          {
            toolCallId: 'c',
            name: 'look',
            input: { at: 'a' },
            result: { outcome: 'failed', content: gone },
          },
        ],
        ['message', { content: 'It is gone.', thinkingBlocks: [{ thinking: 'hm' }] }],
      ].map(([type, data], index) => ({ eventSeq: index + 1, timestamp, type, data })),
    ),
  },
  {
    format: 'toolblocks',
    path: '/x/lamps.jsonl',
    text: getLines(
      [
        { type: 'user_message', content: [{ type: 'text', text: 'Look.' }] },
        { type: 'tool_call', call: { id: 'c', name: 'look', arguments: { at: 'a' } } },
        { type: 'tool_result', result: { id: 'c', content: gone, isError: true } },
        {
          type: 'assistant_message',
          content: [{ type: 'text', text: 'It is gone.' }],
          reasoning: 'hm',
        },
      ].map((event, index) => ({ seq: index + 1, at: timestamp, event })),
    ),
  },
  {
    format: 'claude-code',
    path: '/x/s-1.jsonl',
    text: getLines([
      { type: 'summary', summary: 'Looking', leafUuid: 'u4' },
      claude('u1', 'user', 'Look.'),
      claude('u2', 'assistant', [{ type: 'thinking', thinking: 'hm', signature: 'x' }]),
      claude('u3', 'assistant', [{ type: 'tool_use', id: 'c', name: 'look', input: { at: 'a' } }]),
      claude('u4', 'user', [
        { type: 'tool_result', tool_use_id: 'c', content: gone, is_error: true },
      ]),
      claude('u5', 'assistant', [{ type: 'text', text: 'It is gone.' }]),
    ]),
  },
  {
    format: 'codex',
    path: '/x/rollout-1.jsonl',
    text: getLines([
      codex('session_meta', { id: 's-1', cwd: '/x', cli_version: '0.65.0' }),
      codex('response_item', {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'Look.' }],
      }),
      codex('event_msg', { type: 'user_message', message: 'Look.' }),
      codex('response_item', {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: 'x',
      }),
      codex('response_item', {
        type: 'function_call',
        name: 'look',
        arguments: '{"at":"a"}',
        call_id: 'c',
      }),
      codex('response_item', {
        type: 'function_call_output',
        call_id: 'c',
        output: { content: 'gone', success: false },
      }),
      codex('response_item', {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'It is gone.' }],
      }),
    ]),
  },
  {
    format: 'gemini-cli',
    path: '/x/session-1.json',
    text: JSON.stringify(
      { sessionId: 's-1', projectHash: 'h', startTime: timestamp, messages: gemini },
      null,
      2,
    ),
  },
  {
    format: 'gemini-cli',
    path: '/x/session-2.jsonl',
    text: getLines([{ sessionId: 's-2', projectHash: 'h', startTime: timestamp }, ...gemini]),
  },
  {
    format: 'pi',
    path: '/x/1_2.jsonl',
    text: getLines([
      { type: 'session', version: 3, id: 's-1', timestamp, cwd: '/x' },
      pi('1', { role: 'user', content: 'Look.' }),
      pi('2', {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'toolCall', id: 'c', name: 'look', arguments: { at: 'a' } },
        ],
      }),
      pi('3', {
        role: 'toolResult',
        toolCallId: 'c',
        toolName: 'look',
        content: gone,
        isError: true,
      }),
      pi('4', { role: 'assistant', content: [{ type: 'text', text: 'It is gone.' }] }),
    ]),
  },
  {
    format: 'ai-sdk',
    path: '/x/chat.json',
    text: JSON.stringify([
      { id: '1', role: 'user', parts: [{ type: 'text', text: 'Look.' }] },
      {
        id: '2',
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          { type: 'reasoning', text: 'hm' },
          {
            type: 'tool-look',
            toolCallId: 'c',
            state: 'output-error',
            input: { at: 'a' },
            errorText: 'gone',
          },
          { type: 'text', text: 'It is gone.' },
        ],
      },
    ]),
  },
  {
    format: 'openai',
    path: '/x/messages.json',
    text: JSON.stringify({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Look.' },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'hm',
          tool_calls: [
            { id: 'c', type: 'function', function: { name: 'look', arguments: '{"at":"a"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c', content: 'gone' },
        { role: 'assistant', content: 'It is gone.' },
      ],
    }),
  },
  { format: 'anthropic', path: '/x/messages.json', text: JSON.stringify(anthropic, null, 2) },
]
