import { expect, test } from 'vitest'
import { anthropicProfile } from '../anthropic.ts'
import { gemini2Profile, geminiProfile } from '../google.ts'
import { openAiChatProfile, openAiCompatibleProfile, openAiResponsesProfile } from '../openai.ts'
import { repairSchema } from './repair-schema.support.ts'
import { toProviderTools } from './to-provider-tools.ts'

const rule = { marks: '_', startsWithLetter: true, maxLength: 64 }

test('a schema that providers accept is unchanged', () => {
  const schema = { type: 'object', properties: { a: {} }, required: ['a'] }
  const repaired = repairSchema(schema, rule)
  expect(repaired.schema).toEqual(schema)
  expect(repaired.changes).toEqual([])
})

test('a root that is not an object becomes one', () => {
  for (const original of [true, {}, { type: 'string' }]) {
    const { schema, changes } = repairSchema(original, rule)
    expect(schema).toEqual({ type: 'object', properties: {} })
    expect(changes.map(({ code }) => code)).toEqual(['root-replaced'])
  }
})

test('a root that is a reference becomes its target', () => {
  const { schema } = repairSchema(
    { $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: { b: {} } } } },
    rule,
  )
  expect(schema).toMatchObject({ type: 'object', properties: { b: {} }, $defs: {} })
  expect(schema).not.toHaveProperty('$ref')
})

test('of several branches, common required properties are required, and the description lists those of each', () => {
  const anyOf = [
    { properties: { path: { type: 'string' } }, required: ['path'] },
    { properties: { uri: { type: 'string' } }, required: ['uri'] },
  ]
  const allOf = [{ properties: { depth: {} }, required: ['depth'] }]
  const { schema, changes } = repairSchema({ type: 'object', anyOf, allOf }, rule)
  expect(schema).toEqual({
    type: 'object',
    description: 'At least one of these applies:\n- needs path\n- needs uri',
    properties: { depth: {}, path: { type: 'string' }, uri: { type: 'string' } },
    required: ['depth'],
  })
  expect(changes).toMatchObject([{ path: '', code: 'root-composition-moved' }])
})

test('values that distinguish branches become one list, and describe the branches', () => {
  const { schema } = repairSchema(
    {
      description: 'Changes a list.',
      oneOf: [
        {
          description: 'Adds\na value.',
          properties: { op: { const: 'add' }, v: { type: 'string' }, at: { type: 'integer' } },
          required: ['op', 'v'],
          additionalProperties: false,
        },
        {
          properties: { op: { const: 'del', description: 'Removes.' }, id: { type: 'number' } },
          required: ['op', 'id'],
          additionalProperties: false,
        },
        { properties: { op: { enum: ['clear', 'sort all'] } }, required: ['op'] },
      ],
    },
    rule,
  )
  expect(schema).toEqual({
    type: 'object',
    description: [
      'Changes a list.',
      'Exactly one of these applies:',
      '- op = add: needs v; may have at; takes nothing else (Adds a value.)',
      '- op = del: needs id; takes nothing else',
      '- op = clear | "sort all": needs nothing else',
    ].join('\n'),
    properties: {
      op: {
        type: 'string',
        description: 'del: Removes.',
        enum: ['add', 'del', 'clear', 'sort all'],
      },
      v: { type: 'string' },
      at: { type: 'integer' },
      id: { type: 'number' },
    },
    required: ['op'],
  })
})

