import { join } from 'node:path'
import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { expect, expectTypeOf, test } from 'vitest'
import {
  type AiSdkPrompt,
  aiSdkProfile,
  readAiSdkParts,
  toAiSdkPrompt,
} from './to-ai-sdk-prompt.ts'
import type { ModelRequest } from '@toolblocks/formatter'
import { CONVERSATIONS } from '../../../formatter/src/testing/conversations.support.ts'
import { EVERY_KIND, PNG } from '../../../formatter/src/testing/every-kind.support.ts'
import { toModelText } from '../../../formatter/src/text/model-text.ts'

const call = { id: 'call-1', name: 'read', arguments: { path: 'a' } }

function request(...messages: ModelRequest['messages']): ModelRequest {
  return { messages, tools: [] }
}

test('a prompt has the AI SDK type', () => {
  expectTypeOf<AiSdkPrompt['prompt']>().toExtend<LanguageModelV4Prompt>()
  expectTypeOf<AiSdkPrompt['tools']>().toExtend<LanguageModelV4FunctionTool[]>()
})

test('text, calls and results keep their order, after the instructions', () => {
  const { prompt } = toAiSdkPrompt({
    instructions: 'Be brief.',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Read a.' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }], calls: [call] },
      {
        role: 'tool',
        results: [{ call, result: { content: [{ type: 'text', text: 'A' }], isError: false } }],
      },
    ],
    tools: [],
  })
  expect(prompt).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Read a.' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Yes.' },
        { type: 'tool-call', toolCallId: 'call-1', toolName: 'read', input: { path: 'a' } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call-1',
          toolName: 'read',
          output: { type: 'text', value: 'A' },
        },
      ],
    },
  ])
})

test('a failed result is marked as failed, an empty result has text, and a delivered text is used', () => {
  const outputs = [
    { content: [{ type: 'text', text: 'no' }], isError: true } as const,
    { content: [], isError: false },
    { content: [{ type: 'text', text: 'whole' }], isError: false } as const,
  ].map((result, index) => {
    const text = index === 2 ? { text: toModelText('as before') } : {}
    const { prompt } = toAiSdkPrompt(
      request(
        { role: 'assistant', content: [], calls: [call] },
        { role: 'tool', results: [{ call, result, ...text }] },
      ),
    )
    const [, message] = prompt
    return message?.role === 'tool' ? message.content[0]?.output : undefined
  })
  expect(outputs).toEqual([
    { type: 'error-text', value: expect.stringContaining('no') },
    { type: 'text', value: expect.stringMatching(/\S/) },
    { type: 'text', value: 'as before' },
  ])
})

test('provider data of reasoning and calls is returned unchanged', () => {
  const signed = { anthropic: { signature: 's' } }
  const message = readAiSdkParts([
    { type: 'reasoning', text: 'Hm.', providerMetadata: signed },
    { type: 'text', text: 'Yes.' },
    {
      type: 'tool-call',
      toolCallId: 'c',
      toolName: 'read',
      input: '{"path":"a"}',
      providerMetadata: { google: { thoughtSignature: 't' } },
    },
  ])
  expect(message).toMatchObject({ reasoning: 'Hm.', content: [{ text: 'Yes.' }] })
  const [assistantMessage] = toAiSdkPrompt(request(message)).prompt
  expect(assistantMessage?.content).toEqual([
    { type: 'reasoning', text: 'Hm.', providerOptions: signed },
    { type: 'text', text: 'Yes.' },
    {
      type: 'tool-call',
      toolCallId: 'c',
      toolName: 'read',
      input: { path: 'a' },
      providerOptions: { google: { thoughtSignature: 't' } },
    },
  ])
})

test('reasoning between calls keeps its place; reasoning without text is kept only if it is signed', () => {
  const google = (thoughtSignature: string) => ({ google: { thoughtSignature } })
  const makeCall = (id: string) =>
    ({ type: 'tool-call', toolCallId: id, toolName: 'read', input: '{}' }) as const
  const message = readAiSdkParts([
    { type: 'reasoning', text: 'First.', providerMetadata: google('a') },
    makeCall('c1'),
    { type: 'reasoning', text: 'Then.', providerMetadata: google('b') },
    makeCall('c2'),
    { type: 'text', text: '' },
    { type: 'text', text: '', providerMetadata: google('c') },
  ])
  const [{ content } = { content: [] }] = toAiSdkPrompt(request(message)).prompt
  expect(content).toMatchObject([
    { type: 'reasoning', text: 'First.' },
    { type: 'tool-call', toolCallId: 'c1' },
    { type: 'reasoning', text: 'Then.' },
    { type: 'tool-call', toolCallId: 'c2' },
    { type: 'text', text: '', providerOptions: google('c') },
  ])
})

