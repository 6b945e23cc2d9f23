import { named, nest, row, rowSchema, sizeDefs, text, times } from './build-values.mjs'

/** Values that must be checked at any size: `valid` is expected. */
export const ORDINARY = {
  '60,000 rows (10 MB) under an ordinary schema': [
    { type: 'array', items: rowSchema, $defs: sizeDefs },
    () => times(60_000, row),
  ],
  'a text of 5 MB with a length and a short pattern': [
    { type: 'string', maxLength: 10_000_000, pattern: '^[a-z]+$' },
    () => text(5_000_000),
  ],
  'an enum of 1,000 for 900,000 values': [
    { items: { enum: times(1000, (index) => `value ${index}`) } },
    () => times(900_000, (index) => `value ${index % 1000}`),
  ],
  'a million numbers that all differ': [
    { type: 'array', items: { type: 'number' }, uniqueItems: true },
    () => times(999_999, (index) => index),
  ],
  '4,096 subschemas': [
    { properties: named(2000, () => ({ items: { type: 'string' } })) },
    () => named(2000, () => ['a']),
  ],
  'a tree of 250,000 nodes with a recursive reference': [
    {
      $ref: '#/$defs/node',
      $defs: {
        node: { properties: { children: { items: { $ref: '#/$defs/node' } } }, required: ['name'] },
      },
    },
    () =>
      nest(
        12,
        (node) => ({
          name: 'n',
          children: [node, { name: 'l' }, ...times(20_000, () => ({ name: 'l' }))],
        }),
        {
          name: 'end',
        },
      ),
  ],
}
