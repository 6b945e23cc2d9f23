import { expect, test } from 'vitest'
import { readConversations } from '../read-conversations.ts'
import { sourceOf } from '../sources/source-of.suite.ts'

function read(content: unknown) {
  const text = JSON.stringify(content)
  const [conversation] = readConversations(sourceOf(text, { path: '/x/chat.json' }))
  if (!conversation) throw new Error('expected a conversation')
  return { ...conversation, events: conversation.events.map(({ event }) => event) }
}

test('AI SDK 4: invocations beside the text, or as parts', () => {
  const invocation = {
    state: 'result',
    toolCallId: 'c',
    toolName: 'x',
    args: { a: 1 },
    result: { b: 2 },
  }
  expect(
    read([
      { role: 'user', content: 'hi', createdAt: '2026-01-02T03:04:05Z' },
      { role: 'assistant', content: 'done', toolInvocations: [invocation] },
      {
        role: 'assistant',
        content: '',
        parts: [{ type: 'tool-invocation', toolInvocation: invocation }],
      },
    ]),
  ).toMatchObject({
    format: 'ai-sdk',
    id: 'ai-sdk-chat',
    events: [
      { type: 'user_message' },
      { type: 'tool_call', call: { arguments: { a: 1 } } },
      { type: 'tool_result', result: { id: 'c', structuredContent: { b: 2 } } },
      { type: 'assistant_message' },
      { type: 'tool_call' },
      { type: 'tool_result' },
    ],
  })
})

test('AI SDK: a call that was denied has a result, one that waits has none', () => {
  const tool = { type: 'dynamic-tool', toolName: 'x', input: {} }
  const parts = [
    { ...tool, toolCallId: 'a', state: 'output-denied' },
    { ...tool, toolCallId: 'b', state: 'input-available' },
    { type: 'data-weather', data: { degrees: 20 } },
  ]
  expect(read([{ id: '1', role: 'assistant', parts }]).events).toMatchObject([
    { type: 'tool_call' },
    { result: { id: 'a', isError: true, metadata: { outcome: 'denied' } } },
    { type: 'tool_call', call: { id: 'b' } },
    {
      type: 'assistant_message',
      content: [{ text: '{"type":"data-weather","data":{"degrees":20}}' }],
    },
  ])
})

test('model messages of the AI SDK are read like those for OpenAI', () => {
  const output = { type: 'error-text', value: 'gone' }
  expect(
    read([
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'x', input: {} }],
      },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'x', output }] },
    ]).events,
  ).toMatchObject([
    { type: 'tool_call', call: { id: 'c', name: 'x' } },
    { result: { id: 'c', isError: true, content: [{ text: 'gone' }] } },
  ])
})

test('items of Responses are messages for OpenAI too', () => {
  expect(
    read([
      { role: 'user', content: 'hi' },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
      { type: 'function_call', call_id: 'c', name: 'x', arguments: 'no JSON' },
      { type: 'function_call_output', call_id: 'c', output: 'a' },
    ]),
  ).toMatchObject({
    format: 'openai',
    events: [
      { type: 'user_message' },
      { type: 'assistant_message', reasoning: 'hm', content: [] },
      { type: 'tool_call', call: { arguments: { input: 'no JSON' } } },
      { type: 'tool_result' },
    ],
  })
})

test('what a request says beside its messages stands with its first event', () => {
  const request = { model: 'm', system: 'Be brief.', messages: [{ role: 'user', content: 'hi' }] }
  expect(read(request)).toMatchObject({
    format: 'anthropic',
    events: [{ imported: { about: { model: 'm', system: 'Be brief.' } } }],
  })
})

test('a picture without text is a message', () => {
  const source = { type: 'base64', media_type: 'image/png', data: 'AA==' }
  expect(read([{ role: 'user', content: [{ type: 'image', source }] }])).toMatchObject({
    format: 'anthropic',
    events: [{ type: 'user_message', content: [{ type: 'image', mimeType: 'image/png' }] }],
  })
})
