import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import type { JsonSchema, JsonValue, Problem } from '@toolblocks/protocol'
import { compileSchema } from './compile-schema.ts'
import { compileWithAjv } from './ajv/compile-with-ajv.ts'

const name = fc.constantFrom('a', 'b', 'c', 'a/b', '~', 'é')
const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, false, 0, 1, -1, 1.5, 3, 1e21, '', '0', '1', 'a', 'ab'),
  fc.constantFrom(
    '2026-11-21',
    'x@example.com',
    'https://example.com/',
    '世',
    '😀',
    'A b',
    '\u00a0',
  ),
)
const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(name, tie('json'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

const count = fc.nat(3)
const names = fc.uniqueArray(name, { maxLength: 3 })
const pattern = fc.constantFrom(
  '^a',
  'b$',
  '^\\w+$',
  '\\s',
  '.',
  '[^a-c]',
  '^(?:a|b)*$',
  '\\p{L}',
  '^.{1,2}$',
)
const format = fc.constantFrom(
  'date',
  'email',
  'uri',
  'ipv4',
  'uuid',
  'regex',
  'of-our-own',
  'int32',
)
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array')

function some(keywords: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JsonSchema> {
  const chosen = fc.uniqueArray(fc.constantFrom(...Object.keys(keywords)), {
    minLength: 1,
    maxLength: 3,
  })
  return chosen.chain((keys) =>
    fc.record(Object.fromEntries(keys.map((key) => [key, keywords[key] ?? fc.constant(true)]))),
  )
}

const leaves = {
  type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
  enum: fc.uniqueArray(json, { minLength: 1, maxLength: 24, comparator: (a, b) => same(a, b) }),
  const: json,
  minimum: fc.integer({ min: -1, max: 2 }),
  exclusiveMaximum: fc.integer({ min: 0, max: 3 }),
  multipleOf: fc.constantFrom(1, 2, 0.5),
  minLength: count,
  maxLength: count,
  pattern,
  format,
  minItems: count,
  maxItems: count,
  uniqueItems: fc.boolean(),
  minProperties: count,
  maxProperties: count,
  required: names,
}

function applicators(schema: fc.Arbitrary<JsonSchema>): Record<string, fc.Arbitrary<unknown>> {
  const list = fc.array(schema, { minLength: 1, maxLength: 3 })
  return {
    properties: fc.dictionary(name, schema, { maxKeys: 3, noNullPrototype: true }),
    patternProperties: fc.dictionary(pattern, schema, { maxKeys: 2, noNullPrototype: true }),
    additionalProperties: schema,
    propertyNames: schema,
    contains: schema,
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: schema,
    if: schema,
    // oxlint-disable-next-line unicorn/no-thenable
    then: schema,
    else: schema,
  }
}

const reference = fc.record({
  $ref: fc.constantFrom(
    '#',
    '#/$defs/one',
    '#/$defs/two',
    '#/$defs/two',
    '#/%24defs/one',
    '#/properties/a',
  ),
})

function makeSchema(
  others: (schema: fc.Arbitrary<JsonSchema>) => Record<string, fc.Arbitrary<unknown>>,
) {
  const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      some(leaves),
      {
        weight: 3,
        arbitrary: some({ ...leaves, ...applicators(tie('schema')), ...others(tie('schema')) }),
      },
      reference,
      fc.boolean(),
    ),
  }))
  return schema
}

const schema2020 = makeSchema((schema) => ({
  items: schema,
  prefixItems: fc.array(schema, { minLength: 1, maxLength: 3 }),
  unevaluatedItems: schema,
  unevaluatedProperties: schema,
  dependentRequired: fc.dictionary(name, names, { maxKeys: 2, noNullPrototype: true }),
  dependentSchemas: fc.dictionary(name, schema, { maxKeys: 2, noNullPrototype: true }),
  minContains: count,
  maxContains: count,
}))
const schema07 = makeSchema((schema) => ({
  items: fc.oneof(schema, fc.array(schema, { minLength: 1, maxLength: 3 })),
  additionalItems: schema,
  dependencies: fc.dictionary(name, fc.oneof(schema, names), { maxKeys: 2, noNullPrototype: true }),
}))

function document(
  schema: fc.Arbitrary<JsonSchema>,
  $schema: string,
): fc.Arbitrary<Record<string, unknown>> {
  return fc.tuple(schema, schema, schema).map(([root, one, two]) => {
    const whole: Record<string, unknown> = typeof root === 'object' ? root : { not: !root }
    const { properties } = whole
    const named = typeof properties === 'object' ? properties : {}
    return { ...whole, properties: { a: one, ...named }, $schema, $defs: { one, two } }
  })
}

/** A schema of either dialect, with references that may lead back, and values to check with it. */
export const schemasAndValues = fc.tuple(
  fc.oneof(
    document(schema2020, 'https://json-schema.org/draft/2020-12/schema'),
    document(schema07, 'http://json-schema.org/draft-07/schema#'),
  ),
  fc.array(json, { minLength: 8, maxLength: 8 }),
)

/** What became of one pair. */
export type Comparison = 'valid' | 'invalid' | 'unchecked'

/** Our verdicts are those of Ajv as it comes; `unchecked` only where it cannot answer either. */
export function agreesWithAjv([schema, values]: [
  Record<string, unknown>,
  JsonValue[],
]): Comparison[] {
  const plain = compilePlain(schema)
  const ours = compileSchema(schema)
  return values
    .filter((each) => !isMistaken(schema, each))
    .map((each) => {
      if (ours.ok && leadsBack(ours.check(each).problems)) return 'unchecked'
      const theirs = plain && findVerdict(plain, each)
      const verdict = ours.ok ? ours.check(each).verdict : 'unchecked'
      const expected = theirs === undefined ? 'unchecked' : theirs ? 'valid' : 'invalid'
      const first = expected === 'unchecked' ? expected : firstVerdict(schema, each)
      if (verdict === expected && first === expected) return expected
      const difference = { schema, value: each, expected, verdict, first }
      throw new Error(`the verdicts differ: ${JSON.stringify(difference)}`)
    })
}

/** Ajv 8 takes an empty array for what the array before it was, when it looks for an item. */
function isMistaken(schema: unknown, value: unknown): boolean {
  return JSON.stringify(schema).includes('"contains"') && JSON.stringify(value).includes('[]')
}

/** A schema that refers to itself for one value: Ajv answers where it fails before it goes round, else never. */
function leadsBack(problems: readonly Problem[]): boolean {
  return problems.some(({ message }) => message === 'the schema refers to itself')
}

function compilePlain(schema: Record<string, unknown>): ValidateFunction | undefined {
  const options = { strict: false, logger: false, ownProperties: true } as const
  const is07 = String(schema['$schema']).includes('draft-07')
  const ajv = is07 ? new Ajv(options) : new Ajv2020(options)
  addFormats.default(ajv)
  try {
    return ajv.compile(schema)
  } catch {
    return undefined
  }
}

function findVerdict(validate: ValidateFunction, value: unknown): boolean | undefined {
  try {
    return validate(value)
  } catch {
    return undefined
  }
}

/** What a large value is checked with. */
function firstVerdict(schema: Record<string, unknown>, value: unknown): Comparison {
  const dialect = String(schema['$schema']).includes('draft-07') ? 'draft-07' : '2020-12'
  const run = compileWithAjv(schema, { dialect, thoroughness: 'first', subschemas: 20 })
  return run(value).length === 0 ? 'valid' : 'invalid'
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
