import fc from 'fast-check'
import { expect, test } from 'vitest'
import { appendPointer, followReference, splitPointer, valueAtPointer } from './json-pointer.ts'

test('a pointer is read back into its steps, with any characters', () => {
  const step = fc.oneof(fc.string(), fc.constantFrom('~1', '/', '~', '', '~01'))
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      expect(splitPointer(steps.reduce(appendPointer, ''))).toEqual(steps)
    }),
  )
})

test('slashes and tildes are escaped as in RFC 6901', () => {
  expect(appendPointer(appendPointer('', 'a/b~c'), 0)).toBe('/a~1b~0c/0')
})

test('a pointer finds a value among own properties, also of arrays', () => {
  const document = { 'a/b': [{ c: 1 }] }
  expect(valueAtPointer(document, '/a~1b/0/c')).toBe(1)
  expect(valueAtPointer(document, '')).toBe(document)
  for (const pointer of ['/toString', '/a~1b/1', '/a~1b/0/c/d', 'a', '/a/b'])
    expect(valueAtPointer(document, pointer)).toBeUndefined()
})

const root = { $defs: { 'a b': { type: 'string' }, 'c/d': true } }

test.for([
  ['#', root, ''],
  ['#/$defs/a%20b', root.$defs['a b'], '/$defs/a b'],
  ['#/$defs/c~1d', true, '/$defs/c~1d'],
] as const)('%s resolves to a part of its schema', ([reference, schema, path]) => {
  expect(followReference(root, reference)).toEqual({ schema, path })
})

test.for(['#/$defs/x', '#anchor', '#/%zz', 'other.json#/$defs/a', '', 7, undefined])(
  '%j does not resolve',
  (reference) => {
    expect(followReference(root, reference)).toBeUndefined()
  },
)
