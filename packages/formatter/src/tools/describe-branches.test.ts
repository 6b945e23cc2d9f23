import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { followReference } from '@toolblocks/protocol/internal'
import { compileSchema } from '@toolblocks/schema-check'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repairSchema } from './repair-schema.support.ts'

const rule = { marks: '_', startsWithLetter: true, maxLength: 64 }

const DEFINITIONS = {
  text: { type: 'string', minLength: 2 },
  named: { properties: { a: { type: 'string' } }, required: ['a'] },
  closed: { properties: { op: { const: 'add' }, c: true }, additionalProperties: false },
  choice: { anyOf: [{ $ref: '#/$defs/named' }, { properties: { c: { type: 'number' } } }] },
}

const property = fc.constantFrom<unknown>(
  { const: 'add' },
  { const: 'del', type: 'string', description: 'Removes.' },
  { enum: ['add', 'put', 1] },
  { type: 'string' },
  { type: 'string', description: 'A text.' },
  { type: 'string', minLength: 2 },
  { type: ['number', 'null'] },
  { type: 'array' },
  { properties: { x: { type: 'number' } }, required: ['x'] },
  { $ref: '#/$defs/text' },
  { $ref: '#/properties/z' },
  true,
)
const name = fc.constantFrom('op', 'a', 'b', 'c', 'z')

const namedProperties = fc.dictionary(name, property, {
  minKeys: 1,
  maxKeys: 3,
  noNullPrototype: true,
})
const object = fc.record(
  {
    type: fc.constant('object'),
    properties: namedProperties,
    required: fc.uniqueArray(name, { maxLength: 1 }),
    additionalProperties: fc.constant(false),
  },
  { requiredKeys: ['properties'] },
)
const referring = fc
  .constantFrom(...Object.keys(DEFINITIONS).slice(1))
  .map((to) => ({ $ref: `#/$defs/${to}` }))

/** Some of the compositions beside some properties. */
function composed(branch: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  const branches = fc.array(branch, { minLength: 1, maxLength: 3 })
  const composition = fc.oneof(
    branches.map((oneOf) => ({ oneOf })),
    branches.map((anyOf) => ({ anyOf })),
    branches.map((allOf) => ({ allOf })),
    fc.record({ allOf: branches, anyOf: branches }),
  )
  return fc.tuple(namedProperties, composition).map(([own, more]) => ({ properties: own, ...more }))
}

const leaf = fc.oneof({ weight: 4, arbitrary: object }, { weight: 1, arbitrary: referring })
const branch = fc.oneof({ weight: 5, arbitrary: leaf }, { weight: 2, arbitrary: composed(leaf) })
const root = fc.tuple(composed(branch), fc.boolean()).map(([own, hasOwn]): JsonObject => {
  const z = { z: { type: 'string', maxLength: 3 } }
  const named = hasOwn ? { ...z, ...(own['properties'] as JsonObject) } : z
  return { type: 'object', ...own, properties: named, $defs: DEFINITIONS }
})
const value = fc.dictionary(
  name,
  fc.constantFrom<unknown>('add', 'add', 'del', 'put', 'x', 1, null, [], { x: 1 }),
  { minKeys: 1, maxKeys: 4, noNullPrototype: true },
)

test('law: a value that matches a branch, with only properties of that branch, matches the schema for a provider', () => {
  let held = 0
  fc.assert(
    fc.property(
      root,
      fc.array(value, { minLength: 40, maxLength: 40, size: 'max' }),
      (original, values) => {
        const { schema } = repairSchema(original, rule)
        expect(Object.keys(schema)).not.toEqual(
          expect.arrayContaining([expect.stringMatching(/^(allOf|anyOf|oneOf|\$ref)$/)]),
        )
        const [fitsOriginal, fitsRepaired] = [getFits(original), getFits(schema)]
        for (const each of values) {
          if (!fitsOriginal?.(each) || !isNamed(each, original)) continue
          held += 1
          expect(fitsRepaired?.(each), JSON.stringify({ each, original, schema })).toBe(true)
        }
      },
    ),
    { numRuns: 100 },
  )
  expect(held).toBeGreaterThan(100)
})

/** Whether values fit; `undefined` for what is no schema. */
function getFits(schema: JsonObject): ((candidate: unknown) => boolean) | undefined {
  const compiled = compileSchema(schema)
  return compiled.ok ? (candidate) => compiled.check(candidate).verdict === 'valid' : undefined
}

/** Whether branches that a value fits name all its properties. */
function isNamed(candidate: JsonObject, whole: JsonObject): boolean {
  const names = Object.keys(candidate)
  return namesBy(whole, { candidate, whole }).some((named) =>
    names.every((each) => named.has(each)),
  )
}

interface NamingContext {
  candidate: JsonObject
  whole: JsonObject
}

/** The names that stand in a schema and in branches that a value fits, for each choice of those. */
function namesBy(schema: JsonObject, context: NamingContext): readonly ReadonlySet<string>[] {
  const { properties = {}, allOf = [], $ref: reference } = schema
  const target = followReference(context.whole, reference)?.schema
  const members = [...(allOf as JsonObject[]), ...(isJsonObject(target) ? [target] : [])]
  const unions = ['oneOf', 'anyOf'].flatMap((keyword) =>
    Object.hasOwn(schema, keyword) ? [schema[keyword] as JsonObject[]] : [],
  )
  const parts = [
    ...members.map((member) => namesBy(member, context)),
    ...unions.map((branches) =>
      branches.filter((each) => fitsPart(each, context)).flatMap((each) => namesBy(each, context)),
    ),
  ]
  return parts.reduce<readonly ReadonlySet<string>[]>(
    (choices, part) => choices.flatMap((one) => part.map((other) => new Set([...one, ...other]))),
    [new Set(Object.keys(properties as JsonObject))],
  )
}

/** Whether a value fits a part of a schema, which may refer to the definitions and properties of the whole. */
function fitsPart(part: JsonObject, { candidate, whole }: NamingContext): boolean | undefined {
  const { $defs, properties } = whole
  const beside = { $defs, properties: { ...(properties as JsonObject), 'the value': part } }
  return getFits(beside)?.({ 'the value': candidate })
}
