import { expect, test } from 'vitest'
import { META_QUOTED } from './meta-keys.ts'
import { isQuoted, sayAndQuote } from './quote-text.ts'

test('what a host says is a block of its own, and what it quotes is another with a mark', () => {
  expect(sayAndQuote('It failed.', 'no\ndisk\n')).toEqual([
    { type: 'text', text: 'It failed.' },
    { type: 'text', text: 'no\ndisk\n', _meta: { [META_QUOTED]: true } },
  ])
})

test.for([undefined, '', ' \n'])('%j is not quoted', (quoted) => {
  expect(sayAndQuote('It failed.', quoted)).toEqual([{ type: 'text', text: 'It failed.' }])
})

test.for([
  [{ [META_QUOTED]: true }, true],
  [{ [META_QUOTED]: 1 }, false],
  [{}, false],
  [Object.create({ [META_QUOTED]: true }), false],
] as const)('a text with %j quotes: %s', ([meta, quotes]) => {
  expect(isQuoted({ type: 'text', text: 'a', _meta: meta })).toBe(quotes)
  expect(isQuoted({ type: 'text', text: 'a' })).toBe(false)
})
