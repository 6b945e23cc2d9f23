import { expect, test } from 'vitest'
import { readChoices } from './read-choices.ts'

test('the values of an enumeration are choices, with their names if they have any', () => {
  const values = ['x', 1, true, null]
  const titles = ['x', '1', 'true', 'null']
  const choices = values.map((value, index) => ({ value, title: titles[index] }))
  expect(readChoices({ enum: values })).toEqual(choices)
  expect(readChoices({ enum: values, enumNames: 'none' })).toEqual(choices)
  expect(readChoices({ enum: ['x', 'y', 'z'], enumNames: ['X', '', 7] })).toEqual([
    { value: 'x', title: 'X' },
    { value: 'y', title: 'y' },
    { value: 'z', title: 'z' },
  ])
})

test.for(['oneOf', 'anyOf'])('constants under %s are choices, with their titles', (keyword) => {
  expect(readChoices({ [keyword]: [{ const: 'x', title: 'X' }, { const: null }] })).toEqual([
    { value: 'x', title: 'X' },
    { value: null, title: 'null' },
  ])
})

test('an enumeration takes priority over alternatives, and oneOf over anyOf', () => {
  const one = [{ const: 1 }]
  const two = [{ const: 2 }]
  expect(readChoices({ enum: ['x'], oneOf: one })).toEqual([{ value: 'x', title: 'x' }])
  expect(readChoices({ oneOf: one, anyOf: two })).toEqual([{ value: 1, title: '1' }])
})

test.for([
  {},
  { enum: [] },
  { enum: 'xy' },
  { enum: ['x', {}] },
  { enum: [['x']] },
  { oneOf: [] },
  { oneOf: { const: 1 } },
  { oneOf: [{ const: 1 }, { type: 'string' }] },
  { oneOf: [{ const: 1 }, true] },
  { anyOf: [{ const: {} }] },
])('%j is not a list of choices', (schema) => {
  expect(readChoices(schema)).toBeUndefined()
})

test('values that look alike have their JSON as titles, and each value is listed once', () => {
  expect(readChoices({ enum: ['yes', 'no', 'yes', 1, '1', null, 'null'] })).toEqual([
    { value: 'yes', title: 'yes' },
    { value: 'no', title: 'no' },
    { value: 1, title: '1' },
    { value: '1', title: '"1"' },
    { value: null, title: 'null' },
    { value: 'null', title: '"null"' },
  ])
  expect(readChoices({ enum: ['a', 'b', 'c'], enumNames: ['Same', 'Same', 'Other'] })).toEqual([
    { value: 'a', title: 'Same ("a")' },
    { value: 'b', title: 'Same ("b")' },
    { value: 'c', title: 'Other' },
  ])
})