test('text after a call keeps its place; calls after plain text need no kept parts', () => {
  const callPart = { type: 'tool-call', toolCallId: 'c', toolName: 'read', input: '{}' } as const
  const late = readAiSdkParts([callPart, { type: 'text', text: 'Now.' }])
  const [{ content } = { content: [] }] = toAiSdkPrompt(request(late)).prompt
  expect(content).toMatchObject([{ type: 'tool-call' }, { type: 'text', text: 'Now.' }])
  expect(readAiSdkParts([{ type: 'text', text: 'Now.' }, callPart])).not.toHaveProperty('_meta')
})

test('arguments that are not an object are passed unchanged, so that the call is refused with a message', () => {
  const input = '{"path":'
  const { calls } = readAiSdkParts([
    { type: 'tool-call', toolCallId: 'c', toolName: 'read', input },
  ])
  expect(calls[0]?.arguments).toBe(input)
})

function asked(name: string, tool = 'look'): ModelRequest {
  const asking = { id: 'c1', name: tool, arguments: { 'file.name': 'a' } }
  const properties = { 'file.name': { type: 'string' } }
  return {
    messages: [
      { role: 'assistant', content: [], calls: [asking] },
      { role: 'tool', results: [{ call: asking, ...EVERY_KIND[name]! }] },
    ],
    tools: [{ name: tool, inputSchema: { type: 'object', properties } }],
  }
}

const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PNG } }

test('an image is in the result if the provider behind the AI SDK accepts it', () => {
  const profile = aiSdkProfile({ provider: 'anthropic.messages', modelId: 'claude' })
  const { prompt } = toAiSdkPrompt(asked('image'), { profile })
  expect(prompt.slice(1)).toMatchObject([
    {
      role: 'tool',
      content: [
        {
          output: {
            type: 'content',
            value: [
              { type: 'text', text: 'A pixel:\n\n[block 2, image: image/png, 70 bytes]' },
              file,
            ],
          },
        },
      ],
    },
  ])
})

test('a failed result with an image is an error, and its image follows all results', () => {
  const profile = aiSdkProfile({ provider: 'google.generative-ai', modelId: 'gemini-3-pro' })
  const { prompt } = toAiSdkPrompt(asked('error with image'), { profile })
  expect(prompt.slice(1)).toMatchObject([
    { role: 'tool', content: [{ output: { type: 'error-text' } }] },
    { role: 'user', content: [{ type: 'text' }, file] },
  ])
})

test.for([
  ['anthropic.messages', 'claude', 'anthropic'],
  ['openai.responses', 'gpt-5', 'openai-responses'],
  ['openai.chat', 'gpt-5', 'openai-chat'],
  ['google.generative-ai', 'gemini-2.5-flash', 'google-2'],
  ['google.generative-ai', 'models/gemini-3.1-pro', 'google'],
  ['compatible.chat', 'llama', 'openai-compatible'],
  ['gateway', 'anthropic/claude-sonnet-4.5', 'anthropic'],
  ['gateway', 'openai/gpt-5', 'openai-chat'],
  ['gateway', 'google/gemini-3-pro', 'google'],
  ['gateway', 'meta/llama', 'openai-compatible'],
])('%s with %s has the profile %s', ([provider = '', modelId = '', name]) => {
  expect(aiSdkProfile({ provider, modelId }).name).toBe(name)
})

test('names that a provider refuses are changed, and restored in the model response', () => {
  const { prompt, tools, names, changes } = toAiSdkPrompt(asked('text', 'fs/look.at'))
  expect(tools[0]).toMatchObject({
    name: 'fs_look_at',
    inputSchema: { properties: { file_name: { type: 'string' } } },
  })
  expect(prompt).toMatchObject([
    { content: [{ toolName: 'fs_look_at', input: { file_name: 'a' } }] },
    { content: [{ toolName: 'fs_look_at' }] },
  ])
  expect(changes.map(({ code }) => code)).toEqual(['name-changed', 'parameter-renamed'])
  const callPart = {
    type: 'tool-call',
    toolCallId: 'c2',
    toolName: 'fs_look_at',
    input: '{"file_name":"b"}',
  } as const
  expect(readAiSdkParts([callPart], names).calls).toEqual([
    { id: 'c2', name: 'fs/look.at', arguments: { 'file.name': 'b' } },
  ])
})

test('a model of Anthropic receives every kind of result unchanged, byte for byte', async () => {
  const profile = aiSdkProfile({ provider: 'anthropic.messages', modelId: 'claude' })
  const written = Object.entries(CONVERSATIONS).map(([title, modelRequest]) => {
    const { names: _, changes: __, ...data } = toAiSdkPrompt(modelRequest, { profile })
    return `${title}\n${JSON.stringify(data, undefined, 2)}\n`
  })
  await expect(written.join('\n')).toMatchFileSnapshot(
    join(import.meta.dirname, '../../golden/anthropic.txt'),
  )
})

test('a required tool call is requested; by default there is no tool choice', () => {
  const question = request({ role: 'user', content: [{ type: 'text', text: 'Go on?' }] })
  expect(toAiSdkPrompt({ ...question, toolChoice: 'required' }).toolChoice).toEqual({
    type: 'required',
  })
  expect(toAiSdkPrompt(question)).not.toHaveProperty('toolChoice')
})
