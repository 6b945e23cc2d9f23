import type { JsonObject } from '@toolblocks/protocol'
import { mapSchema } from '@toolblocks/protocol/internal'
import { compileSchema } from '@toolblocks/schema-check'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anthropicProfile, geminiProfile, openAiChatProfile } from '../model/profiles.ts'
import { repairSchema } from './repair-schema.support.ts'

const PROFILES = [anthropicProfile, openAiChatProfile, geminiProfile]
const COMPOSITION = ['allOf', 'anyOf', 'oneOf', 'not', 'enum', 'const', '$ref']

/** What is wrong with the schema that a provider receives. */
function findFaults(original: unknown): readonly string[] {
  return PROFILES.flatMap(({ name, parameters, needsItems }) => {
    const { schema } = repairSchema(
      original as JsonObject,
      parameters,
      needsItems ? 'needs items' : undefined,
    )
    // The meta-schema is that of draft 2020-12, whatever the schema says of itself.
    const { $schema: _, ...rest } = schema
    const compiled = compileSchema(rest)
    const faults = compiled.ok ? [] : compiled.problems
    return [
      ...faults.map(({ path, message }) => `${name} ${path}: ${message}`),
      ...(schema['type'] === 'object' ? [] : [`${name}: the root is no object`]),
      ...COMPOSITION.filter((keyword) => Object.hasOwn(schema, keyword)).map(
        (keyword) => `${name}: the root has ${keyword}`,
      ),
      ...findContradictions(schema).map((path) => `${name} ${path}: values without the type`),
    ]
  })
}

/** Paths of schemas. What is in an unknown keyword is data, also where it looks like a schema. */
const SCHEMA_PATH =
  /^(?:\/(?:additionalProperties|else|if|items|not|propertyNames|then)|\/(?:allOf|anyOf|oneOf|prefixItems)\/\d+|\/(?:\$defs|definitions|dependencies|patternProperties|properties)\/[^/]*)*$/

/** Providers refuse listed values that do not have the type beside them. */
function findContradictions(schema: JsonObject): readonly string[] {
  const paths: string[] = []
  mapSchema(schema, (part, path) => {
    const { type, enum: listed } = part
    if (type !== undefined && Array.isArray(listed) && SCHEMA_PATH.test(path)) {
      const typed = compileSchema({ type })
      if (typed.ok && listed.some((value) => typed.check(value).verdict === 'invalid'))
        paths.push(path)
    }
    return part
  })
  return paths
}

const KEYWORDS = [
  '$anchor',
  '$defs',
  '$id',
  '$ref',
  '$schema',
  'additionalProperties',
  'allOf',
  'anyOf',
  'const',
  'default',
  'definitions',
  'dependencies',
  'dependentRequired',
  'description',
  'else',
  'enum',
  'examples',
  'exclusiveMinimum',
  'format',
  'if',
  'items',
  'maxLength',
  'minimum',
  'multipleOf',
  'not',
  'oneOf',
  'pattern',
  'patternProperties',
  'prefixItems',
  'properties',
  'propertyNames',
  'required',
  'then',
  'title',
  'type',
  'uniqueItems',
]
const NAMES = [...KEYWORDS, 'a', 'b.c', '日本', '']
const leaf = fc.oneof(
  fc.constantFrom(
    'object',
    'string',
    'String',
    'null',
    'array',
    'int',
    '#',
    '#/$defs/a',
    '#/properties/a',
    '#a',
    '(?i)',
    '^a',
    'a',
    '10',
    '\\p',
  ),
  fc.constantFrom(null, true, false, 0, -1, 1.5, 10),
)
const { value: anything } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 5 }),
  ),
}))

test('law: for any JSON as a schema, every provider receives a valid schema', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...NAMES), anything, { maxKeys: 6 }), (original) => {
      const before = structuredClone(original)
      expect(findFaults(original)).toEqual([])
      expect(original).toEqual(before)
    }),
    { numRuns: 1000 },
  )
})

test.for([{ dependentRequired: { type: ['array'] } }, { dependencies: { type: ['array'] } }])(
  'a property named "type" is no type: %o',
  (original) => {
    expect(findFaults(original)).toEqual([])
  },
)

test('a correction is listed with its place', () => {
  const { schema, changes } = repairSchema(
    { type: 'object', properties: { coin: { type: 'str' }, required: ['coin'] } },
    anthropicProfile.parameters,
  )
  expect(schema).toEqual({
    type: 'object',
    properties: { coin: { type: 'string' } },
    required: ['coin'],
  })
  expect(changes.map(({ code, path }) => [code, path])).toEqual([
    ['schema-corrected', '/properties/required'],
    ['schema-corrected', '/properties/coin/type'],
  ])
})
