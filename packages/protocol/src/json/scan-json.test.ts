import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { scanJson } from './scan-json.ts'

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
const values = (count: number): string => `[${'0,'.repeat(count - 2)}0]`

test('64 levels pass, 65 do not', () => {
  expect(scanJson(nested(64)).exceeds).toBeUndefined()
  expect(scanJson(nested(65)).exceeds).toBe('depth')
  expect(scanJson(`[${nested(63)},${nested(63)}]`).exceeds).toBeUndefined()
})

test('1,000,000 values pass, one more does not', () => {
  expect(scanJson(values(1_000_000)).exceeds).toBeUndefined()
  expect(scanJson(values(1_000_001)).exceeds).toBe('nodes')
  expect(scanJson(`[${'{ },'.repeat(999_998)}{\n}]`).exceeds).toBeUndefined()
  expect(scanJson(`{${'"a":0,'.repeat(1_000_000)}"a":0}`).exceeds).toBe('nodes')
})

test('what stands in strings does not count', () => {
  for (const inside of ['[', '\\"[', '\\\\\\"[', ',', '\\u005b']) {
    expect(scanJson(`["${inside.repeat(1_100_000)}"]`).exceeds).toBeUndefined()
  }
  expect(scanJson(`["\\\\",${nested(64)}]`).exceeds).toBe('depth')
})

test('text that is not JSON gets an answer too', () => {
  for (const text of ['', '"', '["', '"\\', ']]]', ',,,', '{{{']) {
    expect(scanJson(text).exceeds).toBeUndefined()
  }
  expect(scanJson('['.repeat(4_000_000)).exceeds).toBe('depth')
})

// A step that looks back over the whole run would take hours.
test('a run of millions of backslashes or quotes gets an answer', () => {
  for (const run of ['\\', '\\"', '"'])
    expect(scanJson(`["${run.repeat(4_000_000)}`).exceeds).toBeUndefined()
})

test('the levels counted are those of the document', () => {
  const depthOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0
    return 1 + Math.max(0, ...Object.values(value).map(depthOf))
  }
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.nat(70), (value, levels) => {
      const text = '['.repeat(levels) + JSON.stringify(value) + ']'.repeat(levels)
      expect(scanJson(text).exceeds).toBe(levels + depthOf(value) > 64 ? 'depth' : undefined)
    }),
  )
})

test('the values counted are those of the document', () => {
  const count = (value: unknown): number =>
    typeof value !== 'object' || value === null
      ? 1
      : Object.values(value).reduce((sum: number, inner) => sum + count(inner), 1)
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      expect(scanJson(JSON.stringify(value, null, 1)).nodes).toBe(count(value))
    }),
  )
})

test('fewer values may be allowed', () => {
  expect(scanJson('[1,2,3]', 4)).toEqual({ nodes: 4 })
  expect(scanJson('[1,2,3]', 3)).toEqual({ nodes: 4, exceeds: 'nodes' })
})
