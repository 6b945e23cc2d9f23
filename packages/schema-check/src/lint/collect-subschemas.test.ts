import { expect, test } from 'vitest'
import { subschemasInPlace, getSubschemas } from './collect-subschemas.ts'

const inside = { type: 'string' }

test.for<[keywords: readonly string[], said: unknown, ...places: string[]]>([
  [
    [
      'additionalItems',
      'additionalProperties',
      'contains',
      'contentSchema',
      'else',
      'if',
      'items',
      'not',
      'propertyNames',
      'then',
      'unevaluatedItems',
      'unevaluatedProperties',
    ],
    inside,
    '',
  ],
  [['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'], [inside, true], '/0', '/1'],
  [
    ['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'],
    { 'a/b': inside, c: false, names: ['a'] },
    '/a~1b',
    '/c',
  ],
  [['const', 'default', 'enum', 'examples', 'x'], inside],
  [['const', 'default', 'enum', 'examples', 'x'], [inside]],
  [['additionalProperties', 'not', 'items'], true],
  [['properties', '$defs'], 7],
])('in %j schemas are found at the places of the keyword: %j', ([keywords, value, ...places]) => {
  for (const keyword of keywords) {
    const subschemas = getSubschemas({ schema: { [keyword]: value }, path: '/at' })
    expect([keyword, subschemas.map(({ path }) => path)]).toEqual([
      keyword,
      places.map((path) => `/at/${keyword}${path}`),
    ])
    expect(subschemas.map(({ schema }) => schema)).toEqual(
      [value, ...Object.values(Object(value))].filter((part) =>
        subschemas.some(({ schema }) => schema === part),
      ),
    )
  }
})

test('a value that is not an object contains no schemas', () => {
  for (const schema of [true, null, 'a', [inside]])
    expect(getSubschemas({ schema, path: '' })).toEqual([])
})

test('some subschemas apply to the same value, others to its parts or never', () => {
  const list = ['allOf', 'anyOf', 'oneOf']
  const map = ['dependencies', 'dependentSchemas', 'properties', '$defs']
  const single = ['else', 'if', 'not', 'then', 'items', 'contains', 'propertyNames']
  const schema = Object.fromEntries([
    ...list.map((keyword) => [keyword, [inside]]),
    ...map.map((keyword) => [keyword, { a: inside }]),
    ...single.map((keyword) => [keyword, inside]),
  ])
  expect(subschemasInPlace({ schema, path: '' }).map(({ path }) => path)).toEqual([
    '/allOf/0',
    '/anyOf/0',
    '/oneOf/0',
    '/dependencies/a',
    '/dependentSchemas/a',
    '/else',
    '/if',
    '/not',
    '/then',
  ])
  expect(subschemasInPlace({ schema: true, path: '' })).toEqual([])
})
