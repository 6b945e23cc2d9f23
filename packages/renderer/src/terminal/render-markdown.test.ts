import { describe, expect, test } from 'vitest'
import type { MarkdownBlock, MarkdownInline } from '../show/content-readers.ts'
import type { RenderOptions } from './terminal-context.ts'
import { writtenPart } from './written.support.ts'

const written = (blocks: readonly MarkdownBlock[], options: RenderOptions = {}, left = 0): string =>
  writtenPart({ kind: 'markdown', blocks, left }, options)
const text = (content: string): MarkdownInline[] => [{ kind: 'text', text: content }]
const paragraph = (content: string): MarkdownBlock => ({
  kind: 'paragraph',
  content: text(content),
})
const uri = 'https://a.example/'

describe('a block', () => {
  test.for<[string, MarkdownBlock, string, string]>([
    ['a heading', { kind: 'heading', level: 2, content: text('h') }, '{2}##{22} {1}h{22}', '## h'],
    ['a paragraph', paragraph('p'), 'p', 'p'],
    [
      'code',
      { kind: 'code', text: 'x', tokens: [{ text: 'x', role: 'name' }] },
      '{2}│ {22}{34}x{39}',
      '│ x',
    ],
    ['code that nobody read', { kind: 'code', text: 'x' }, '{2}│ {22}x', '│ x'],
    [
      'a quote',
      { kind: 'quote', blocks: [paragraph('p'), paragraph('q')] },
      '{2}▌ {22}p\n{2}▌ {22}\n{2}▌ {22}q',
      '▌ p\n▌ \n▌ q',
    ],
    [
      'a list, and tasks in it',
      {
        kind: 'list',
        items: [
          { blocks: [paragraph('p'), paragraph('q')] },
          { isDone: true, blocks: [paragraph('r')] },
          { isDone: false, blocks: [paragraph('s')] },
        ],
      },
      '{2}• {22}p\n  q\n{2}☑ {22}r\n{2}☐ {22}s',
      '• p\n  q\n☑ r\n☐ s',
    ],
    [
      'a list that counts',
      {
        kind: 'list',
        start: 9,
        items: [{ blocks: [paragraph('p')] }, { blocks: [paragraph('q')] }],
      },
      '{2}9. {22}p\n{2}10. {22}q',
      '9. p\n10. q',
    ],
    ['a rule', { kind: 'rule' }, `{2}${'─'.repeat(40)}{22}`, '─'.repeat(40)],
    [
      'a table, whose cells say where their links lead',
      {
        kind: 'table',
        columns: [{ align: 'right', content: text('head') }],
        rows: [
          [
            [
              { kind: 'link', uri: 'u', content: [{ kind: 'strong', content: text('l') }] },
              { kind: 'break' },
              { kind: 'image', uri: 'u', text: 'i' },
              { kind: 'code', text: 'c\nd' },
              { kind: 'link', uri: 'u', content: text('u') },
            ],
          ],
        ],
      },
      '{1}           head{22}\n{2}───────────────{22}\nl (u) i (u)c du',
      '           head\n───────────────\nl (u) i (u)c du',
    ],
  ])('%s', ([, block, colored, plain]) => {
    expect(written([block], { colors: 'ansi' })).toBe(colored)
    expect(written([block])).toBe(plain)
  })

  test('is separate from the next, and omitted lines are counted', () => {
    expect(written([paragraph('a'), paragraph('b')], {}, 2)).toBe('a\n\nb\n… 2 more lines')
  })
})

describe('in twenty columns', () => {
  const sentence = 'one two three four five'
  test.for<[string, MarkdownBlock, string]>([
    [
      'a heading',
      { kind: 'heading', level: 1, content: text(sentence) },
      '# one two three four\n  five',
    ],
    ['a paragraph', paragraph(sentence), 'one two three four\nfive'],
    ['a quote', { kind: 'quote', blocks: [paragraph(sentence)] }, '▌ one two three four\n▌ five'],
    [
      'a list',
      { kind: 'list', start: 1, items: [{ blocks: [paragraph(sentence)] }] },
      '1. one two three\n   four five',
    ],
    ['a rule', { kind: 'rule' }, '─'.repeat(20)],
  ])('%s wraps below itself', ([, block, rows]) => {
    expect(written([block], { columns: 20 })).toBe(rows)
  })
})

describe('in a line', () => {
  test.for<[MarkdownInline, string, string]>([
    [{ kind: 'text', text: 'a\nb' }, 'a b', 'a b'],
    [{ kind: 'code', text: 'a\nb' }, '{36}a b{39}', '`a b`'],
    [{ kind: 'break' }, '\n', '\n'],
    [{ kind: 'strong', content: text('a') }, '{1}a{22}', 'a'],
    [{ kind: 'emphasis', content: text('a') }, '{3}a{23}', 'a'],
    [{ kind: 'deleted', content: text('a') }, '{9}a{29}', 'a'],
    [
      { kind: 'link', uri, content: text('a') },
      `{link ${uri}}{4}a{24}{/link}{2} (${uri}){22}`,
      `a (${uri})`,
    ],
    [{ kind: 'link', uri, content: text(uri) }, `{link ${uri}}{4}${uri}{24}{/link}`, uri],
    [
      { kind: 'link', uri: 'mailto:a@b.c', content: text('a@b.c') },
      '{link mailto:a@b.c}{4}a@b.c{24}{/link}',
      'a@b.c',
    ],
    [{ kind: 'link', uri: '', content: text('a') }, '{4}a{24}', 'a'],
    [
      { kind: 'image', uri, text: 'a\nb' },
      `{link ${uri}}{4}[image: a b]{24}{/link}{2} (${uri}){22}`,
      `[image: a b] (${uri})`,
    ],
    [{ kind: 'image', uri: 'x', text: '' }, '{4}[image]{24}{2} (x){22}', '[image] (x)'],
  ])('%j', ([piece, colored, plain]) => {
    const blocks: MarkdownBlock[] = [{ kind: 'paragraph', content: [piece] }]
    expect(written(blocks, { colors: 'ansi', links: 'osc8' })).toBe(colored)
    expect(written(blocks)).toBe(plain)
  })
})