test('a property with different values in branches accepts the values of all, and the branches are described', () => {
  const { schema } = repairSchema(
    {
      oneOf: [
        { properties: { op: { const: 'text' }, v: { type: 'string' } }, required: ['op', 'v'] },
        { properties: { op: { const: 'many' }, v: { $ref: '#/$defs/List' } }, required: ['v'] },
        { properties: { op: { const: 'none' } } },
      ],
      $defs: { List: { type: 'array' } },
    },
    rule,
  )
  expect(schema).toMatchObject({
    description: [
      'Exactly one of these applies:',
      '- op = text: needs v (string)',
      '- op = many: needs v (List)',
      '- op = none: needs nothing else',
    ].join('\n'),
    properties: { v: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/List' }] } },
  })
  expect(schema).not.toHaveProperty('required')
})

test('the root schema of a property applies in every branch', () => {
  const op = { type: 'string', description: 'What to do.' }
  const { schema } = repairSchema(
    {
      properties: { op, n: { minimum: 1 } },
      required: ['op'],
      oneOf: [
        { properties: { op: { const: 'add' }, n: { minimum: 2 } } },
        { properties: { op: { const: 'del' } } },
      ],
    },
    rule,
  )
  expect(schema).toMatchObject({
    properties: {
      op: { type: 'string', description: 'What to do.', enum: ['add', 'del'] },
      // A deletion takes 1.
      n: { minimum: 1 },
    },
    required: ['op'],
  })
})

test('allOf at the root intersects its schemas', () => {
  const { schema } = repairSchema(
    {
      allOf: [
        { properties: { a: { enum: [1, 2, 3] }, b: { type: 'string' } }, required: ['a'] },
        { $ref: '#/$defs/more' },
        { properties: { a: { enum: [2, 3, 4] } }, additionalProperties: false },
      ],
      $defs: {
        more: { properties: { b: { minLength: 2 }, c: { minimum: 1 } }, required: ['b'] },
      },
    },
    rule,
  )
  expect(schema).toMatchObject({
    properties: { a: { enum: [2, 3] }, b: { type: 'string', minLength: 2 }, c: { minimum: 1 } },
    required: ['a', 'b'],
    additionalProperties: false,
  })
  expect(schema).not.toHaveProperty('description')
})

test('a property of only some branches in several unions accepts the values of all of them', () => {
  const { schema } = repairSchema(
    {
      anyOf: [{ properties: { x: { type: 'string' } } }, { required: ['k'] }],
      oneOf: [{ properties: { x: { type: 'number' } } }, { required: ['l'] }],
    },
    rule,
  )
  // A string where the second of oneOf is taken, a number where the second of anyOf is.
  expect(schema['properties']).toEqual({ x: { anyOf: [{ type: 'number' }, { type: 'string' }] } })
})

test('keywords that depend on each other are not mixed', () => {
  const one = { properties: { a: {} } }
  const other = { additionalProperties: false }
  const { schema } = repairSchema(
    { allOf: [{ properties: { o: one } }, { properties: { o: other } }] },
    rule,
  )
  expect(schema['properties']).toEqual({ o: { allOf: [one, other] } })
})

test('nested branches are described below their branch, and branches that are not objects are omitted', () => {
  const file = { properties: { path: {} }, required: ['path'] }
  const { schema } = repairSchema(
    {
      anyOf: [
        { type: 'null' },
        { title: 'Read', oneOf: [{ $ref: '#/$defs/file' }, { required: ['uri'] }] },
        { title: 'Other', minProperties: 2 },
      ],
      $defs: { file },
    },
    rule,
  )
  expect(schema['description']).toBe(
    [
      'At least one of these applies:',
      '- Read: may have path',
      '  Exactly one of these applies:',
      '  - needs path',
      '  - needs uri',
      '- Other: must match {"minProperties":2}',
    ].join('\n'),
  )
})

test('each of many branches is described, even if the schema is long', () => {
  const oneOf = Array.from({ length: 200 }, (_, index) => ({
    properties: { op: { const: `op${index}` }, [`v${index}`]: { description: 'x'.repeat(100) } },
    required: ['op', `v${index}`],
  }))
  const { schema } = repairSchema({ oneOf }, rule)
  const lines = String(schema['description']).split('\n').slice(1)
  expect(lines).toEqual(oneOf.map((_, index) => `- op = op${index}: needs v${index}`))
})

test('a schema without a description is described as JSON, unless it is long', () => {
  const not = { required: ['a', 'b'] }
  const properties = { a: {}, b: {} }
  expect(repairSchema({ type: 'object', properties, not }, rule).schema['description']).toBe(
    `The arguments must also match this JSON Schema: ${JSON.stringify({ not })}`,
  )
  const long = { required: ['x'.repeat(2000)] }
  expect(repairSchema({ type: 'object', not: long }, rule).schema['description']).toBe(
    'Not all combinations of arguments are accepted.',
  )
})

test('branches are described with the names that the provider receives', () => {
  const oneOf = [
    { properties: { 'op.kind': { const: 'add' }, 'a b': {} }, required: ['a b'] },
    { properties: { 'op.kind': { const: 'del' } } },
  ]
  expect(repairSchema({ oneOf }, rule).schema['description']).toContain(
    '- op_kind = add: needs a_b\n- op_kind = del: needs nothing else',
  )
})

test('references to the root and into its branches still resolve to the same schema', () => {
  const original = {
    type: 'object',
    oneOf: [
      { properties: { op: { const: 'add' }, v: { type: 'string' } }, required: ['op', 'v'] },
      {
        properties: {
          op: { const: 'all' },
          each: { type: 'array', items: { $ref: '#' } },
          v: { $ref: '#/oneOf/0/properties/v' },
        },
      },
    ],
    $defs: { root: true },
  }
  const { schema } = repairSchema(original, rule)
  const moved = '#/$defs/root_'
  expect(schema).toMatchObject({
    properties: {
      each: { items: { $ref: moved } },
      v: { anyOf: [{ type: 'string' }, { $ref: `${moved}/oneOf/0/properties/v` }] },
    },
    $defs: {
      root: true,
      root_: { oneOf: [{}, { properties: { each: { items: { $ref: moved } } } }] },
    },
  })
})

test('a root that refers to itself, or to a missing schema, does not loop', () => {
  const loop = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }
  expect(repairSchema(loop, rule).schema).toMatchObject({ type: 'object', properties: {} })
  expect(repairSchema({ oneOf: [{ $ref: '#' }, { $ref: '#/gone' }] }, rule).schema).toMatchObject({
    type: 'object',
    properties: {},
  })
})

