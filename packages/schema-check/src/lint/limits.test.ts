import { expect, test } from 'vitest'
import type { JsonSchema } from '@toolblocks/protocol'
import { compileSchema } from '../compile-schema.ts'
import type { SchemaLimits } from './limits.ts'

const deep = { items: { items: {} } }
const four = { anyOf: [true, true, true] }

test.for<[keyof SchemaLimits, number, JsonSchema]>([
  ['depth', 2, deep],
  ['characters', 14, { title: 'ninechars' }],
  ['values', 4, { enum: [1, 2] }],
  ['subschemas', 3, deep],
  ['compiledSubschemas', 5, { $ref: '#/$defs/a', $defs: { a: { anyOf: [true, true, true] } } }],
  ['expandedSubschemas', 4, four],
  ['linked', 2, { pattern: 'a', uniqueItems: true }],
  ['branches', 3, four],
  ['branches', 2, { patternProperties: { a: true, b: true } }],
  ['properties', 2, { properties: { a: true, b: true } }],
  ['enumValues', 2, { enum: [{}, 2] }],
  ['patternLength', 4, { pattern: 'aaaa' }],
  ['work', 9, { items: { maximum: 1 } }],
])('the limit %s of %i is inclusive', ([name, limit, schema]) => {
  const value = name === 'work' ? [1] : {}
  const verdictAt = (most: number): unknown => {
    const compiled = compileSchema(schema, { limits: { [name]: most } })
    return compiled.ok && compiled.check(value).verdict
  }
  expect(verdictAt(limit)).not.toBe('unchecked')
  expect(verdictAt(limit - 1)).toBe('unchecked')
})

test('patterns that are too much together are unchecked', () => {
  const schema = { allOf: [{ pattern: '[a-z]{100}' }, { pattern: '[a-z]{101}' }] }
  const compiled = compileSchema(schema, { limits: { patternSteps: 200 } })
  expect(compiled.ok && compiled.check('a')).toMatchObject({
    verdict: 'unchecked',
    problems: [{ code: 'schema-pattern', path: '' }],
  })
})
