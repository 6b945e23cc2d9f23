import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ParameterDefinition, isParameterDefinition } from './parameter-definition.ts'
import { firstSentence, parametersToSchema, schemaToParameters } from './parameters-to-schema.ts'

describe('parametersToSchema', () => {
  test('gives a closed object; a parameter without a default that may not be null is required', () => {
    expect(
      parametersToSchema({
        package: { type: 'string', summary: 'Package to check.' },
        depth: { type: 'integer', default: 1 },
        force: { type: 'boolean', required: false },
        since: { type: ['string', 'null'] },
        mode: { enum: ['a', 'b'], default: 'a', required: true },
      }),
    ).toEqual({
      type: 'object',
      properties: {
        package: { type: 'string', description: 'Package to check.' },
        depth: { type: 'integer', default: 1 },
        force: { type: 'boolean' },
        since: { type: ['string', 'null'] },
        mode: { enum: ['a', 'b'], default: 'a' },
      },
      required: ['package', 'mode'],
      additionalProperties: false,
    })
  })

  test('without parameters the object is empty and closed', () => {
    expect(parametersToSchema({})).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    })
  })

  test('a model reads the summary, or the description if there is no summary', () => {
    const { properties } = parametersToSchema({
      a: { summary: 'short', description: 'long' },
      b: { description: 'long' },
    })
    expect(properties).toEqual({ a: { description: 'short' }, b: { description: 'long' } })
  })

  test('nested parameters become nested schemas, closed by default', () => {
    const patch: ParameterDefinition = {
      type: 'object',
      properties: {
        path: { type: 'string' },
        ids: { type: 'array', items: { type: 'string' }, default: [] },
      },
    }
    const { properties } = parametersToSchema({
      patches: { type: 'array', items: patch },
      options: { type: 'object', properties: {}, additionalProperties: { type: 'number' } },
    })
    expect(properties).toEqual({
      patches: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            path: { type: 'string' },
            ids: { type: 'array', items: { type: 'string' }, default: [] },
          },
          required: ['path'],
          additionalProperties: false,
        },
      },
      options: { type: 'object', properties: {}, additionalProperties: { type: 'number' } },
    })
  })
})

describe('schemaToParameters', () => {
  test('writes `required` only if it does not follow from the default', () => {
    expect(
      schemaToParameters({
        type: 'object',
        properties: {
          a: { type: 'string', description: 'A.' },
          b: { type: ['string', 'null'] },
          c: { default: 1 },
          d: { default: 1 },
        },
        required: ['a', 'd'],
      }),
    ).toEqual({
      a: { type: 'string', summary: 'A.' },
      b: { type: ['string', 'null'] },
      c: { default: 1 },
      d: { default: 1, required: true },
    })
  })

  test('an open nested object says so', () => {
    expect(schemaToParameters({ properties: { a: { properties: {} } }, required: ['a'] })).toEqual({
      a: { properties: {}, additionalProperties: true },
    })
  })

  test('an older tuple is converted to the newer form', () => {
    const tuple = { type: 'array', items: [{ type: 'string' }], additionalItems: false }
    const parameters = schemaToParameters({ properties: { a: tuple }, required: ['a'] })
    expect(parameters).toEqual({
      a: { type: 'array', prefixItems: [{ type: 'string' }], items: { not: {} } },
    })
    expect(isParameterDefinition(parameters['a'])).toBe(true)
  })

  test('a property that is true accepts any value, and one that is false accepts none', () => {
    expect(schemaToParameters({ properties: { a: true, b: false } })).toEqual({
      a: { required: false },
      b: { not: {}, required: false },
    })
  })

  test('a definition of the root is copied to its references', () => {
    const $defs = {
      size: { type: 'integer', description: 'Any.' },
      box: { properties: { w: { $ref: '#/$defs/size' } } },
    }
    expect(
      schemaToParameters({
        $defs,
        properties: {
          box: { $ref: '#/$defs/box' },
          width: { $ref: '#/$defs/size', description: 'Its own.' },
          small: { $ref: '#/$defs/size', maximum: 3 },
        },
        required: ['box', 'width', 'small'],
      }),
    ).toEqual({
      box: {
        properties: { w: { type: 'integer', summary: 'Any.', required: false } },
        additionalProperties: true,
      },
      width: { type: 'integer', summary: 'Its own.' },
      small: { allOf: [{ type: 'integer', description: 'Any.' }], maximum: 3 },
    })
  })

  test('a recursive definition is kept once, in a parameter, and the schema is the same again', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } }
    const parameters = schemaToParameters({
      $defs: { node },
      properties: { first: { $ref: '#/$defs/node' }, all: { items: { $ref: '#/$defs/node' } } },
    })
    const $ref = '#/properties/first/$defs/node'
    expect(parameters).toEqual({
      first: {
        $ref,
        $defs: { node: { type: 'object', properties: { next: { $ref } } } },
        required: false,
      },
      all: { items: { $ref }, required: false },
    })
    expect(schemaToParameters(parametersToSchema(parameters))).toEqual(parameters)
    expect(Object.values(parameters).every(isParameterDefinition)).toBe(true)
  })

  test('a large definition is also kept once: the work is linear', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [
        `d${index}`,
        { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
      ]),
    )
    const parameters = schemaToParameters({
      $defs: { ...$defs, d200: { type: 'string' } },
      properties: { a: { $ref: '#/$defs/d0' } },
    })
    expect(JSON.stringify(parameters).length).toBeLessThan(100_000)
  })

  test('references that do not resolve, or refer into a property or to the root, are kept', () => {
    const properties = {
      a: { $ref: 'https://a.example' },
      b: { $ref: '#/$defs/none' },
      c: { $ref: '#/properties/a' },
      d: { $ref: '#' },
    }
    expect(parametersToSchema(schemaToParameters({ properties }))).toMatchObject({ properties })
  })

  test.for([true, false, {}, { type: 'string' }, { properties: [] }])(
    'the schema %j has no parameters',
    (schema) => {
      expect(schemaToParameters(schema)).toEqual({})
    },
  )

  test('a parameter may be called __proto__', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}')
    const parameters = schemaToParameters(schema)
    expect(Object.keys(parameters)).toEqual(['__proto__'])
    expect(Object.keys(Object(parametersToSchema(parameters)['properties']))).toEqual(['__proto__'])
  })
})

