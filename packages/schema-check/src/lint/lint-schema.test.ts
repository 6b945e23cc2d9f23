import type { JsonSchema } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { compileSchema } from '../compile-schema.ts'
import type { SchemaLimits } from './limits.ts'

type Row = readonly [schema: unknown, ...problems: string[]]

/** Returns the problems of an unusable schema, one line each: code, path, message, expected and got. */
function getProblems(schema: unknown, limits: Partial<SchemaLimits> = {}): string[] {
  const compiled = compileSchema(schema as JsonSchema, { limits })
  const problems = compiled.ok ? (compiled.unusable ?? []) : compiled.problems
  return problems.map(({ code, path, message, expected, got }) =>
    [code, path, message, expected, got].filter((part) => part !== undefined).join(' | '),
  )
}

const rows: readonly Row[] = [
  [
    null,
    'not-a-schema |  | expected a JSON Schema (an object, true or false), got null | object or boolean | null',
  ],
  [
    [],
    'not-a-schema |  | expected a JSON Schema (an object, true or false), got array | object or boolean | array',
  ],
  [
    7,
    'not-a-schema |  | expected a JSON Schema (an object, true or false), got number | object or boolean | number',
  ],
  [
    { $schema: 7 },
    'schema-dialect | /$schema | the schema uses a dialect that is not supported; expected draft 2020-12 or draft-07, got 7 | draft 2020-12 or draft-07 | 7',
  ],
  [
    { $schema: 'https://json-schema.org/draft/2019-09/schema' },
    'schema-dialect | /$schema | the schema uses a dialect that is not supported; expected draft 2020-12 or draft-07, got "https://json-schema.org/draft/2019-09/schema" | draft 2020-12 or draft-07 | "https://json-schema.org/draft/2019-09/schema"',
  ],
  [
    { $schema: 'https://json-schema.org/draft-07/#schema' },
    'schema-dialect | /$schema | the schema uses a dialect that is not supported; expected draft 2020-12 or draft-07, got "https://json-schema.org/draft-07/#schema" | draft 2020-12 or draft-07 | "https://json-schema.org/draft-07/#schema"',
  ],
  [
    { items: { pattern: '(' } },
    'invalid-pattern | /items/pattern | the pattern is not a regular expression of ECMAScript with the flag "u": Invalid regular expression: /(/u: Unterminated group | a regular expression | "("',
  ],
  [
    { patternProperties: { '(/': true } },
    'invalid-pattern | /patternProperties/(~1 | the pattern is not a regular expression of ECMAScript with the flag "u": Invalid regular expression: /(//u: Unterminated group | a regular expression | "(/"',
  ],
  [
    { allOf: [{ pattern: '(' }, { pattern: '(?=a)' }] },
    'invalid-pattern | /allOf/0/pattern | the pattern is not a regular expression of ECMAScript with the flag "u": Invalid regular expression: /(/u: Unterminated group | a regular expression | "("',
  ],
  [
    { pattern: '(?=a)' },
    'schema-pattern | /pattern | the pattern cannot be checked in linear time: it has look-around',
  ],
  [
    { items: { $ref: 'a.json' } },
    'schema-reference | /items/$ref | the schema refers to "a.json"; only "#" and "#/..." in the same schema are followed',
  ],
  [
    { $ref: '#/nowhere' },
    'schema-reference | /$ref | the schema refers to "#/nowhere", which it does not contain',
  ],
  [
    { $ref: 7 },
    'schema-reference | /$ref | the schema refers to 7; only "#" and "#/..." in the same schema are followed',
  ],
  [
    { items: { $ref: '#/x' }, x: 7 },
    'schema-reference | /items/$ref | the schema refers to "#/x", which it does not contain',
  ],
  [
    { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } } },
    'schema-reference | /$defs/a | the schema refers to itself',
  ],
  [
    { items: { $id: 'a' } },
    'schema-reference | /items/$id | the schema uses $id, which is not followed; only "$ref" to "#/..." is followed',
  ],
  [
    { $dynamicRef: '#a', $dynamicAnchor: 'a', $recursiveRef: '#', $recursiveAnchor: true },
    'schema-reference | /$dynamicAnchor | the schema uses $dynamicAnchor, which is not followed; only "$ref" to "#/..." is followed',
    'schema-reference | /$dynamicRef | the schema uses $dynamicRef, which is not followed; only "$ref" to "#/..." is followed',
    'schema-reference | /$recursiveAnchor | the schema uses $recursiveAnchor, which is not followed; only "$ref" to "#/..." is followed',
    'schema-reference | /$recursiveRef | the schema uses $recursiveRef, which is not followed; only "$ref" to "#/..." is followed',
  ],
  [
    { items: JSON.parse('{"properties":{"__proto__":{}}}') },
    'schema-name | /items/properties/__proto__ | the schema names the property __proto__, which is not checked',
  ],
  [
    { properties: { a: { type: 'strng' } } },
    'enum | /properties/a/type | expected "array", "boolean", "integer", "null", "number", "object" or "string", got string "strng" | "array", "boolean", "integer", "null", "number", "object" or "string" | string "strng"',
  ],
]

