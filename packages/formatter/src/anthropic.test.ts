import type Anthropic from '@anthropic-ai/sdk'
import { expect, expectTypeOf, test } from 'vitest'
import type { ModelMessage, ModelRequest } from './model/model-request.ts'
import { CONVERSATIONS } from './testing/conversations.support.ts'
import { IMAGE, getPng } from './testing/every-kind.support.ts'
import { type AnthropicRequest, readAnthropicResponse, toAnthropicRequest } from './anthropic.ts'

const looked = { id: 'a', name: 'look', arguments: {} }

function createRequest(message: ModelMessage): ModelRequest {
  return { messages: [message], tools: [] }
}

test('a request has the type of the Anthropic SDK', () => {
  expectTypeOf<AnthropicRequest['messages']>().toExtend<Anthropic.MessageParam[]>()
  expectTypeOf<AnthropicRequest['tools']>().toExtend<Anthropic.Tool[]>()
  const { names: _, changes: __, ...request } = toAnthropicRequest(CONVERSATIONS['parallel']!)
  const typed = {
    model: 'm',
    max_tokens: 1,
    ...request,
  } satisfies Anthropic.MessageCreateParamsNonStreaming
  expect(typed.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user'])
  expectTypeOf<Anthropic.Message>().toExtend<Parameters<typeof readAnthropicResponse>[0]>()
})

test('every call is answered in the next message, and the results are first in it', () => {
  const { messages } = toAnthropicRequest(CONVERSATIONS['parallel']!)
  const [, asked, answered] = messages
  const ids = asked?.content.map((block) => block.type === 'tool_use' && block.id)
  const types = answered?.content.map(({ type }) => type) ?? []
  expect(
    answered?.content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : [])),
  ).toEqual(ids)
  expect(types.lastIndexOf('tool_result')).toBe((ids?.length ?? 0) - 1)
})

test('the result of a failed call contains only text, and always some', () => {
  const failed = Object.values(CONVERSATIONS).flatMap((request) =>
    toAnthropicRequest(request).messages.flatMap(({ content }) =>
      content.filter((block) => block.type === 'tool_result' && block.is_error),
    ),
  )
  expect(failed.length).toBeGreaterThan(3)
  for (const result of failed)
    expect(result).toMatchObject({ content: expect.stringMatching(/\S/) })
})

test('no text block is empty', () => {
  const blank: ModelRequest = {
    instructions: ' ',
    messages: [
      { role: 'user', content: [{ type: 'text', text: ' ' }] },
      { role: 'assistant', content: [{ type: 'text', text: '' }], calls: [looked] },
      {
        role: 'tool',
        results: [
          { call: looked, result: { content: [{ type: 'text', text: '\n' }], isError: false } },
        ],
      },
    ],
    tools: [],
  }
  expect(toAnthropicRequest(blank)).toMatchObject({
    messages: [
      { role: 'assistant', content: [{ type: 'tool_use' }] },
      { role: 'user', content: [{ content: '[The tool returned no output.]' }] },
    ],
  })
  expect(toAnthropicRequest(blank)).not.toHaveProperty('system')
})

test('with more than 20 images none may have a side of more than 2000 pixels', () => {
  const wide = { ...IMAGE, data: getPng(3000, 10) } as typeof IMAGE
  const types = (count: number) =>
    toAnthropicRequest(
      createRequest({ role: 'user', content: [wide, ...Array<typeof IMAGE>(count).fill(IMAGE)] }),
    )
      .messages.flatMap(({ content }): readonly { type: string }[] => content)
      .filter(({ type }) => type === 'image').length
  expect([types(19), types(20)]).toEqual([20, 20])
})

test('signed reasoning and provider data of calls are returned unchanged at the same place', () => {
  const content = [
    { type: 'thinking', thinking: 'Hm.', signature: 's1' },
    { type: 'text', text: 'Looking.', citations: null },
    { type: 'tool_use', id: 'a', name: 'look', input: {}, caller: { type: 'direct' } },
    { type: 'redacted_thinking', data: 'x' },
    { type: 'tool_use', id: 'b', name: 'look', input: { at: 1 } },
  ]
  const message = readAnthropicResponse({ content })
  expect(message).toMatchObject({
    reasoning: 'Hm.',
    content: [{ text: 'Looking.' }],
    calls: [{ id: 'a' }, { id: 'b', arguments: { at: 1 } }],
  })
  expect(toAnthropicRequest(createRequest(message)).messages[0]).toEqual({
    role: 'assistant',
    content,
  })
})

test('arguments that were not an object are sent as an object', () => {
  const broken = readAnthropicResponse({
    content: [{ type: 'tool_use', id: 'a', name: 'look', input: '{"at"' } as { type: string }],
  })
  expect(broken.calls[0]?.arguments).toBe('{"at"')
  expect(toAnthropicRequest(createRequest(broken)).messages[0]?.content).toMatchObject([
    { input: { not_an_object: '{"at"' } },
  ])
})

test('provider data of another provider is not sent', () => {
  const message: ModelMessage = {
    role: 'assistant',
    content: [{ type: 'text', text: 'Yes.' }],
    reasoning: 'Hm.',
    calls: [{ ...looked, _meta: { google: { thoughtSignature: 't' } } }],
    _meta: { google: [{ text: 'Yes.' }] },
  }
  expect(toAnthropicRequest(createRequest(message)).messages[0]?.content).toEqual([
    { type: 'text', text: 'Yes.' },
    { type: 'tool_use', id: 'a', name: 'look', input: {} },
  ])
})
