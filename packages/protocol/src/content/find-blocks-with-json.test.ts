import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findBlocksWithJson } from './find-blocks-with-json.ts'
import type { ContentBlock } from './content-block.ts'

const value = { temperature: 33, conditions: ['Cloudy'] }
const block = (text: string): ContentBlock => ({ type: 'text', text })
const isSame = (text: string, other: unknown): boolean =>
  findBlocksWithJson([block(text)], other).size === 1

test('a text block with the same JSON is found with any spacing and key order', () => {
  const same = block('\n{ "conditions": ["Cloudy"], "temperature": 33 }')
  expect([...findBlocksWithJson([block('Cloudy.'), same], value)]).toEqual([same])
})

test.for<[string, unknown]>([
  ['[1, "a"]', [1, 'a']],
  ['[]', []],
  ['{}', {}],
  ['""', ''],
  ['"a b"', 'a b'],
  ['33', 33],
  ['-3.5e1', -35],
  ['true', true],
  ['false', false],
  ['null', null],
])('white space around %s has no effect', ([text, other]) => {
  expect(isSame(text, other)).toBe(true)
  expect(isSame(` \t\r\n${text} \t\r\n`, other)).toBe(true)
  expect(isSame(`x${text}`, other)).toBe(false)
})

test.for([
  '{"temperature":34,"conditions":["Cloudy"]}',
  'Cloudy',
  '',
  '{"temperature":33}',
  '{not',
])('%j is not found', (text) => {
  expect(isSame(text, value)).toBe(false)
})

test('only text blocks count', () => {
  const text = JSON.stringify(value)
  const resource: ContentBlock = { type: 'resource', resource: { uri: 'a:b', text } }
  expect(findBlocksWithJson([resource], value).size).toBe(0)
})

test('nesting without end is not equal, and does not throw', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  expect(isSame(deep, JSON.parse(deep))).toBe(false)
  const cycle: unknown[] = []
  cycle.push(cycle)
  expect(isSame('[[[]]]', cycle)).toBe(false)
})

test('texts are equal exactly if Node.js says that their values are equal', () => {
  const json = fc.oneof(fc.json({ maxDepth: 3 }), fc.constantFrom('1e21', '-0', '"\ud800"'))
  fc.assert(
    fc.property(json, json, fc.boolean(), (text, other, same) => {
      const compared: unknown = JSON.parse(same ? text : other)
      expect(isSame(text, compared)).toBe(isDeepStrictEqual(JSON.parse(text), compared))
    }),
  )
})

function readsOfKeys(texts: readonly string[]): number {
  let reads = 0
  const counted = new Proxy<Record<string, unknown>>(
    { a: 1, b: 'xyz' },
    {
      ownKeys(target) {
        reads += 1
        return Reflect.ownKeys(target)
      },
    },
  )
  findBlocksWithJson(texts.map(block), counted)
  return reads
}

test('the value is read as often for many texts that are too short as for one', () => {
  const long = '{"a":1,"b":"no"}'
  const many = Array.from({ length: 1000 }, () => '{}')
  expect(readsOfKeys([...many, long])).toBe(readsOfKeys(['{}', long]))
})