test('if references are too deep, only the root itself is kept', () => {
  const links = Array.from({ length: 5000 }, (_, index): [string, object] => [
    `d${index}`,
    { anyOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
  ])
  const original = {
    properties: { a: { type: 'string' } },
    anyOf: [{ $ref: '#/$defs/d0' }, { properties: { a: { minLength: 1 }, b: {} } }],
    $defs: Object.fromEntries(links),
  }
  const { schema } = repairSchema(original, rule)
  expect(schema['properties']).toEqual({ a: { type: 'string' } })
  expect(String(schema['description']).length).toBeLessThan(2000)
})

test('property names that the rule refuses are changed, also in required', () => {
  const properties = { 'a.b': {}, a_b: {}, __proto__x: {} }
  const { schema, names, changes } = repairSchema(
    { type: 'object', properties, required: ['a.b'] },
    rule,
  )
  expect(schema).toMatchObject({ properties: { a_b_2: {}, a_b: {} }, required: ['a_b_2'] })
  const call = { name: 'x', arguments: { a_b_2: 1, a_b: 2 } }
  expect(names.fromProvider(call).arguments).toEqual({ 'a.b': 1, a_b: 2 })
  expect(changes).toMatchObject([{ path: '/properties/a.b', code: 'parameter-renamed' }])
})

test('a property with the name of an inherited one is kept', () => {
  const original: unknown = JSON.parse(
    '{"anyOf":[{"properties":{"__proto__":{"type":"string"}}}],"type":"object"}',
  )
  const { schema } = repairSchema(original as object as { [keyword: string]: unknown }, rule)
  expect(Object.keys(schema['properties'] as object)).toEqual(['__proto__'])
})

const properties = {
  a: { type: 'array' },
  b: { type: ['array', 'null'], default: { type: 'array' } },
  c: { anyOf: [{ type: 'array', prefixItems: [{ type: 'array' }] }] },
  d: { type: 'array', items: { type: 'string' } },
  e: { type: 'array', items: [] },
  type: { type: 'string', enum: ['array'] },
}

test('every array without items accepts any item, at any depth, and the places are listed', () => {
  const { schema, changes } = repairSchema({ type: 'object', properties }, rule, 'needs items')
  expect(schema).toEqual({
    type: 'object',
    properties: {
      ...properties,
      a: { type: 'array', items: {} },
      b: { ...properties.b, items: {} },
      c: {
        anyOf: [{ type: 'array', prefixItems: [{ type: 'array', items: {} }], items: {} }],
      },
      e: { type: 'array', items: {} },
    },
  })
  expect(changes.map(({ code, path }) => [code, path])).toEqual([
    ['items-added', '/properties/a'],
    ['items-added', '/properties/b'],
    ['items-added', '/properties/c/anyOf/0'],
    ['items-added', '/properties/c/anyOf/0/prefixItems/0'],
    ['items-added', '/properties/e'],
  ])
})

test('a schema without such an array is returned unchanged', () => {
  const schema = { type: 'object', properties: { d: properties.d } }
  expect(repairSchema(schema, rule, 'needs items')).toMatchObject({ schema, changes: [] })
})

test.for([
  [openAiChatProfile, 1],
  [openAiResponsesProfile, 1],
  [openAiCompatibleProfile, 1],
  [geminiProfile, 1],
  [gemini2Profile, 1],
  [anthropicProfile, 0],
] as const)('$0.name adds items if it refuses an array without them', ([profile, count]) => {
  const inputSchema = { type: 'object', properties: { a: properties.a } }
  const { tools, changes } = toProviderTools([{ name: 'x', inputSchema }], [], profile)
  expect(changes.map(({ path }) => path)).toEqual(
    count === 1 ? ['/tools/0/inputSchema/properties/a'] : [],
  )
  expect(tools[0]?.inputSchema['properties']).toEqual({
    a: count === 1 ? { type: 'array', items: {} } : { type: 'array' },
  })
})

test('a shared schema is converted once for each rule, and its changes name each of its places', () => {
  const inputSchema = { type: 'object', properties: { 'a.b': properties.a } }
  const [one, two] = [
    { name: 'one', inputSchema },
    { name: 'two', inputSchema },
  ]
  const google = toProviderTools([one, two], [], geminiProfile)
  expect(google.tools[0]?.inputSchema).toBe(google.tools[1]?.inputSchema)
  expect(google.tools[0]?.inputSchema['properties']).toEqual({ a_b: { type: 'array', items: {} } })
  expect(google.changes.map(({ path }) => path)).toEqual([
    '/tools/0/inputSchema/properties/a.b',
    '/tools/0/inputSchema/properties/a.b',
    '/tools/1/inputSchema/properties/a.b',
    '/tools/1/inputSchema/properties/a.b',
  ])
  const anthropic = toProviderTools([two], [], anthropicProfile)
  expect(anthropic.tools[0]?.inputSchema).toEqual(inputSchema)
  expect(anthropic.changes).toEqual([])
})
