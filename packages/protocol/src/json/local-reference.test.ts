import { expect, test } from 'vitest'
import { followReference } from './local-reference.ts'

const root = { $defs: { 'a b': { type: 'string' }, 'c/d': true } }

test.for([
  ['#', root, ''],
  ['#/$defs/a%20b', root.$defs['a b'], '/$defs/a b'],
  ['#/$defs/c~1d', true, '/$defs/c~1d'],
] as const)('%s leads to a place of its schema', ([reference, schema, path]) => {
  expect(followReference(root, reference)).toEqual({ schema, path })
})

test.for(['#/$defs/x', '#anchor', '#/%zz', 'other.json#/$defs/a', '', 7, undefined])(
  '%j leads nowhere',
  (reference) => {
    expect(followReference(root, reference)).toBeUndefined()
  },
)