const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'with space', '')

const keywords = fc.dictionary(
  fc.constantFrom(
    'type',
    'enum',
    'examples',
    'title',
    'pattern',
    'minimum',
    '$ref',
    'anyOf',
    'x-own',
    '__proto__',
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

const isNested = { maxDepth: 3, depthIdentifier: 'parameter' }

const { parameters: anyParameters } = fc.letrec<{
  parameter: ParameterDefinition
  nested: ParameterDefinition
  parameters: Record<string, ParameterDefinition>
}>((tie) => ({
  parameter: fc.oneof(isNested, keywords as fc.Arbitrary<ParameterDefinition>, tie('nested')),
  nested: fc.record(
    {
      summary: fc.string(),
      required: fc.boolean(),
      default: fc.jsonValue({ maxDepth: 1 }),
      items: tie('parameter'),
      properties: tie('parameters'),
      'x-own': fc.jsonValue({ maxDepth: 1 }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<ParameterDefinition>,
  parameters: fc.dictionary(name, tie('parameter'), { maxKeys: 3 }),
}))

test('law: parameters that became a schema become the same parameters again, and then the same schema', () => {
  fc.assert(
    fc.property(anyParameters, (parameters) => {
      const schema = parametersToSchema(parameters)
      const again = schemaToParameters(schema)
      expect(parametersToSchema(again)).toEqual(schema)
      expect(schemaToParameters(parametersToSchema(again))).toEqual(again)
    }),
  )
})

test('law: an unknown keyword is unchanged in both directions', () => {
  fc.assert(
    fc.property(keywords, (others) => {
      const schema = parametersToSchema({ a: { properties: { b: { items: others } } } })
      expect(schema).toHaveProperty('properties.a.properties.b.items', others)
      expect(schemaToParameters(schema)).toHaveProperty('a.properties.b.items', others)
    }),
  )
})

const long = 'x'.repeat(130)

test.for([
  ['', undefined],
  ['Runs the tests.', undefined],
  ['Runs the tests. Then stops.', undefined],
  [`Runs the tests. ${long}`, 'Runs the tests.'],
  [`  Runs the tests.\nThen ${long}`, 'Runs the tests.'],
  ['Runs the\ntests. Then stops.', 'Runs the tests.'],
  ['Runs the tests\n\nArguments follow', 'Runs the tests'],
  [`Runs tools, e.g. cargo. ${long}`, 'Runs tools, e.g. cargo.'],
  [`Works with version 1.2 and up! ${long}`, 'Works with version 1.2 and up!'],
  [long, undefined],
  [`${long}.`, undefined],
] as const)('%j starts with %j', ([text, sentence]) => {
  expect(firstSentence(text)).toBe(sentence)
})

test('a long text of abbreviations is read in linear time', () => {
  expect(firstSentence('e.g. '.repeat(50_000))).toBeUndefined()
})
