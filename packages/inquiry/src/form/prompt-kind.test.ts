import type { JsonSchema } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { getPromptKind, type PromptKind } from './prompt-kind.ts'

const x = { value: 'x', title: 'x' }

test.for<[JsonSchema, PromptKind]>([
  [{ type: 'boolean' }, { kind: 'yes-no' }],
  [{ type: 'string' }, { kind: 'text', lines: 'several' }],
  [
    { type: 'string', maxLength: 200 },
    { kind: 'text', lines: 'several' },
  ],
  [
    { type: 'string', maxLength: 199 },
    { kind: 'text', lines: 'one' },
  ],
  [
    { type: 'string', format: 'email' },
    { kind: 'text', lines: 'one' },
  ],
  [
    { type: 'string', pattern: '^a' },
    { kind: 'text', lines: 'one' },
  ],
  [{ type: 'number' }, { kind: 'number', numbers: 'any' }],
  [{ type: 'integer' }, { kind: 'number', numbers: 'whole' }],
  [{ enum: ['x'] }, { kind: 'select', choices: [x] }],
  [
    { type: 'string', enum: ['x'] },
    { kind: 'select', choices: [x] },
  ],
  [
    { type: 'array', items: { enum: ['x'] } },
    { kind: 'multi-select', choices: [x] },
  ],
  [{ type: 'array', items: { type: 'string' } }, { kind: 'lines' }],
  [{ type: ['string', 'null'] }, { kind: 'text', lines: 'several' }],
  [{ type: ['null', 'integer'] }, { kind: 'number', numbers: 'whole' }],
  [{ $ref: '#/$defs/flag', $defs: { flag: { type: 'boolean' } } }, { kind: 'yes-no' }],
])('%j is asked with %j', ([schema, prompt]) => {
  expect(getPromptKind(schema)).toEqual(prompt)
})

test('a flat object is a form of its properties, in their order', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'boolean' } },
    required: ['b'],
    additionalProperties: false,
  }
  expect(getPromptKind(schema)).toEqual({
    kind: 'form',
    fields: [
      {
        name: 'a',
        schema: { type: 'string' },
        prompt: { kind: 'text', lines: 'several' },
        required: false,
      },
      { name: 'b', schema: { type: 'boolean' }, prompt: { kind: 'yes-no' }, required: true },
    ],
  })
  expect(getPromptKind({ ...schema, additionalProperties: true })).toMatchObject({ kind: 'form' })
  expect(getPromptKind({ ...schema, required: 'b' })).toMatchObject({
    fields: [{ required: false }, { required: false }],
  })
})

const flat = { type: 'object', properties: { a: { type: 'string' } } }

test.for<[string, JsonSchema]>([
  ['anything', true],
  ['nothing', false],
  ['no type', {}],
  ['a type no prompt has', { type: 'null' }],
  ['several types', { type: ['string', 'number'] }],
  ['several types and null', { type: ['string', 'number', 'null'] }],
  ['a reference to nothing', { $ref: '#/$defs/gone' }],
  ['a reference to itself', { $ref: '#' }],
  ['a list of anything', { type: 'array' }],
  ['a list of what a schema of one word says', { type: 'array', items: true }],
  ['a list of numbers', { type: 'array', items: { type: 'number' } }],
  [
    'a list whose first item is another',
    { type: 'array', items: { type: 'string' }, prefixItems: [{ type: 'number' }] },
  ],
  ['an object of unknown properties', { type: 'object' }],
  ['an object without properties', { type: 'object', properties: {} }],
  ['properties of what may be no object', { properties: { a: { type: 'string' } } }],
  ['an object in an object', { type: 'object', properties: { a: { type: 'string' }, b: flat } }],
  ['a property that may be anything', { type: 'object', properties: { a: true } }],
  ['properties of a pattern', { ...flat, patternProperties: { b: { type: 'string' } } }],
  ['further properties with a schema', { ...flat, additionalProperties: { type: 'string' } }],
  ['a needed property that is not described', { ...flat, required: ['a', 'b'] }],
])('%s is answered in the editor', ([, schema]) => {
  expect(getPromptKind(schema)).toEqual({ kind: 'editor' })
})

test('a property that is a reference is its target, which finds the definitions', () => {
  const $defs = {
    flag: { type: 'boolean', title: 'Flag' },
    same: { $ref: '#/$defs/flag', description: 'Same.' },
  }
  const properties = { a: { $ref: '#/$defs/same', title: 'Own' }, b: { type: ['string', 'null'] } }
  expect(getPromptKind({ type: 'object', properties, $defs })).toEqual({
    kind: 'form',
    fields: [
      {
        name: 'a',
        schema: { $defs, type: 'boolean', title: 'Own', description: 'Same.' },
        prompt: { kind: 'yes-no' },
        required: false,
      },
      {
        name: 'b',
        schema: properties.b,
        prompt: { kind: 'text', lines: 'several' },
        required: false,
        takesNull: true,
      },
    ],
  })
})
