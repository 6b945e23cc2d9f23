import type { JsonSchema, Tool } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { getDefinition } from './tool-entry.ts'
import { liveSchema, locateArguments } from './live-schema.ts'

const own = {
  type: 'object',
  properties: { command: { $ref: '#/$defs/line' } },
  required: ['command', 7],
  $defs: { line: { type: 'string' } },
  definitions: { old: true },
}

type SchemaObject = Readonly<Record<string, unknown>>

const makeTool = (inputSchema: JsonSchema, actions?: Tool['actions']): Tool => ({
  name: 'shell',
  inputSchema,
  execute: async () => ({ content: [], isError: false }),
  ...(actions && { actions }),
})

const ID = {
  type: 'string',
  minLength: 1,
  description: 'The handle: a name you choose when you spawn it.',
}
const INPUT = {
  description: 'The text to type, or the answer. Several answers: an object by question id.',
}

test('each action of a live tool is an alternative: a spawn accepts the arguments of the tool', () => {
  const { $defs, definitions } = own
  const bare = (action: string): object => ({
    type: 'object',
    properties: { action: { const: action }, id: ID },
    required: ['action', 'id'],
    additionalProperties: false,
  })
  expect(liveSchema(makeTool(own), 'oneOf')).toEqual({
    $defs,
    definitions,
    type: 'object',
    oneOf: [
      {
        type: 'object',
        properties: { action: { const: 'spawn' }, id: ID, ...own.properties },
        required: ['action', 'id', 'command'],
        additionalProperties: false,
      },
      bare('fetch'),
      {
        type: 'object',
        properties: { action: { const: 'apply' }, id: ID, input: INPUT },
        required: ['action', 'id', 'input'],
        additionalProperties: false,
      },
      bare('abort'),
    ],
  })
})

test('the flat form names all fields, and the actions that need them', () => {
  const { $defs, definitions } = own
  expect(liveSchema(makeTool(own), 'flat')).toEqual({
    $defs,
    definitions,
    type: 'object',
    description: '"apply" needs input. "spawn" also needs command.',
    properties: {
      action: { type: 'string', enum: ['spawn', 'fetch', 'apply', 'abort'] },
      id: ID,
      input: INPUT,
      ...own.properties,
    },
    required: ['action', 'id'],
    additionalProperties: false,
  })
})

test('only fields of the actions of a tool are named', () => {
  expect(liveSchema(makeTool(own, ['fetch', 'abort']), 'flat')).toStrictEqual({
    $defs: own.$defs,
    definitions: own.definitions,
    type: 'object',
    properties: { action: { type: 'string', enum: ['fetch', 'abort'] }, id: ID },
    required: ['action', 'id'],
    additionalProperties: false,
  })
  expect(liveSchema(makeTool(true, ['spawn']), 'flat')).toStrictEqual({
    type: 'object',
    properties: { action: { type: 'string', enum: ['spawn'] }, id: ID },
    required: ['action', 'id'],
    additionalProperties: false,
  })
  const several = { properties: { a: {}, b: {} }, required: ['a', 'b'] }
  expect(liveSchema(makeTool(several, ['spawn']), 'flat')).toMatchObject({
    description: '"spawn" also needs a, b.',
  })
})

test.for(['action', 'id', 'input'])(
  'the arguments of a tool that has its own "%s" are inside a field',
  (name) => {
    const tool = makeTool({ properties: { [name]: { type: 'string' } }, required: [name] }, [
      'spawn',
    ])
    const inside = { type: 'object', ...Object(tool.inputSchema) }
    expect(locateArguments(tool)).toBe('inside')
    expect(liveSchema(tool, 'oneOf')).toEqual({
      type: 'object',
      oneOf: [
        {
          type: 'object',
          properties: { action: { const: 'spawn' }, id: ID, arguments: inside },
          required: ['action', 'id', 'arguments'],
          additionalProperties: false,
        },
      ],
    })
    expect(liveSchema(tool, 'flat')).toMatchObject({
      description: '"spawn" also needs arguments.',
      properties: { arguments: inside },
    })
  },
)

test.for<[string, SchemaObject]>([
  ['oneOf', { oneOf: [{ properties: { id: {} }, required: ['id'] }, { required: ['path'] }] }],
  ['anyOf', { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }],
  ['allOf', { allOf: [{ $ref: '#/$defs/line' }], $defs: own.$defs }],
  ['$ref', { $ref: '#/$defs/line', $defs: own.$defs }],
  ['not', { not: { required: ['a'] } }],
  ['open fields', { properties: { a: {} }, additionalProperties: { type: 'string' } }],
])(
  'a schema with %s at its root is nested completely in a field, and checks the same',
  ([, schema]) => {
    const tool = makeTool(schema, ['spawn', 'fetch'])
    const { $defs, ...whole } = schema
    expect(locateArguments(tool)).toBe('inside')
    const inside = { type: 'object', ...whole }
    expect(liveSchema(tool, 'flat')).toMatchObject({
      ...($defs !== undefined && { $defs }),
      properties: { action: { enum: ['spawn', 'fetch'] }, id: ID, arguments: inside },
      required: ['action', 'id'],
    })
    expect(Object.keys(Object(liveSchema(tool, 'flat')))).not.toContain('oneOf')
    expect(liveSchema(tool, 'oneOf')).toMatchObject({
      oneOf: [{ properties: { arguments: inside } }, {}],
    })
  },
)

test.for<JsonSchema>([true, {}, { properties: null }, { properties: 'id' }, { required: 'id' }])(
  'a tool whose schema names no properties accepts no arguments: %j',
  (schema) => {
    expect(locateArguments(makeTool(schema))).toBe('beside')
    expect(liveSchema(makeTool(schema, ['spawn']), 'oneOf')).toStrictEqual({
      type: 'object',
      oneOf: [
        {
          type: 'object',
          properties: { action: { const: 'spawn' }, id: ID },
          required: ['action', 'id'],
          additionalProperties: false,
        },
      ],
    })
  },
)

test('a model receives the actions of a live tool, and none of its functions', () => {
  const tool: Tool = {
    ...makeTool(own, ['fetch']),
    title: 'Shell',
    formatArguments: async () => ({ content: [], isError: false }),
  }
  expect(getDefinition(tool, 'flat')).toStrictEqual({
    name: 'shell',
    title: 'Shell',
    inputSchema: own,
  })
  const live: Tool = { ...tool, spawn: () => Promise.reject(new Error('never started')) }
  for (const form of ['flat', 'oneOf'] as const)
    expect(getDefinition(live, form)).toStrictEqual({
      name: 'shell',
      title: 'Shell',
      inputSchema: liveSchema(live, form),
    })
})
