import { parse, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { liesBelow } from './lies-below.ts'

test.for([
  ['/a', '/a', true],
  ['/a/b/c', '/a', true],
  ['/a/..b', '/a', true],
  ['/ab', '/a', false],
  ['/', '/a', false],
  ['/a/../b', '/a', false],
  ['/a', '/', true],
] as const)('%s lies below %s: %s', ([path, folder, expected]) => {
  expect(liesBelow(resolve(path), resolve(folder))).toBe(expected)
})

test('all lies below the root', () => {
  expect(liesBelow(process.cwd(), parse(process.cwd()).root)).toBe(true)
})
