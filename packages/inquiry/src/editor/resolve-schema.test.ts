import type { JsonSchema } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { resolveSchema } from './resolve-schema.ts'

const text = { type: 'string' }
const root = {
  $defs: {
    text,
    either: { oneOf: [{ $ref: '#/$defs/text' }, { type: 'null' }] },
    itself: { $ref: '#/$defs/itself' },
    odd: 7,
  },
}

test.for<[string, unknown, JsonSchema]>([
  ['a schema as it is', text, text],
  ['what a reference leads to', { $ref: '#/$defs/text' }, text],
  ['the first alternative of oneOf', { oneOf: [text, { type: 'null' }] }, text],
  ['the first alternative of anyOf', { anyOf: [text, { type: 'null' }] }, text],
  ['what references and alternatives lead to together', { $ref: '#/$defs/either' }, text],
  ['constants to choose from, which stay', { oneOf: [{ const: 1 }] }, { oneOf: [{ const: 1 }] }],
  ['alternatives beside a type, which stay', { ...text, anyOf: [{}] }, { ...text, anyOf: [{}] }],
  [
    'alternatives beside properties, which stay',
    { properties: {}, oneOf: [text] },
    { properties: {}, oneOf: [text] },
  ],
  ['alternatives that are no schemas, which stay', { oneOf: [true] }, { oneOf: [true] }],
  ['no list of alternatives, which stays', { oneOf: 'x' }, { oneOf: 'x' }],
  ['anything for a reference that leads nowhere', { $ref: '#/$defs/none' }, true],
  ['anything for what is no schema', { $ref: '#/$defs/odd' }, true],
  ['anything for what is none at all', 7, true],
  ['nothing where nothing fits', false, false],
])('a template is made of %s', ([, schema, resolved]) => {
  expect(resolveSchema(schema, root)).toEqual(resolved)
})

test('sixteen steps are followed, so that what leads to itself ends', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 17 }, (_, at) => [
      `s${at}`,
      at === 16 ? text : { $ref: `#/$defs/s${at + 1}` },
    ]),
  )
  expect(resolveSchema({ $ref: '#/$defs/s1' }, { $defs })).toEqual(text)
  expect(resolveSchema({ $ref: '#/$defs/s0' }, { $defs })).toEqual({ $ref: '#/$defs/s16' })
  expect(resolveSchema({ $ref: '#/$defs/itself' }, root)).toEqual({ $ref: '#/$defs/itself' })
})
