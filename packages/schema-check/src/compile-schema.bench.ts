import { test } from 'vitest'
import { compileSchema } from './compile-schema.ts'

const makeSchema = (index: number) => ({
  type: 'object',
  title: `schema ${index}`,
  properties: {
    name: { type: 'string', pattern: `^x${index}` },
    count: { type: 'integer', minimum: index },
    items: {
      type: 'array',
      items: { properties: { kind: { enum: ['a', 'b'] } }, required: ['kind'] },
    },
  },
  required: ['name'],
  additionalProperties: false,
})

test('compiling an unknown schema, and checking one value', async ({ bench }) => {
  let index = 0
  await bench('compile and check', () => {
    index += 1
    const compiled = compileSchema(makeSchema(index))
    if (compiled.ok) compiled.check({ name: `x${index}` })
  }).run()
})

test('checking one value with a known schema', async ({ bench }) => {
  const schema = makeSchema(1)
  await bench('check', () => {
    const compiled = compileSchema(schema)
    if (compiled.ok) compiled.check({ name: 'x1', count: 3, items: [{ kind: 'a' }] })
  }).run()
})

const makeTool = (index: number) => ({
  ...makeSchema(index),
  $defs: { place: { type: 'object', properties: { line: { type: 'integer' } } } },
  properties: {
    path: { type: 'string', description: `The file to work on, number ${index}.`, minLength: 1 },
    mode: { type: 'string', enum: ['read', 'write', 'append'], default: 'read' },
    from: { $ref: '#/$defs/place' },
    to: { anyOf: [{ $ref: '#/$defs/place' }, { type: 'null' }] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 20 },
    options: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 8 }, (_, option) => [`option${option}`, { type: 'boolean' }]),
      ),
      additionalProperties: false,
    },
  },
})

test('preparing the schemas of 344 tools without a call', async ({ bench }) => {
  let index = 1_000_000
  await bench('prepare 344', () => {
    for (let tool = 0; tool < 344; tool++) compileSchema(makeTool((index += 1)))
  }).run()
})

test('checking a value of several megabytes', async ({ bench }) => {
  const schema = { items: makeSchema(1) }
  const rows = Array.from({ length: 20_000 }, () => {
    return { name: 'x1', count: 3, items: [{ kind: 'a' }, { kind: 'b' }] }
  })
  await bench('check 20,000 rows', () => {
    const compiled = compileSchema(schema)
    if (compiled.ok) compiled.check(rows)
  }).run()
})
