import type { Tokens } from 'marked'
import { expect, test } from 'vitest'
import type { MarkdownInline } from '../show/context/content-readers.ts'
import { readInline } from './read-inline.ts'

/** Strong words within so many others. */
function nested(levels: number): Tokens.Generic {
  const raw = `${'*'.repeat(levels)}a`
  return levels === 0
    ? { type: 'text', raw, text: raw }
    : { type: 'strong', raw, tokens: [nested(levels - 1)] }
}

function strong(levels: number, text: string): MarkdownInline {
  return levels === 0
    ? { kind: 'text', text }
    : { kind: 'strong', content: [strong(levels - 1, text)] }
}

test('words are read thirteen levels down; what is deeper is text', () => {
  expect(readInline([nested(12)])).toEqual([strong(12, 'a')])
  expect(readInline([nested(13)])).toEqual([strong(13, 'a')])
  expect(readInline([nested(15)])).toEqual([strong(13, '**a')])
})

test('what has no words of its own, no address, or no pieces is read as it stands', () => {
  expect(readInline()).toEqual([])
  expect(
    readInline([
      { type: 'codespan', raw: '`a`' },
      { type: 'link', raw: '[]', tokens: [] },
      { type: 'image', raw: '![]' },
      { type: 'checkbox', raw: '[x] ', text: '[x] ' },
      { type: 'html', raw: '<b>', text: '' },
      { type: 'text', raw: 'a', text: 'a', tokens: [{ type: 'text', raw: 'b', text: 'b' }] },
    ]),
  ).toEqual([
    { kind: 'code', text: '`a`' },
    { kind: 'link', uri: '', content: [] },
    { kind: 'image', uri: '', text: '![]' },
    { kind: 'text', text: '<b>' },
    { kind: 'text', text: 'b' },
  ])
})
