import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashJson } from './hash-json.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

test('the hash of a value does not depend on the order of keys, at any depth', () => {
  expect(hashJson({ b: 1, a: { d: [1, 2], c: null } })).toBe(
    sha256('{"a":{"c":null,"d":[1,2]},"b":1}'),
  )
  expect(hashJson({ a: { c: null, d: [1, 2] }, b: 1 })).toBe(
    hashJson({ b: 1, a: { d: [1, 2], c: null } }),
  )
  expect(hashJson([{ b: 1, a: 2 }])).toBe(sha256('[{"a":2,"b":1}]'))
})

test('the hash depends on the order of a list and on missing keys', () => {
  expect(hashJson([1, 2])).not.toBe(hashJson([2, 1]))
  expect(hashJson({ a: null })).not.toBe(hashJson({}))
  expect(hashJson({ a: undefined })).toBe(hashJson({}))
})
