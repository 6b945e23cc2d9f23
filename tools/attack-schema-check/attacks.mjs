import { doubling, named, nest, text, times } from './build-values.mjs'

/** Attacks that must not take long, with any verdict: a schema for each, and a function that creates its value. */
export const ATTACKS = {
  'required of 10,000 names for 20,000 items': [
    { items: { required: times(10_000, (index) => `p${index}`) } },
    () => times(20_000, () => ({})),
  ],
  'required of 10,000 names for 9 items': [
    { items: { required: times(10_000, (index) => `p${index}`) } },
    () => times(9, () => ({})),
  ],
  'errors for a million values': [{ items: { type: 'string' } }, () => times(999_999, () => 1)],
  'an enum of 1,000 objects for 200,000 objects': [
    { items: { enum: times(1000, (index) => ({ index })) } },
    () => times(200_000, (index) => ({ index })),
  ],
  'an enum of long texts': [
    { items: { enum: times(20, (index) => `${'x'.repeat(10_000)}${index}`) } },
    () => times(500, () => `${'x'.repeat(10_000)}?`),
  ],
  'a counted class on 5 MB': [{ pattern: '[a-b]{1,500}[?!]' }, () => text(5_000_000)],
  'an anchored counted class on 5 MB': [{ pattern: '^[a-b]{1,900}$' }, () => text(5_000_000)],
  'a counted class on 60,000 characters': [{ pattern: 'a.{400}[?!]' }, () => text(60_000)],
  'a counted class up to the bound': [{ pattern: 'a.{400}[?!]' }, () => text(56_000)],
  'a small pattern of many states on 5 MB': [{ pattern: 'a[ab]{8}[?!]' }, () => text(5_000_000)],
  'a pattern of 30 steps on 680 KB': [{ pattern: 'a[ab]{27}[?!]' }, () => text(680_000)],
  'fifty patterns of 30 steps': [
    { allOf: times(50, (index) => ({ pattern: `a[ab]{${25 + (index % 5)}}[?!${index}]` })) },
    () => text(13_000),
  ],
  'an alternation of words': [
    { pattern: `(?:${times(30, (index) => `ab${index}`).join('|')})[?!]` },
    () => text(120_000),
  ],
  'properties of Unicode': [
    {
      allOf: ['L', 'Lu', 'Script=Greek', 'Emoji', 'Cn', 'Script=Latin', 'Nd'].map((name) => ({
        pattern: `\\p{${name}}`,
      })),
    },
    () => 'x',
  ],
  'five properties of Unicode': [
    { pattern: '\\p{L}\\p{Lu}\\p{Script=Greek}\\p{Cn}' },
    () => text(20_000),
  ],
  'format url on 5 MB': [{ format: 'url' }, () => `http://${':'.repeat(5_000_000)}`],
  'format url up to the bound': [{ format: 'url' }, () => `http://${':'.repeat(15_000)}`],
  'format url, dashes': [{ format: 'url' }, () => `http://${'a-'.repeat(7_000)}`],
  'format regex on 1.4 MB': [{ format: 'regex' }, () => '(a)'.repeat(480_000)],
  'formats on 5 MB': [
    {
      anyOf: ['email', 'uri', 'uri-reference', 'hostname', 'uri-template'].map((format) => ({
        format,
      })),
    },
    () => 'a.'.repeat(500_000),
  ],
  'format iso-date-time on 5 MB': [{ format: 'iso-date-time' }, () => 't'.repeat(5_000_000)],
  'byte and json-pointer on 5 MB': [
    { allOf: [{ format: 'json-pointer' }, { format: 'byte' }] },
    () => '/AAA'.repeat(800_000),
  ],
  'lengths of a text of 5 MB': [
    { allOf: times(500, (index) => ({ minLength: index })) },
    () => 'x'.repeat(5_000_000),
  ],
  'lengths of a text of 50 KB': [
    { allOf: times(500, (index) => ({ maxLength: index })) },
    () => 'x'.repeat(50_000),
  ],
  'five hundred types for an object of 500,000 names': [
    { allOf: times(500, () => ({ type: 'string' })) },
    () => named(500_000, () => 1),
  ],
  'references that double in place': [doubling(40, { type: 'string' }), () => 1],
  'references that double in place up to the bound': [
    { items: doubling(12, { type: 'string' }), $defs: doubling(12, { type: 'string' }).$defs },
    () => times(300, () => 1),
  ],
  'references that double with every level of the value': [
    { anyOf: [{ items: { $ref: '#' } }, { items: { $ref: '#' } }] },
    () => nest(100, (value) => [value], 1),
  ],
  'a schema and value as deep as they may be': [
    { anyOf: [{ type: 'array', items: { allOf: [{ $ref: '#' }] } }, { type: 'number' }] },
    () => nest(120, (value) => [value], 1),
  ],
  '1,000 references': [
    {
      properties: named(1000, (index) => ({ $ref: `#/$defs/p${index}` })),
      $defs: named(1000, () => ({ type: 'string' })),
    },
    () => named(1000, () => 1),
  ],
  'references to one place, written 7 ways': [
    {
      allOf: [
        '#/$defs/x',
        '#/%24defs/x',
        '#/$def%73/x',
        '#/$de%66s/x',
        '#/$d%65fs/x',
        '#/$%64efs/x',
        '#/$defs/%78',
      ].map(($ref) => ({ $ref })),
      $defs: { x: { properties: named(1000, () => ({ type: 'string' })) } },
    },
    () => ({}),
  ],
  'references to every level of a deep schema': [
    (() => {
      const paths = times(14, (level) => `#${'/properties/a'.repeat(level)}`)
      const inner = { properties: named(500, () => ({ type: 'string' })) }
      return {
        ...nest(14, (schema) => ({ properties: { a: schema } }), inner),
        $defs: { all: { items: { allOf: paths.map(($ref) => ({ $ref })) } } },
      }
    })(),
    () => ({}),
  ],
  'oneOf of 500 for 5,000 items': [
    { items: { oneOf: times(500, (index) => ({ const: index })) } },
    () => times(5000, (index) => index),
  ],
  'anyOf of 500 objects for many items': [
    {
      items: {
        anyOf: times(500, (index) => ({ properties: { kind: { const: index } }, required: ['a'] })),
      },
    },
    () => times(2000, (index) => ({ kind: index })),
  ],
  'anyOf of 500 that all fail': [
    { items: { anyOf: times(500, (index) => ({ required: [`p${index}`] })) } },
    () => times(10, () => ({})),
  ],
  '500 patterns for names': [
    {
      patternProperties: Object.fromEntries(
        times(500, (index) => [`^p${index}$`, { type: 'string' }]),
      ),
    },
    () => named(3000, () => 1),
  ],
  'a pattern for a million names': [
    { propertyNames: { pattern: '^p[0-9]+$' }, additionalProperties: { type: 'number' } },
    () => named(900_000, () => 1),
  ],
  '440,000 names of one object': [
    { additionalProperties: { type: 'number' }, minProperties: 2 },
    () => named(440_000, () => 1),
  ],
  'items compared, nested': [
    { uniqueItems: true, items: { $ref: '#' } },
    () => nest(100, (value) => [value, ...times(5000, (index) => ({ index }))], 1),
  ],
  'items compared: 140,000 objects': [
    { uniqueItems: true },
    () => times(140_000, (index) => ({ index, name: `n${index}` })),
  ],
  'const of a large value': [
    { items: { const: times(10_000, (index) => index) } },
    () => times(90, () => times(10_000, (index) => index)),
  ],
  'evaluated names, many schemas': [
    {
      allOf: times(100, () => ({ anyOf: [{ properties: { a: {} } }, true] })),
      unevaluatedProperties: { type: 'number' },
    },
    () => named(30_000, () => 1),
  ],
  'evaluated names of patterns': [
    {
      anyOf: times(100, (index) => ({ patternProperties: { [`^p${index}`]: true } })),
      unevaluatedProperties: false,
    },
    () => named(4_000, () => 1),
  ],
  '4,096 properties': [
    { properties: named(4000, () => ({ type: 'string', minLength: 1 })) },
    () => named(4000, () => 1),
  ],
  'a document of 256 KB of values': [{ default: times(26_000, () => 0) }, () => 1],
  'a document of 900 enums': [
    { properties: named(900, (index) => ({ enum: times(25, (value) => value + index) })) },
    () => named(1000, () => -1),
  ],
  'long names in 4,000 subschemas': [
    {
      anyOf: times(500, (index) => ({
        title: 'x'.repeat(300),
        properties: named(6, () => ({ type: 'null', title: 'y' })),
        minProperties: index,
      })),
    },
    () => named(6, () => 1),
  ],
}
