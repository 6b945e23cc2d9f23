import { expect, test } from 'vitest'
import type { ModelRequest } from './model/model-request.ts'
import { EVERY_KIND, PNG } from './testing/every-kind.suite.ts'
import { aiSdkProfile, readParts, toPrompt } from './ai-sdk.ts'

function asked(name: string, tool = 'look'): ModelRequest {
  const call = { id: 'c1', name: tool, arguments: { 'file.name': 'a' } }
  const properties = { 'file.name': { type: 'string' } }
  return {
    messages: [
      { role: 'assistant', content: [], calls: [call] },
      { role: 'tool', results: [{ call, ...EVERY_KIND[name]! }] },
    ],
    tools: [{ name: tool, inputSchema: { type: 'object', properties } }],
  }
}

const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PNG } }

test('an image stands in the result where the provider behind the AI SDK takes it', () => {
  const profile = aiSdkProfile({ provider: 'anthropic.messages', modelId: 'claude' })
  const { prompt } = toPrompt(asked('image'), { profile })
  expect(prompt.slice(1)).toMatchObject([
    {
      role: 'tool',
      content: [
        {
          output: {
            type: 'content',
            value: [{ type: 'text', text: 'A pixel:\n\n[image: image/png, 70 bytes]' }, file],
          },
        },
      ],
    },
  ])
})

test('a failed result with an image is an error, and its image stands behind all results', () => {
  const profile = aiSdkProfile({ provider: 'google.generative-ai', modelId: 'gemini-3-pro' })
  const { prompt } = toPrompt(asked('error with image'), { profile })
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
])('%s with %s has the profile %s', ([provider = '', modelId = '', name]) => {
  expect(aiSdkProfile({ provider, modelId }).name).toBe(name)
})

test('names that a provider refuses are changed, and read back from what the model answers', () => {
  const { prompt, tools, names, changes } = toPrompt(asked('text', 'fs/look.at'))
  expect(tools[0]).toMatchObject({
    name: 'fs_look_at',
    inputSchema: { properties: { file_name: { type: 'string' } } },
  })
  expect(prompt).toMatchObject([
    { content: [{ toolName: 'fs_look_at', input: { file_name: 'a' } }] },
    { content: [{ toolName: 'fs_look_at' }] },
  ])
  expect(changes.map(({ code }) => code)).toEqual(['name-changed', 'parameter-renamed'])
  const said = {
    type: 'tool-call',
    toolCallId: 'c2',
    toolName: 'fs_look_at',
    input: '{"file_name":"b"}',
  } as const
  expect(readParts([said], names).calls).toEqual([
    { id: 'c2', name: 'fs/look.at', arguments: { 'file.name': 'b' } },
  ])
})
