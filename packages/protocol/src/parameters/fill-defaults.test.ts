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

test('what is absent gets its default, what is there stays', () => {
  expect(fillDefaults({}, schema)).toEqual({ limit: 3, tags: ['a'] })
  expect(fillDefaults({ limit: null, more: 1 }, schema)).toEqual({
    limit: null,
    more: 1,
    tags: ['a'],
  })
})

test('objects and list items that are there are filled too', () => {
  expect(fillDefaults({ range: {}, rows: [{}, { open: true }, 7] }, schema)).toMatchObject({
    range: { first: 1 },
    rows: [{ open: false }, { open: true }, 7],
  })
})

test('a default is a copy: what is done to it is done to one call', () => {
  const { tags } = fillDefaults({}, schema)
  ;(tags as string[]).push('b')
  expect(fillDefaults({}, schema)['tags']).toEqual(['a'])
})

test('a name like one of JavaScript is a name like any other', () => {
  const odd = {
    properties: JSON.parse('{"__proto__": {"default": 1}, "toString": {"default": 2}}'),
  }
  const filled = fillDefaults({}, odd)
  expect(Object.entries(filled)).toEqual([
    ['__proto__', 1],
    ['toString', 2],
  ])
})

test('a schema that says nothing of properties fills nothing', () => {
  for (const none of [true, false, {}, { properties: [] }])
    expect(fillDefaults({ a: 1 }, none as never)).toEqual({ a: 1 })
})
