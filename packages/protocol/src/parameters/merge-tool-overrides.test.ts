import { describe, expect, test } from 'vitest'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import { schemaObject } from './parameters-to-schema.ts'
import { mergeToolOverrides, type ToolOverrides } from './merge-tool-overrides.ts'

const server: ToolDefinition = {
  name: 'search',
  description: 'Searches.',
  inputSchema: {
    $defs: { range: { type: 'object' } },
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What to look for.', maxLength: 100 },
      limit: { type: 'integer' },
      range: { $ref: '#/$defs/range' },
      filters: {
        type: 'array',
        items: {
          type: 'object',
          properties: { field: { type: 'string' }, op: { enum: ['=', '<'] } },
          required: ['field'],
        },
      },
    },
    required: ['query'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
}

function parameters(
  overrides: NonNullable<ToolOverrides['parameters']>,
  inputSchema = server.inputSchema,
): unknown {
  const merged = mergeToolOverrides({ ...server, inputSchema }, { parameters: overrides })
  expect(merged.problems).toEqual([])
  return merged.definition.inputSchema
}

describe('texts', () => {
  test('without an override nothing changes', () => {
    for (const definition of [server, { name: 'bare', inputSchema: true }])
      expect(mergeToolOverrides(definition, {})).toStrictEqual({ definition, problems: [] })
  })

  test('an override replaces the value of the tool', () => {
    const overrides = { title: 'T', summary: 'S', description: 'D', examples: 'E' }
    expect(mergeToolOverrides(server, overrides).definition).toEqual({ ...server, ...overrides })
  })

  test('{{description}} is replaced by the tool’s own description, literally', () => {
    const dollar = { ...server, description: 'Costs $& and $1.' }
    const { definition } = mergeToolOverrides(dollar, {
      description: 'Fast. {{description}} {{ description }}',
    })
    expect(definition.description).toBe('Fast. Costs $& and $1. Costs $& and $1.')
    const { description: _none, ...silent } = server
    expect(mergeToolOverrides(silent, { description: 'Fast. {{description}}' })).toMatchObject({
      definition: { description: 'Fast. ' },
    })
  })

  test('a long description without a summary gets its first sentence as the summary', () => {
    const description = 'Searches all files.\n\nThe query is a pattern.'
    expect(mergeToolOverrides({ ...server, description }, {}).definition).toMatchObject({
      summary: 'Searches all files.',
      description,
    })
    expect(
      mergeToolOverrides({ ...server, description }, { summary: 'S' }).definition.summary,
    ).toBe('S')
  })
})

describe('parameters', () => {
  test('an override replaces the keywords it names and keeps the others', () => {
    expect(
      parameters({
        query: {
          type: ['string', 'null'],
          enum: ['a'],
          default: 'a',
          description: 'Now: {{description}}',
        },
      }),
    ).toMatchObject({
      $defs: { range: { type: 'object' } },
      properties: {
        query: {
          type: ['string', 'null'],
          enum: ['a'],
          default: 'a',
          maxLength: 100,
          description: 'Now: What to look for.',
        },
        limit: { type: 'integer' },
      },
      required: ['query'],
    })
  })

  test('the defaults of overrides are returned separately, for the caller of the tool', () => {
    const { defaults } = mergeToolOverrides(server, {
      parameters: {
        query: { default: 'a', summary: 'S' },
        limit: { summary: 'No default.' },
        filters: { items: { properties: { op: { default: '=' }, feild: { default: 1 } } } },
        unknown: { default: 2 },
      },
    })
    expect(defaults).toEqual({
      properties: {
        query: { default: 'a' },
        filters: { items: { properties: { op: { default: '=' } } } },
      },
    })
    expect(mergeToolOverrides(server, { parameters: { limit: {} } })).not.toHaveProperty('defaults')
  })

  test('a summary precedes a description', () => {
    expect(parameters({ query: { summary: 'S', description: 'D' } })).toHaveProperty(
      'properties.query.description',
      'S',
    )
  })

  test('a reference is kept, with the keywords of the override beside it', () => {
    expect(parameters({ range: { summary: 'From, to.' } })).toHaveProperty('properties.range', {
      $ref: '#/$defs/range',
      description: 'From, to.',
    })
  })

  test('an override applies through items and properties', () => {
    expect(
      parameters({ filters: { items: { properties: { op: { enum: ['='], required: true } } } } }),
    ).toHaveProperty('properties.filters', {
      type: 'array',
      items: {
        type: 'object',
        properties: { field: { type: 'string' }, op: { enum: ['='] } },
        required: ['field', 'op'],
      },
    })
  })

  test('the override defines items that the tool leaves open', () => {
    expect(parameters({ limit: { type: 'array', items: { type: 'integer' } } })).toHaveProperty(
      'properties.limit',
      { type: 'array', items: { type: 'integer' } },
    )
  })

  test('required can be tightened', () => {
    expect(parameters({ limit: { required: true } })).toHaveProperty('required', ['query', 'limit'])
  })

  test('an optional parameter can be made required', () => {
    expect(parameters({ limit: { required: false } })).toEqual(server.inputSchema)
  })

  test('without required parameters none is required until an override says so', () => {
    const schema = { type: 'object', properties: { path: { type: 'string' } } }
    expect(parameters({ path: { type: 'string' } }, schema)).toStrictEqual(schema)
    const needed = { ...schema, required: ['path'] }
    expect(parameters({ path: { required: true } }, schema)).toEqual(needed)
  })

  test('a value that is not a name is not required', () => {
    const { properties } = schemaObject(server.inputSchema)
    expect(parameters({ limit: {} }, { properties, required: [7, 'query'] })).toEqual({
      properties,
      required: ['query'],
    })
  })

  test.for([
    ['is listed', server.inputSchema],
    ['is only required', { type: 'object', required: ['query'] }],
  ] as const)(
    'required cannot be loosened for a parameter that %s, and a problem says so',
    ([, schema]) => {
      const merged = mergeToolOverrides(
        { ...server, inputSchema: schema },
        { parameters: { query: { required: false } } },
      )
      expect(merged.definition.inputSchema).toMatchObject({ required: ['query'] })
      expect(merged.problems).toEqual([
        {
          path: '/parameters/query',
          code: 'loosened-parameter',
          message: 'the tool needs this parameter, so it stays required; remove "required = false"',
        },
      ])
    },
  )

  test('an override for an unknown parameter is reported and changes nothing', () => {
    const merged = mergeToolOverrides(server, {
      parameters: {
        'que/ry~': { type: 'string' },
        filters: { items: { properties: { feild: { type: 'string' } } } },
      },
    })
    expect(merged.definition.inputSchema).toEqual(server.inputSchema)
    expect(merged.problems).toEqual([
      {
        path: '/parameters/que~1ry~0',
        code: 'unknown-parameter',
        message: 'the tool has no parameter of this name; correct the name or remove the override',
        expected: 'one of query, limit, range, filters',
      },
      {
        path: '/parameters/filters/items/properties/feild',
        code: 'unknown-parameter',
        message: 'the tool has no parameter of this name; correct the name or remove the override',
        expected: 'one of field, op',
      },
    ])
  })

  test('if the tool lists no parameters, its required names stay required', () => {
    for (const properties of [undefined, {}]) {
      const schema = { ...(properties && { properties }), required: ['path'] }
      expect(
        parameters({ command: { type: 'string' }, quiet: { default: true } }, schema),
      ).toStrictEqual({
        properties: { command: { type: 'string' }, quiet: { default: true } },
        required: ['path', 'command'],
      })
    }
    expect(parameters({ quiet: { default: true } }, {})).toStrictEqual({
      properties: { quiet: { default: true } },
    })
  })

  test('if the tool lists no parameters, those of the override are used', () => {
    const open: ToolDefinition = { name: 'run', inputSchema: { type: 'object' } }
    const overrides = { parameters: { command: { type: 'string' } } }
    expect(mergeToolOverrides(open, overrides)).toEqual({
      definition: {
        name: 'run',
        inputSchema: {
          type: 'object',
          properties: { command: { type: 'string' } },
          required: ['command'],
        },
      },
      problems: [],
    })
    expect(
      mergeToolOverrides({ ...open, inputSchema: true }, overrides).definition.inputSchema,
    ).toEqual({
      properties: { command: { type: 'string' } },
      required: ['command'],
    })
  })
})
