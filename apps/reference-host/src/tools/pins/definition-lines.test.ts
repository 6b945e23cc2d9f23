import { expect, test } from 'vitest'
import { definitionLines } from './definition-lines.ts'

test('each line says its place, and texts go by their lines', () => {
  const lines = definitionLines({
    name: 'a',
    summary: 'Reads.',
    description: 'One.\nTwo.',
    inputSchema: {
      type: 'object',
      properties: { 'a.b': { type: ['string', 'null'] }, c: {} },
      required: ['c'],
    },
    stateful: true,
  })
  expect(lines.split('\n')).toEqual([
    'description: "One."',
    'description: "Two."',
    'inputSchema.required: ["c"]',
    'inputSchema.type: "object"',
    'parameters."a.b".type: ["string","null"]',
    'parameters.c: {}',
    'stateful: true',
    'summary: "Reads."',
  ])
})

test('a schema that is no object is a line, too', () => {
  expect(definitionLines({ name: 'a', inputSchema: true })).toBe('inputSchema: true')
})
