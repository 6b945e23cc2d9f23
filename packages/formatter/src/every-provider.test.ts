import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  readAnthropicResponse as readAnthropic,
  toAnthropicRequest as toAnthropic,
} from './anthropic.ts'
import {
  gemini2Profile,
  readGoogleResponse as readGoogle,
  toGoogleRequest as toGoogle,
} from './google.ts'
import type { ModelResponse, ModelMessage, ModelRequest } from './model/model-request.ts'
import {
  openAiCompatibleProfile,
  readOpenAiChatMessage,
  readOpenAiResponse,
  toOpenAiChatRequest,
  toOpenAiResponsesRequest,
} from './openai.ts'
import { CONVERSATIONS } from './testing/conversations.support.ts'

type Written = Pick<ReturnType<typeof toAnthropic>, 'names' | 'changes'>

/** The request of each provider for a conversation, by the name of its file. */
const providers: readonly [string, (request: ModelRequest) => Written][] = [
  ['anthropic', toAnthropic],
  ['openai-responses', toOpenAiResponsesRequest],
  ['openai-chat', toOpenAiChatRequest],
  [
    'openai-compatible',
    (request) => toOpenAiChatRequest(request, { profile: openAiCompatibleProfile }),
  ],
  ['google', toGoogle],
  ['google-2', (request) => toGoogle(request, { profile: gemini2Profile })],
]

test.for(providers)(
  '%s receives every kind of result unchanged, byte for byte',
  async ([name, write]) => {
    const written = Object.entries(CONVERSATIONS).map(([kind, request]) => {
      const { names: _, changes: __, ...data } = write(request)
      return `${kind}\n${JSON.stringify(data, undefined, 2)}\n`
    })
    await expect(written.join('\n')).toMatchFileSnapshot(
      join(import.meta.dirname, `../golden/${name}.txt`),
    )
  },
)

/** A call of a model with provider data, and two calls of the host after it, each with its result. */
function requestWith(spawned: object): ModelRequest {
  const made = (count: number): readonly ModelMessage[] => {
    const id = `${'c'.repeat(60)}.answer-${count}`
    const call = { id, name: 'stage', arguments: { action: 'apply', id: 'a', input: { q: true } } }
    return [
      {
        role: 'assistant',
        content: [],
        calls: [{ ...call, _meta: { 'toolblocks/made-by': 'host' } }],
      },
      result(id, `did ${count}`),
    ]
  }
  const id = 'c'.repeat(60)
  const call = { id, name: 'stage', arguments: { action: 'spawn', id: 'a' }, ...spawned }
  return {
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Stage.' }] },
      { role: 'assistant', content: [], calls: [call] },
      result(id, 'waiting'),
      ...made(1),
      ...made(2),
    ],
    tools: [],
  }
}

function result(id: string, text: string): ModelMessage {
  const content = [{ type: 'text', text }] as const
  return {
    role: 'tool',
    results: [{ call: { id, name: 'stage' }, result: { content, isError: false } }],
  }
}

const apply = { action: 'apply', id: 'a', input: { q: true } }

test('Anthropic receives a call of the host as a message of the model, followed by its result', () => {
  const { messages } = toAnthropic(requestWith({}))
  expect(messages.map(({ role }) => role)).toEqual([
    'user',
    ...[1, 2, 3].flatMap(() => ['assistant', 'user']),
  ])
  for (const index of [3, 5]) {
    const [call] = messages[index]?.content ?? []
    const [answer] = messages[index + 1]?.content ?? []
    expect(call).toEqual({
      type: 'tool_use',
      id: expect.any(String) as string,
      name: 'stage',
      input: apply,
    })
    expect(answer).toMatchObject({ tool_use_id: call?.type === 'tool_use' ? call.id : '' })
  }
})

test('the Chat API and Responses receive each call with an id that they accept, followed by its result', () => {
  const { messages } = toOpenAiChatRequest(requestWith({}))
  const { input } = toOpenAiResponsesRequest(requestWith({}))
  const chat = messages.flatMap((message) => {
    if (message.role === 'tool') return [message.tool_call_id]
    return message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : []
  })
  const responses = input.flatMap((item) => ('call_id' in item ? [item.call_id] : []))
  for (const ids of [chat, responses]) {
    expect(ids).toHaveLength(6)
    expect(ids.filter((_, index) => index % 2 === 0)).toEqual(
      ids.filter((_, index) => index % 2 === 1),
    )
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id.length).toBeLessThanOrEqual(64)
  }
  expect(JSON.stringify([messages, input])).not.toContain('made-by')
})

test('Gemini receives a call of the host with the signature for foreign calls, beside the calls of the model', () => {
  const google = { thoughtSignature: 'of the model' }
  const { contents } = toGoogle(requestWith({ _meta: { google } }))
  const calls = contents.flatMap(({ parts }) => parts.filter((part) => 'functionCall' in part))
  expect(calls.map(({ thoughtSignature }) => thoughtSignature)).toEqual([
    'of the model',
    'skip_thought_signature_validator',
    'skip_thought_signature_validator',
  ])
  expect(calls[1]?.functionCall).toEqual({ name: 'stage', args: apply })
})

const asked: ModelRequest = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Go on?' }] }],
  tools: [{ name: 'answer', inputSchema: { type: 'object' } }],
}

const must: ModelRequest = { ...asked, toolChoice: 'required' }

test('a required tool call is requested in the format of each provider', () => {
  expect(toAnthropic(must)).toMatchObject({ tool_choice: { type: 'any' } })
  expect(toGoogle(must).config).toMatchObject({
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
  })
  expect(toOpenAiChatRequest(must)).toMatchObject({ tool_choice: 'required' })
  expect(toOpenAiResponsesRequest(must)).toMatchObject({ tool_choice: 'required' })
})

test('by default a request does not contain a tool choice', () => {
  for (const write of [toAnthropic, toGoogle, toOpenAiChatRequest, toOpenAiResponsesRequest])
    expect(JSON.stringify(write(asked))).not.toMatch(/tool_?choice|toolConfig/i)
})

const ODD = '{"toString":false}'

// As JSON of a provider, without its types.
const ANSWERS: readonly [provider: string, message: ModelResponse][] = [
  [
    'Anthropic',
    readAnthropic(
      JSON.parse(`{"content":[{"type":"tool_use","id":${ODD},"name":${ODD},"input":{}}]}`),
    ),
  ],
  [
    'Google',
    readGoogle(JSON.parse(`{"parts":[{"functionCall":{"id":${ODD},"name":${ODD},"args":{}}}]}`)),
  ],
  [
    'OpenAI Chat',
    readOpenAiChatMessage(
      JSON.parse(`{"content":null,"tool_calls":[{"id":${ODD},"function":{"name":${ODD}}}]}`),
    ),
  ],
  [
    'OpenAI Responses',
    readOpenAiResponse(
      JSON.parse(
        `{"output":[{"type":"function_call","call_id":${ODD},"name":${ODD},"arguments":${ODD}}]}`,
      ),
    ),
  ],
]

test.for(ANSWERS)('%s: a name that is an object is read as its JSON', ([, { calls }]) => {
  expect(calls.map(({ name }) => name)).toEqual([ODD])
})
