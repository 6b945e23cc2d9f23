import { expect, test } from 'vitest'
import { isSkippedWithout, requireProgram } from './needed-programs.support.ts'

const missing = 'no Chromium was found'

test.for([
  ['is there', undefined, {}, false],
  ['is there on CI', undefined, { CI: '1' }, false],
  ['is missing', missing, {}, true],
  ['is missing and CI is empty', missing, { CI: '' }, true],
  ['is missing on CI', missing, { CI: 'true' }, false],
] as const)('tests whose program %s are skipped or not', ([, problem, environment, isSkipped]) => {
  expect(isSkippedWithout(problem, environment)).toBe(isSkipped)
})

test('a test that runs without its program says what is missing', () => {
  expect(() => requireProgram(missing)).toThrow(`${missing}. Where CI is set`)
  expect(() => requireProgram(undefined)).not.toThrow()
})