test.for(rows)('%j is not used, with a reason', ([schema, ...problems]) => {
  expect(getProblems(schema)).toEqual(problems)
})

const references = Object.fromEntries(
  Array.from({ length: 130 }, (_, index) => [`a${index}`, { $ref: `#/$defs/a${index + 1}` }]),
)

const two = [true, true]

const limited: readonly (readonly [Partial<SchemaLimits>, unknown, ...string[]])[] = [
  [
    { patternLength: 2 },
    { pattern: 'aaa' },
    'schema-pattern | /pattern | the pattern cannot be checked in linear time: it is longer than 2 characters',
  ],
  [
    { patternSteps: 2 },
    { pattern: 'aaa' },
    'schema-pattern |  | the patterns of the schema are larger than 2 steps together',
  ],
  [
    { patternSteps: 2 },
    { allOf: [{ pattern: 'aaa' }, { pattern: 'b' }] },
    'schema-pattern |  | the patterns of the schema are larger than 2 steps together',
  ],
  [
    { depth: 1 },
    { items: { items: {} } },
    'schema-too-deep |  | the schema nests deeper than 1 levels',
  ],
  [{ values: 2 }, { enum: [1, 2] }, 'schema-too-large |  | the schema has more than 2 values'],
  [
    { characters: 2 },
    { title: 'abc' },
    'schema-too-large |  | the schema is larger than 2 characters',
  ],
  [
    { subschemas: 2 },
    { allOf: two },
    'schema-too-large |  | the schema has more than 2 subschemas',
  ],
  [
    { compiledSubschemas: 3 },
    { $ref: '#/$defs/a', $defs: { a: { allOf: two } } },
    'schema-too-large |  | the schema has more than 3 subschemas once those under each "$ref" are added',
  ],
  [
    { expandedSubschemas: 2 },
    { allOf: two },
    'schema-reference |  | the schema grows to more than 2 subschemas through "$ref"',
  ],
  [
    { linked: 1 },
    { $ref: '#/$defs/a', $defs: { a: true }, enum: [{}], uniqueItems: true },
    'schema-too-large |  | the schema has 3 references, patterns and lists of values; the maximum is 1',
  ],
  [
    { branches: 1 },
    { items: { anyOf: two, oneOf: two, allOf: two } },
    'schema-too-large | /items/anyOf | the schema has 2 entries in anyOf; the maximum is 1',
    'schema-too-large | /items/oneOf | the schema has 2 entries in oneOf; the maximum is 1',
    'schema-too-large | /items/allOf | the schema has 2 entries in allOf; the maximum is 1',
  ],
  [
    { branches: 0 },
    { patternProperties: { a: true } },
    'schema-too-large | /patternProperties | the schema has 1 entries in patternProperties; the maximum is 0',
  ],
  [
    { properties: 1 },
    { properties: { a: true, b: true } },
    'schema-too-large | /properties | the schema has 2 entries in properties; the maximum is 1',
  ],
  [
    { enumValues: 1 },
    { enum: ['a', 'b'] },
    'schema-too-large | /enum | the schema has 2 entries in enum; the maximum is 1',
  ],
  [
    {},
    { $defs: { ...references, a130: true }, $ref: '#/$defs/a0' },
    'schema-reference | /$defs/a128 | the schema chains more than 128 references',
  ],
]

test.for(limited)(
  'with limits of %j, %j is not used, with a reason',
  ([limits, schema, ...problems]) => {
    expect(getProblems(schema, limits)).toEqual(problems)
  },
)

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

test('patterns that are too large together give unchecked', () => {
  const schema = { allOf: [{ pattern: '[a-z]{100}' }, { pattern: '[a-z]{101}' }] }
  const compiled = compileSchema(schema, { limits: { patternSteps: 200 } })
  expect(compiled.ok && compiled.check('a')).toMatchObject({
    verdict: 'unchecked',
    problems: [{ code: 'schema-pattern', path: '' }],
  })
})
