import type { Content, FunctionDeclaration, GenerateContentParameters } from '@google/genai'
import { expect, expectTypeOf, test } from 'vitest'
import type { ModelMessage, ModelRequest } from './model/model-request.ts'
import { gemini2Profile } from './model/profiles.ts'
import { CONVERSATIONS } from './testing/conversations.support.ts'
import {
  type GoogleFunction,
  type GoogleRequest,
  readGoogleResponse,
  toGoogleRequest,
} from './google.ts'

function createRequest(message: ModelMessage): ModelRequest {
  return { messages: [message], tools: [] }
}

test('a request has the type of the Google SDK', () => {
  expectTypeOf<GoogleRequest['contents']>().toExtend<Content[]>()
  expectTypeOf<GoogleFunction>().toExtend<FunctionDeclaration>()
  const { contents, config } = toGoogleRequest(CONVERSATIONS['parallel']!)
  const typed = { model: 'm', contents, config } satisfies GenerateContentParameters
  expect(typed.contents.map(({ role }) => role)).toEqual(['user', 'model', 'user', 'user', 'user'])
  expectTypeOf<Content>().toExtend<Parameters<typeof readGoogleResponse>[0]>()
})

test.for([undefined, gemini2Profile])(
  'a turn has one response for each call, and no other parts: $name',
  (profile) => {
    const { contents } = toGoogleRequest(CONVERSATIONS['parallel']!, profile && { profile })
    const [, asked, answered] = contents
    expect(answered?.parts.length).toBe(asked?.parts.length)
    expect(answered?.parts.every(({ functionResponse }) => functionResponse)).toBe(true)
  },
)

function getParts(name: string, profile?: typeof gemini2Profile): (string | undefined)[][] {
  return toGoogleRequest(CONVERSATIONS[name]!, profile && { profile }).contents.map(({ parts }) =>
    parts.map((part) => (part.functionResponse?.parts ? 'media in it' : Object.keys(part)[0])),
  )
}

test('media are inside a response only for Gemini 3 and later', () => {
  expect(getParts('image')).toEqual([['functionCall'], ['media in it']])
  expect(getParts('image', gemini2Profile)).toEqual([
    ['functionCall'],
    ['functionResponse'],
    ['text', 'inlineData'],
  ])
})

test('media that a response may not accept, such as a recording, follow all responses', () => {
  expect(getParts('audio')).toEqual([
    ['functionCall'],
    ['functionResponse'],
    ['text', 'inlineData'],
  ])
})

test('a response is an object: text under output, or under error if the call failed', () => {
  const getResponse = (name: string) =>
    toGoogleRequest(CONVERSATIONS[name]!).contents[1]?.parts[0]?.functionResponse?.response
  expect(getResponse('text')).toEqual({ output: 'Done.' })
  expect(getResponse('denied')).toEqual({ error: '[The tool call was denied.]\n\nNot now.' })
})

test('signatures are returned with their parts, and ids only if the provider sent them', () => {
  const parts = [
    { text: 'Hm.', thought: true },
    { text: '', thoughtSignature: 's0' },
    { functionCall: { name: 'look', args: { at: 1 } }, thoughtSignature: 's1' },
    { functionCall: { id: 'x', name: 'look', args: {} } },
  ]
  const message = readGoogleResponse({ parts })
  expect(message).toMatchObject({
    reasoning: 'Hm.',
    content: [],
    calls: [{ id: 'call-1' }, { id: 'x' }],
  })
  const [model, user] = toGoogleRequest(createRequest(message)).contents
  expect(model?.parts).toEqual(parts)
  expect(user?.parts.map(({ functionResponse }) => functionResponse?.id)).toEqual([undefined, 'x'])
})

test('a call of another model has the signature for unsigned calls, because a call without one is refused', () => {
  const calls = ['a', 'b'].map((id) => ({ id, name: 'look', arguments: {} }))
  const signatures = (profile?: typeof gemini2Profile) =>
    toGoogleRequest(
      createRequest({ role: 'assistant', content: [], calls }),
      profile && { profile },
    ).contents[0]?.parts.map(({ thoughtSignature }) => thoughtSignature)
  expect(signatures()).toEqual(['skip_thought_signature_validator', undefined])
  expect(signatures(gemini2Profile)).toEqual([undefined, undefined])
})
