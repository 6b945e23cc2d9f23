import { expect, test } from 'vitest'
import type { ModelAnswer } from '../model/model-request.ts'
import { keepParts, keptParts } from './kept-parts.ts'

function message(...ids: string[]): ModelAnswer {
  const parts = [
    { kind: 'call', index: 0 },
    { kind: 'own', part: { type: 'thinking' } },
    { kind: 'call', index: 1 },
    { kind: 'call', index: 1 },
  ] as const
  const calls = ids.map((id) => ({ id, name: 'look', arguments: {} }))
  return { role: 'assistant', content: [], calls, _meta: keepParts('some', parts) }
}

const thought = { kind: 'own', part: { type: 'thinking' } }
const call = (index: number) => ({ kind: 'call', index })

test('parts come back in their order, each call once', () => {
  expect(keptParts(message('a', 'b'), 'some')).toEqual([call(0), thought, call(1)])
})

test('a call that is gone is left out, and one that was not kept stands behind', () => {
  expect(keptParts(message('a'), 'some')).toEqual([call(0), thought])
  expect(keptParts(message('a', 'b', 'c'), 'some')).toEqual([call(0), thought, call(1), call(2)])
})

test('what another provider wanted back is not given', () => {
  expect(keptParts(message('a'), 'other')).toBeUndefined()
})
