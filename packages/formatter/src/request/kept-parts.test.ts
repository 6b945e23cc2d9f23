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

const said = (given: ModelResponse, provider: string) =>
  toAssistantParts<unknown>(given, provider, {
    calls: given.calls.map(({ id }) => id),
    own: (part) => [part['type']],
    words: () => ['words'],
  })

test('parts are returned in their order, each call once', () => {
  expect(said(message('a', 'b'), 'some')).toEqual(['a', 'thinking', 'b'])
})

test('a missing call is omitted, and a call without a kept part is last', () => {
  expect(said(message('a'), 'some')).toEqual(['a', 'thinking'])
  expect(said(message('a', 'b', 'c'), 'some')).toEqual(['a', 'thinking', 'b', 'c'])
})

test('for another provider, text comes first and then the calls', () => {
  expect(said(message('a'), 'other')).toEqual(['words', 'a'])
})
