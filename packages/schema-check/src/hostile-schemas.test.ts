import type { JsonSchema } from '@toolblocks/protocol'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { type CheckedValue, compileSchema } from './compile-schema.ts'

function checked(schema: JsonSchema, value: unknown): CheckedValue {
  const compiled = compileSchema(schema)
  return compiled.ok ? compiled.check(value) : { verdict: 'invalid', problems: compiled.problems }
}

const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))

const named = (count: number, member: unknown): Record<string, unknown> =>
  Object.fromEntries(times(count, (index) => [`p${index}`, member]))

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

test('a value is checked correctly with a catastrophic pattern', () => {
  expect(checked({ pattern: '^(a+)+$' }, `${'a'.repeat(5000)}!`).verdict).toBe('invalid')
  expect(checked({ pattern: '^(a+)+$' }, 'a'.repeat(5000)).verdict).toBe('valid')
})

test('a chain of references that doubles forty times is refused before anything is compiled', () => {
  const { verdict, problems } = checked(doublingReferences(40), 1)
  expect(verdict).toBe('unchecked')
  expect(problems[0]?.message).toContain('grows to more than 10000 subschemas')
})

test('a oneOf of 3,000 branches gives unchecked', () => {
  expect(checked({ oneOf: times(3000, (index) => ({ const: index })) }, 1).verdict).toBe(
    'unchecked',
  )
})

test.for<[string, JsonSchema, () => unknown]>([
  [
    'required of 10,000 names for 20,000 items',
    { items: { required: times(10_000, (index) => `p${index}`) } },
    () => times(20_000, () => ({})),
  ],
  [
    'a counted class on five million characters',
    { pattern: '[a-z]{1,500}[!?]' },
    () => 'x'.repeat(5_000_000),
  ],
  ['the format url on a million characters', { format: 'url' }, () => `http://${':'.repeat(1e6)}`],
  [
    'a reference twice for every level of the value',
    { anyOf: [{ items: { $ref: '#' } }, { items: { $ref: '#' } }] },
    () => times(100, () => 0).reduce<unknown>((value) => [value], 1),
  ],
  [
    'items compared on every level',
    { uniqueItems: true, items: { $ref: '#' } },
    () =>
      times(100, () => 0).reduce<unknown>(
        (value) => [value, ...times(1000, (index) => ({ index }))],
        1,
      ),
  ],
  [
    'as many patterns as names',
    {
      patternProperties: Object.fromEntries(times(400, (index) => [`^p${index}$`, true])),
    },
    () => named(5000, 1),
  ],
])('%s would take too long and gives unchecked', ([, schema, makeValue]) => {
  expect(checked(schema, makeValue())).toMatchObject({
    verdict: 'unchecked',
    problems: [{ code: 'value-too-large' }],
  })
})

test('an enum of 1,000 values is checked for 900,000 values: its length does not matter', () => {
  const items = { enum: times(1000, (index) => `v${index}`) }
  const values = times(900_000, (index) => `v${index % 1000}`)
  expect(checked({ items }, values).verdict).toBe('valid')
  values[899_999] = 'v1000'
  expect(checked({ items }, values).verdict).toBe('invalid')
})

test('a counted anchored class refuses a long text without reading it', () => {
  expect(checked({ pattern: '^[a-z]{1,64}$' }, 'x'.repeat(5_000_000)).verdict).toBe('invalid')
})

test('a value of several megabytes is checked with an ordinary schema', () => {
  const schema = {
    items: {
      properties: {
        id: { type: 'integer' },
        day: { format: 'date' },
        name: { pattern: '^[a-z]+ \\d+$', maxLength: 40 },
        tags: { items: { enum: ['a', 'b', 'c'] }, uniqueItems: true },
      },
      required: ['id', 'name'],
      additionalProperties: false,
    },
  }
  const rows: unknown[] = times(30_000, (id) => {
    return { id, day: '2026-11-21', name: `row ${id}`, tags: ['a', 'b'] }
  })
  expect(checked(schema, rows).verdict).toBe('valid')
  expect(checked(schema, [...rows, { id: 1, name: 'Row' }])).toMatchObject({
    verdict: 'invalid',
    problems: [{ path: '/30000/name' }],
  })
})

