import { expect, test } from 'vitest'
import { firstSentence } from './first-sentence.ts'

const long = 'x'.repeat(130)

test.for([
  ['', undefined],
  ['Runs the tests.', undefined],
  ['Runs the tests. Then stops.', undefined],
  [`Runs the tests. ${long}`, 'Runs the tests.'],
  [`  Runs the tests.\nThen ${long}`, 'Runs the tests.'],
  ['Runs the\ntests. Then stops.', 'Runs the tests.'],
  ['Runs the tests\n\nArguments follow', 'Runs the tests'],
  [`Runs tools, e.g. cargo. ${long}`, 'Runs tools, e.g. cargo.'],
  [`Works with version 1.2 and up! ${long}`, 'Works with version 1.2 and up!'],
  [long, undefined],
  [`${long}.`, undefined],
] as const)('%j starts with %j', ([text, sentence]) => {
  expect(firstSentence(text)).toBe(sentence)
})

test('a long text of abbreviations is read in linear time', () => {
  expect(firstSentence('e.g. '.repeat(50_000))).toBeUndefined()
})
