import { expect, test } from 'vitest'
import type { JsonSchema } from '@toolblocks/protocol'
import { compileSchema } from './compile-schema.ts'
import type { Checked } from './check-value.ts'

/** The library itself compiles its meta-schemas at first use. */
compileSchema({ type: 'object' })

function timed(schema: JsonSchema, value: unknown): Checked & { milliseconds: number } {
  const start = performance.now()
  const compiled = compileSchema(schema)
  const checked = compiled.ok
    ? compiled.check(value)
    : { verdict: 'invalid' as const, problems: compiled.problems }
  return { ...checked, milliseconds: performance.now() - start }
}

function doublingReferences(levels: number): Record<string, unknown> {
  const steps = Array.from({ length: levels }, (_, level) => {
    const next = { $ref: `#/$defs/d${level + 1}` }
    return [`d${level}`, { anyOf: [next, next] }]
  })
  return {
    $ref: '#/$defs/d0',
    $defs: { ...Object.fromEntries(steps), [`d${levels}`]: { type: 'string' } },
  }
}

/** The best of some tries on schemas that differ: a busy machine makes the others slow, not the code. */
function fastest(
  schemaOf: (title: string) => JsonSchema,
  value: unknown,
): ReturnType<typeof timed> {
  const tries = ['a', 'b', 'c', 'd', 'e'].map((title) => timed(schemaOf(title), value))
  return tries.reduce((best, next) => (next.milliseconds < best.milliseconds ? next : best))
}

test('a catastrophic pattern is answered at once, and correctly', () => {
  const bad = fastest((title) => ({ title, pattern: '^(a+)+$' }), `${'a'.repeat(5000)}!`)
  expect(bad.verdict).toBe('invalid')
  expect(bad.milliseconds).toBeLessThan(50)
  expect(timed({ pattern: '^(a+)+$' }, 'a'.repeat(5000)).verdict).toBe('valid')
})

test('a chain of references that doubles forty times is unchecked at once', () => {
  const { verdict, problems, milliseconds } = fastest(
    (title) => ({ title, ...doublingReferences(40) }),
    1,
  )
  expect(verdict).toBe('unchecked')
  expect(problems[0]?.message).toContain('grows past 10000 subschemas')
  expect(milliseconds).toBeLessThan(50)
})

test('a oneOf of 3,000 branches is unchecked at once', () => {
  const oneOf = Array.from({ length: 3000 }, (_, index) => ({ const: index }))
  const { verdict, milliseconds } = fastest((title) => ({ title, oneOf }), 1)
  expect(verdict).toBe('unchecked')
  expect(milliseconds).toBeLessThan(50)
})

test.for(['anyOf', 'default'])('a million empty schemas under %s are unchecked', (keyword) => {
  const schema = { [keyword]: Array.from({ length: 1_000_000 }, () => ({})) }
  expect(timed(schema, 1)).toMatchObject({
    verdict: 'unchecked',
    problems: [{ code: 'schema-too-large' }],
  })
})

test('a property named __proto__ is unchecked: the compiler passes over it', () => {
  const schema: JsonSchema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}')
  expect(timed(schema, JSON.parse('{"__proto__":3}')).verdict).toBe('unchecked')
})

test.for<[JsonSchema, unknown]>([
  [{ type: 'string' }, { 'a\nb': 1 }],
  [{ pattern: 'a\nb' }, 'x'],
  [{ enum: ['a\nb'] }, 'c\nd'],
])('the problem of %j stays on one line', ([schema, value]) => {
  expect(timed(schema, value).problems[0]?.message).not.toContain('\n')
})

test('comparing 8,000 items pairwise is not started', () => {
  const items = Array.from({ length: 8000 }, (_, index) => ({ index }))
  expect(timed({ uniqueItems: true }, items).verdict).toBe('unchecked')
  expect(timed({ uniqueItems: true }, items.slice(0, 100)).verdict).toBe('valid')
})

test.for([
  ['a reference to itself', { $ref: '#' }],
  [
    'a reference in a circle',
    { $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#/$defs/a' } } } },
  ],
  ['a reference to the network', { $ref: 'https://example.com/schema.json' }],
  ['a reference to a file', { $ref: 'file:///etc/passwd' }],
  ['a reference to nothing', { $ref: '#/$defs/missing' }],
  ['a reference through the prototype', { $ref: '#/constructor' }],
  ['a dynamic reference', { $dynamicRef: '#node' }],
  ['an $id inside', { properties: { a: { $id: 'https://example.com/b' } } }],
  ['a look-ahead', { pattern: '^(?=a)a' }],
  ['a back-reference', { pattern: '(a)\\1' }],
  ['a repetition of repetitions', { pattern: '(a{1,1000}){1,1000}' }],
  ['a pattern as a property name', { patternProperties: { '^(?!a)': {} } }],
  ['a pattern behind an unknown keyword', { $ref: '#/x', x: { pattern: '(a)\\1' } }],
  ['two thousand subschemas', { allOf: Array.from({ length: 50 }, () => deep(40)) }],
] as const)('%s is unchecked, never valid', ([, schema]) => {
  expect(timed(schema, 'a')).toMatchObject({ verdict: 'unchecked' })
})

function deep(width: number): JsonSchema {
  const names = Array.from({ length: width }, (_, index) => [`p${index}`, { type: 'string' }])
  return { properties: Object.fromEntries(names) }
}

test('a schema or value nested a hundred thousand deep is unchecked', () => {
  const nested = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as JsonSchema
  expect(timed({ const: nested }, 1).verdict).toBe('unchecked')
  expect(timed({ type: 'array' }, nested).verdict).toBe('unchecked')
})

test('an own __proto__ key is an unknown property and changes nothing', () => {
  const value: unknown = JSON.parse('{"__proto__": {"a": 1}}')
  expect(timed({ additionalProperties: false }, value).verdict).toBe('invalid')
  expect(timed({ required: ['a'] }, value).verdict).toBe('invalid')
})

test('thousands of different schemas leave nothing behind', () => {
  const collect = globalThis.gc
  const use = (from: number, to: number): void => {
    for (let index = from; index < to; index++) {
      const compiled = compileSchema({ title: `t${index}`, properties: { a: { maximum: index } } })
      expect(compiled.ok && compiled.check({ a: index + 1 }).verdict).toBe('invalid')
    }
  }
  use(0, 400)
  collect?.()
  const before = process.memoryUsage().heapUsed
  use(400, 2400)
  collect?.()
  // 2,000 schemas that stay would take some 18 MB; without a collector to call, garbage counts too.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(collect ? 8e6 : 200e6)
})
