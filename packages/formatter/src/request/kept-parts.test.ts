import { expect, test } from 'vitest'
import type { ModelResponse } from '../model/model-request.ts'
import { keepParts, toAssistantParts } from './kept-parts.ts'

function message(...ids: string[]): ModelResponse {
  const parts = [
    { kind: 'call', index: 0 },
    { kind: 'own', part: { type: 'thinking' } },
    { kind: 'call', index: 1 },
    { kind: 'call', index: 1 },
  ] as const
  const calls = ids.map((id) => ({ id, name: 'look', arguments: {} }))
  return { role: 'assistant', content: [], calls, _meta: keepParts('some', parts) }
}

const toParts = (response: ModelResponse, provider: string) =>
  toAssistantParts<unknown>(response, provider, {
    calls: response.calls.map(({ id }) => id),
    own: (part) => [part['type']],
    text: () => ['words'],
  })

test('parts are returned in their order, each call once', () => {
  expect(toParts(message('a', 'b'), 'some')).toEqual(['a', 'thinking', 'b'])
})

test('a missing call is omitted, and a call without a kept part is last', () => {
  expect(toParts(message('a'), 'some')).toEqual(['a', 'thinking'])
  expect(toParts(message('a', 'b', 'c'), 'some')).toEqual(['a', 'thinking', 'b', 'c'])
})

test('for another provider, text comes first and then the calls', () => {
  expect(toParts(message('a'), 'other')).toEqual(['words', 'a'])
})
