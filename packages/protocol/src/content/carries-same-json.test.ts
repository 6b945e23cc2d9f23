import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { carriesSameJson } from './carries-same-json.ts'

const value = { temperature: 33, conditions: ['Cloudy'] }

test('a text block is the same JSON whatever its spacing and order of keys', () => {
  const text = '{ "conditions": ["Cloudy"], "temperature": 33 }'
  expect(carriesSameJson({ type: 'text', text }, value)).toBe(true)
})

test.for(['{"temperature":34,"conditions":["Cloudy"]}', 'Cloudy', ''])('%j is not', (text) => {
  expect(carriesSameJson({ type: 'text', text }, value)).toBe(false)
})

test('only text blocks count', () => {
  const text = JSON.stringify(value)
  expect(carriesSameJson({ type: 'resource', resource: { uri: 'a:b', text } }, value)).toBe(false)
})

test('a nesting without end is not the same, and no error', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  expect(carriesSameJson({ type: 'text', text: deep }, JSON.parse(deep))).toBe(false)
})

test('values are the same exactly when Node.js says so', () => {
  const json = fc.json({ maxDepth: 3 })
  fc.assert(
    fc.property(json, json, fc.boolean(), (text, other, same) => {
      const compared: unknown = JSON.parse(same ? text : other)
      const expected = isDeepStrictEqual(JSON.parse(text), compared)
      expect(carriesSameJson({ type: 'text', text }, compared)).toBe(expected)
    }),
  )
})
