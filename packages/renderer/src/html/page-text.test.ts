import { expect, test } from 'vitest'
import {
  encodeHtml,
  encodePageDecision,
  encodePageLine,
  encodePageText,
  sanitizePageDecision,
  sanitizePageLine,
  sanitizePageText,
} from './safe-html.ts'

const TEXTS = [
  'a <b> & "c"',
  'x\u001B[31mred\u001B[0m',
  'a\u202Eb',
  'a\0b',
  '\uD800',
  'a\nb',
  'é'.repeat(600),
]

test.for(TEXTS)('the text node of %j shows the same as markup', (text) => {
  expect(encodeHtml(sanitizePageText(text))).toBe(encodePageText(text))
  expect(encodeHtml(sanitizePageLine(text))).toBe(encodePageLine(text))
  expect(encodeHtml(sanitizePageDecision(text))).toBe(encodePageDecision(text))
})

test('a text node has no entities, and no character that a document cannot contain', () => {
  expect(sanitizePageText('a < b\0')).toBe('a < b')
  expect(sanitizePageDecision('a < b\u202E')).toBe('a < b\\u{202E}')
  expect(sanitizePageLine('\uD800').isWellFormed()).toBe(true)
})