test('of a value too large to list all problems, the first problem is reported', () => {
  const many = checked(
    { items: { type: 'string' } },
    times(100_000, () => 1),
  )
  expect(many).toMatchObject({ verdict: 'invalid', problems: [{ path: '/0' }] })
  expect(many.problems).toHaveLength(1)
})

test('a large object with many problems is described once', () => {
  let looks = 0
  const value = new Proxy(named(50, 1), {
    ownKeys: (target) => {
      looks += 1
      return Reflect.ownKeys(target)
    },
  })
  const allOf = times(400, (index) => ({ type: 'string', title: `t${index}` }))
  expect(checked({ allOf }, value).problems).toHaveLength(1)
  expect(looks).toBeLessThan(10)
})

test.for(['anyOf', 'default'])('a million empty schemas under %s give unchecked', (keyword) => {
  const schema = { [keyword]: Array.from({ length: 1_000_000 }, () => ({})) }
  expect(checked(schema, 1)).toMatchObject({
    verdict: 'unchecked',
    problems: [{ code: 'schema-too-large' }],
  })
})

test('a property named __proto__ gives unchecked, because the compiler skips it', () => {
  const schema: JsonSchema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}')
  expect(checked(schema, JSON.parse('{"__proto__":3}')).verdict).toBe('unchecked')
})

test.for<[JsonSchema, unknown]>([
  [{ type: 'string' }, { 'a\nb': 1 }],
  [{ pattern: 'a\nb' }, 'x'],
  [{ enum: ['a\nb'] }, 'c\nd'],
])('the problem of %j stays on one line', ([schema, value]) => {
  expect(checked(schema, value).problems[0]?.message).not.toContain('\n')
})

test('8,000 items are compared, in time that grows with their number', () => {
  const items = times(8000, (index) => ({ index }))
  expect(checked({ uniqueItems: true }, items).verdict).toBe('valid')
  expect(checked({ uniqueItems: true }, [...items, { index: 0 }]).problems).toMatchObject([
    { message: 'expected unique items, got items 0 and 8000 alike' },
  ])
})

test.for([
  ['a reference to itself', { $ref: '#' }],
  [
    'a reference in a circle',
    { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } } },
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
  ['five thousand subschemas', { allOf: times(50, () => ({ properties: named(100, true) })) }],
] as const)('%s gives unchecked, never valid', ([, schema]) => {
  expect(checked(schema, 'a')).toMatchObject({ verdict: 'unchecked' })
})

test('a schema or value with a hundred thousand levels gives unchecked', () => {
  const nested = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as JsonSchema
  expect(checked({ const: nested }, 1).verdict).toBe('unchecked')
  expect(checked({ type: 'array' }, nested).verdict).toBe('unchecked')
})

test('an own key __proto__ is an unknown property and has no effect', () => {
  const value: unknown = JSON.parse('{"__proto__": {"a": 1}}')
  expect(checked({ additionalProperties: false }, value).verdict).toBe('invalid')
  expect(checked({ required: ['a'] }, value).verdict).toBe('invalid')
})

test('thousands of different schemas leave no memory in use', () => {
  const collect = garbageCollector()
  const use = (from: number, to: number): void => {
    for (let index = from; index < to; index++) {
      const compiled = compileSchema({ title: `t${index}`, properties: { a: { maximum: index } } })
      expect(compiled.ok && compiled.check({ a: index + 1 }).verdict).toBe('invalid')
    }
  }
  use(0, 400)
  collect()
  const before = process.memoryUsage().heapUsed
  use(400, 2400)
  collect()
  // 2,000 schemas that stay would take some 18 MB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(8e6)
})

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

test.for([
  [{ type: 'string' }, undefined],
  [{ pattern: '^(?=(a+)+$)' }, ['schema-pattern']],
  [{ $ref: 'https://example.com/schema' }, ['schema-reference']],
  [{ $schema: 'https://json-schema.org/draft/2019-09/schema' }, ['schema-dialect']],
] as const)(
  'the problems that make %j unusable are known before a value is checked: %j',
  ([schema, codes]) => {
    const compiled = compileSchema(schema)
    const unusable = compiled.ok ? compiled.unusable : []
    expect(unusable?.map(({ code }) => code)).toEqual(codes)
    expect(compiled.ok && compiled.check('a').verdict === 'unchecked').toBe(codes !== undefined)
  },
)
