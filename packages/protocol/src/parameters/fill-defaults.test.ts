import { expect, test } from 'vitest'
import { fillDefaults } from './fill-defaults.ts'

const schema = {
  properties: {
    limit: { default: 3 },
    tags: { default: ['a'] },
    range: { properties: { first: { default: 1 } } },
    rows: { items: { properties: { open: { default: false } } } },
  },
}

test('an absent value gets its default, a given value is unchanged', () => {
  expect(fillDefaults({}, schema)).toEqual({ limit: 3, tags: ['a'] })
  expect(fillDefaults({ limit: null, more: 1 }, schema)).toEqual({
    limit: null,
    more: 1,
    tags: ['a'],
  })
})

test('given objects and list items are filled too', () => {
  expect(fillDefaults({ range: {}, rows: [{}, { open: true }, 7] }, schema)).toMatchObject({
    range: { first: 1 },
    rows: [{ open: false }, { open: true }, 7],
  })
})

test('a default is a copy, so a change of it affects one call only', () => {
  const { tags } = fillDefaults({}, schema)
  ;(tags as string[]).push('b')
  expect(fillDefaults({}, schema)['tags']).toEqual(['a'])
})

test('a name that JavaScript also uses is handled as any other name', () => {
  const odd = {
    properties: JSON.parse('{"__proto__": {"default": 1}, "toString": {"default": 2}}'),
  }
  const filled = fillDefaults({}, odd)
  expect(Object.entries(filled)).toEqual([
    ['__proto__', 1],
    ['toString', 2],
  ])
})

test('a schema without properties fills nothing', () => {
  for (const none of [true, false, {}, { properties: [] }])
    expect(fillDefaults({ a: 1 }, none as never)).toEqual({ a: 1 })
})
