import type { ModelCall } from '@toolblocks/formatter'
import { getText } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { limitCalls } from './limit-calls.ts'

const makeCall = (index: number, more: Partial<ModelCall> = {}): ModelCall => ({
  id: `c${index}`,
  name: 'echo',
  arguments: {},
  ...more,
})

const deep: object = JSON.parse(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`)

test.for<[string, Partial<ModelCall>, string]>([
  [
    'arguments of megabytes',
    { arguments: { a: 'x'.repeat(5e6) } },
    '4,194,304 bytes, and these had',
  ],
  [
    'provider data of megabytes',
    { _meta: { x: 'x'.repeat(5e6) } },
    '4,194,304 bytes, and this call had more',
  ],
  ['a name of megabytes', { name: 'x'.repeat(5e6) }, 'may have 1,024 bytes, and one of these had'],
  [
    'an id of megabytes',
    { id: 'x'.repeat(5e6) },
    'may have 1,024 bytes, and one of these had 5,000,000',
  ],
  [
    'arguments without a ground',
    { arguments: { ...deep } },
    'The arguments cannot be stored: expected JSON, got more than 64 levels',
  ],
])(
  'a call with %s is stored in a short form, with a result that says that it was not run',
  ([, odd, reason]) => {
    const calls = [makeCall(0, odd), makeCall(1)]
    const { message, refused, leftOut } = limitCalls({ role: 'assistant', content: [], calls })
    expect(leftOut).toBe(0)
    expect(JSON.stringify(message).length).toBeLessThan(500)
    expect(message.calls[1]).toBe(calls[1])
    expect([...refused.keys()]).toEqual([0])
    const result = refused.get(0)
    expect(result?.content.map(getText).join('')).toContain(reason)
    expect(result).toMatchObject({ isError: true, id: message.calls[0]?.id })
  },
)

test('a call within the limits does not change', () => {
  const calls = Array.from({ length: 128 }, (_, index) =>
    makeCall(index, { _meta: { openai: {} } }),
  )
  const message = { role: 'assistant', content: [], calls, _meta: { a: [] } } as const
  expect(limitCalls(message)).toEqual({ message, refused: new Map(), leftOut: 0 })
})

test('in a message that the token limit truncated, the last call does not run; in a message that a filter truncated, no call runs', () => {
  const message = { role: 'assistant', content: [], calls: [makeCall(0), makeCall(1)] } as const
  expect([...limitCalls(message, 'tokens').refused.keys()]).toEqual([1])
  expect([...limitCalls(message, 'filter').refused.keys()]).toEqual([0, 1])
})
