import type OpenAI from 'openai'
import { expect, expectTypeOf, test } from 'vitest'
import type { ModelMessage, ModelRequest } from '../model/model-request.ts'
import { CONVERSATIONS } from '../testing/conversations.support.ts'
import { type OpenAiChatRequest, readOpenAiChatMessage, toOpenAiChatRequest } from './chat.ts'
import {
  type OpenAiResponsesRequest,
  readOpenAiResponse,
  toOpenAiResponsesRequest,
} from './responses.ts'

function createRequest(message: ModelMessage): ModelRequest {
  return { messages: [message], tools: [] }
}

test('a request has the type of the OpenAI SDK', () => {
  expectTypeOf<OpenAiResponsesRequest['input']>().toExtend<OpenAI.Responses.ResponseInput>()
  expectTypeOf<OpenAiResponsesRequest['tools']>().toExtend<OpenAI.Responses.Tool[]>()
  expectTypeOf<OpenAiChatRequest['messages']>().toExtend<OpenAI.ChatCompletionMessageParam[]>()
  expectTypeOf<NonNullable<OpenAiChatRequest['tools']>>().toExtend<OpenAI.ChatCompletionTool[]>()
  expectTypeOf<OpenAI.ChatCompletionMessage>().toExtend<
    Parameters<typeof readOpenAiChatMessage>[0]
  >()
  expectTypeOf<OpenAI.Responses.Response>().toExtend<Parameters<typeof readOpenAiResponse>[0]>()
  const {
    names: _,
    changes: __,
    ...responses
  } = toOpenAiResponsesRequest(CONVERSATIONS['parallel']!)
  const one = { model: 'm', ...responses } satisfies OpenAI.Responses.ResponseCreateParams
  const { names: ___, changes: ____, ...chat } = toOpenAiChatRequest(CONVERSATIONS['parallel']!)
  const two = { model: 'm', ...chat } satisfies OpenAI.ChatCompletionCreateParams
  expect([one.input.length, two.messages.length].every((length) => length > 20)).toBe(true)
})

test('Responses: every call has an output and every output a call, with ids of at most 64 characters', () => {
  const id = `toolu_${'x'.repeat(80)}`
  const call = { id, name: 'look', arguments: {} }
  const { input } = toOpenAiResponsesRequest({
    messages: [
      { role: 'assistant', content: [], calls: [call, { ...call, id: 'b' }] },
      { role: 'tool', results: [{ call, result: { content: [], isError: false } }] },
    ],
    tools: [],
  })
  expect(input).toMatchObject([
    { type: 'function_call', call_id: id.slice(0, 64) },
    { type: 'function_call', call_id: 'b' },
    { type: 'function_call_output', call_id: id.slice(0, 64) },
    { type: 'function_call_output', call_id: 'b', output: expect.stringContaining('unknown') },
  ])
})

test('Responses: a failed result with an image says that it failed, because there is no flag', () => {
  const { input } = toOpenAiResponsesRequest(CONVERSATIONS['error with image']!)
  expect(input[1]).toMatchObject({
    output: [
      { type: 'input_text', text: expect.stringMatching(/^\[The tool call failed\.\]/) },
      { type: 'input_image' },
    ],
  })
})

test('Responses: encrypted reasoning and item ids are returned unchanged at the same place', () => {
  const output = [
    {
      type: 'reasoning',
      id: 'r',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
      encrypted_content: 'x',
    },
    {
      type: 'function_call',
      id: 'fc',
      call_id: 'a',
      name: 'look',
      arguments: '{"at":1}',
      status: 'completed',
    },
    {
      type: 'message',
      id: 'm',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Yes.', annotations: [] }],
    },
  ]
  const message = readOpenAiResponse({ output })
  expect(message).toMatchObject({
    reasoning: 'Hm.',
    content: [{ text: 'Yes.' }],
    calls: [{ id: 'a', arguments: { at: 1 } }],
  })
  expect(toOpenAiResponsesRequest(createRequest(message)).input.slice(0, 3)).toEqual(output)
})

test('Chat: tool messages follow the message with the call and contain text; media are in a message of the user', () => {
  const { messages } = toOpenAiChatRequest(CONVERSATIONS['parallel']!)
  const roles = messages.map(({ role }) => role)
  const calls = roles.filter((role) => role === 'tool').length
  expect(roles).toEqual([
    'system',
    'user',
    'assistant',
    ...Array<string>(calls).fill('tool'),
    'user',
    'user',
  ])
  for (const message of messages)
    expect(message.role === 'tool' ? typeof message.content : 'string').toBe('string')
})

test('Chat: a message without text has no content, and a request without tools has no list of tools', () => {
  const calls = [{ id: 'a', name: 'look', arguments: {} }]
  const request = toOpenAiChatRequest(createRequest({ role: 'assistant', content: [], calls }))
  expect(request.messages[0]).toMatchObject({ content: null, tool_calls: [{ id: 'a' }] })
  expect(request).not.toHaveProperty('tools')
})

test('Chat: reasoning and call data of compatible servers are returned unchanged', () => {
  const answer = {
    role: 'assistant',
    content: null,
    reasoning_content: 'Hm.',
    tool_calls: [
      {
        id: 'a',
        type: 'function',
        function: { name: 'look', arguments: '{}' },
        extra_content: { google: { thought_signature: 't' } },
      },
    ],
  }
  const message = readOpenAiChatMessage(answer)
  expect(message).toMatchObject({ reasoning: 'Hm.', calls: [{ id: 'a', name: 'look' }] })
  expect(toOpenAiChatRequest(createRequest(message)).messages[0]).toEqual(answer)
})

test('a description of more than 1024 characters is cut, and the change is reported', () => {
  const tool = { name: 'look', description: 'x'.repeat(2000), inputSchema: { type: 'object' } }
  const { tools, changes } = toOpenAiResponsesRequest({ messages: [], tools: [tool] })
  expect(tools[0]?.description).toHaveLength(1024)
  expect(changes).toMatchObject([{ path: '/tools/0/description', code: 'description-cut' }])
})
