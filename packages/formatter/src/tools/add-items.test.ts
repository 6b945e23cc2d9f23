import { expect, test } from 'vitest'
import { anthropicProfile } from '../anthropic.ts'
import { google2Profile, googleProfile } from '../google.ts'
import { openaiChatProfile, openaiCompatibleProfile, openaiResponsesProfile } from '../openai.ts'
import { addItems } from './add-items.ts'
import { toProviderTools } from './to-provider-tools.ts'

const properties = {
  a: { type: 'array' },
  b: { type: ['array', 'null'], default: { type: 'array' } },
  c: { anyOf: [{ type: 'array', prefixItems: [{ type: 'array' }] }] },
  d: { type: 'array', items: { type: 'string' } },
  e: { type: 'array', items: [] },
  type: { type: 'string', enum: ['array'] },
}

test('every array says that it holds anything, at any depth, and the places are listed', () => {
  const { schema, changes } = addItems({ type: 'object', properties })
  expect(schema).toEqual({
    type: 'object',
    properties: {
      ...properties,
      a: { type: 'array', items: {} },
      b: { ...properties.b, items: {} },
      c: {
        anyOf: [{ type: 'array', prefixItems: [{ type: 'array', items: {} }], items: {} }],
      },
    },
  })
  expect(changes.map(({ code, path }) => [code, path])).toEqual([
    ['items-added', '/properties/a'],
    ['items-added', '/properties/b'],
    ['items-added', '/properties/c/anyOf/0'],
    ['items-added', '/properties/c/anyOf/0/prefixItems/0'],
  ])
})

test('a schema without such an array is given on as it is', () => {
  const schema = { type: 'object', properties: { d: properties.d } }
  expect(addItems(schema)).toEqual({ schema, changes: [] })
  expect(addItems(schema).schema).toBe(schema)
})

test.for([
  [openaiChatProfile, 1],
  [openaiResponsesProfile, 1],
  [openaiCompatibleProfile, 1],
  [googleProfile, 1],
  [google2Profile, 1],
  [anthropicProfile, 0],
] as const)('$0.name is told of items where it refuses an array without', ([profile, count]) => {
  const inputSchema = { type: 'object', properties: { a: properties.a } }
  const { tools, changes } = toProviderTools([{ name: 'x', inputSchema }], [], profile)
  expect(changes.map(({ path }) => path)).toEqual(
    count === 1 ? ['/tools/0/inputSchema/properties/a'] : [],
  )
  expect(tools[0]?.inputSchema['properties']).toEqual({
    a: count === 1 ? { type: 'array', items: {} } : { type: 'array' },
  })
})

test('the same schema is written once for each rule, and its changes name each place it stands at', () => {
  const inputSchema = { type: 'object', properties: { 'a.b': properties.a } }
  const [one, two] = [
    { name: 'one', inputSchema },
    { name: 'two', inputSchema },
  ]
  const google = toProviderTools([one, two], [], googleProfile)
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
