import { test } from 'vitest'
import { compileSchema } from './compile-schema.ts'

const schemaOf = (index: number) => ({
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

test('compiling a schema never seen, and checking one value', async ({ bench }) => {
  let index = 0
  await bench('compile and check', () => {
    index += 1
    const compiled = compileSchema(schemaOf(index))
    if (compiled.ok) compiled.check({ name: `x${index}` })
  }).run()
})

test('checking one value with a schema known', async ({ bench }) => {
  const schema = schemaOf(1)
  await bench('check', () => {
    const compiled = compileSchema(schema)
    if (compiled.ok) compiled.check({ name: 'x1', count: 3, items: [{ kind: 'a' }] })
  }).run()
})
