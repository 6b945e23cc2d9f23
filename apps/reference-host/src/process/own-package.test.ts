import { expect, test } from 'vitest'
import { isOlder } from './own-package.ts'

test.for<[string, boolean]>([
  ['20.20.2', true],
  ['22.17.9', true],
  ['22.18.0', false],
  ['22.18.1', false],
  ['24.0.0', false],
  ['8.99.99', true],
])('%s is older than 22.18: %s', ([version, older]) => {
  expect(isOlder(version, '22.18')).toBe(older)
})
