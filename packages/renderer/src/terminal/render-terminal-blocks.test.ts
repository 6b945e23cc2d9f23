import type { ContentBlock, RenderBlocks } from '@toolblocks/protocol'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { renderTerminalBlocks } from './render-terminal.ts'

const ESC = '\u001B'
const PNG = 'iVBORw0KGgo='
const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

const render = (...blocks: ContentBlock[]): string =>
  renderTerminalBlocks(blocks, { root: '/home/ada' })

describe('text', () => {
  test('is unchanged, without its last line feed', () => {
    expect(render({ type: 'text', text: '  a\n\n  b\n' })).toBe('  a\n\n  b')
  })

  test('keeps its colours only if colours are enabled', () => {
    const block: ContentBlock = { type: 'text', text: `${ESC}[32mok${ESC}[0m${ESC}]0;x\u0007` }
    expect(renderTerminalBlocks([block])).toBe('ok')
    expect(renderTerminalBlocks([block], { colors: 'ansi' })).toBe(`${ESC}[32mok${ESC}[0m`)
  })

  test('of more than 40 lines is cut, and the rest counted', () => {
    const rows = render({ type: 'text', text: lines(1274) }).split('\n')
    expect(rows).toHaveLength(41)
    expect(rows.slice(-2)).toEqual(['line 40', '… 1,234 more lines'])
    expect(render({ type: 'text', text: lines(40) })).toBe(lines(40).trimEnd())
  })

  test('is cut at the limit of the caller', () => {
    const block: ContentBlock = { type: 'text', text: lines(4) }
    expect(renderTerminalBlocks([block], { maxLines: 2 })).toBe('line 1\nline 2\n… 2 more lines')
    expect(
      renderTerminalBlocks([{ type: 'text', text: lines(5000) }], { maxLines: Infinity }),
    ).toBe(lines(5000).trimEnd())
  })

  test('is not cut by one line, because the note would replace it', () => {
    const block: ContentBlock = { type: 'text', text: lines(3) }
    expect(renderTerminalBlocks([block], { maxLines: 2 })).toBe('line 1\nline 2\nline 3')
  })

  test('in one endless line is cut, even inside a sequence that would hide the note', () => {
    expect(render({ type: 'text', text: 'x'.repeat(2100) })).toBe(`${'x'.repeat(2000)}\n…(+100)`)
    expect(render({ type: 'text', text: `a${ESC}]${'x'.repeat(3000)}` })).toBe('a\n…(+1003)')
  })
})

describe('resource', () => {
  test('has a header, and its text follows a line', () => {
    const resource = {
      uri: 'file:///home/ada/src/main.rs',
      mimeType: 'text/rust',
      text: 'fn main() {\n}\n',
    }
    expect(render({ type: 'resource', resource })).toBe(
      'src/main.rs  text/rust · 14 bytes\n│ fn main() {\n│ }',
    )
  })

  test('shows a person the text, not the formatted text for a model', () => {
    const resource = { uri: 'a:b', text: 'raw' }
    expect(render({ type: 'resource', resource, formatted: '```\nraw\n```' })).toBe(
      'a:b  3 bytes\n│ raw',
    )
  })

  test.for([
    [{ title: 'T', name: 'n' }, 'T  src/a.ts · lines 3-9'],
    [{ name: 'n' }, 'n  src/a.ts · lines 3-9'],
    [{ title: ' ' }, 'src/a.ts  lines 3-9'],
  ] as const)(
    'is named by title, else name, else path, always with its path: %j',
    ([names, header]) => {
      const resource = { uri: 'file:///home/ada/src/a.ts#L3-L9', text: '', ...names }
      expect(render({ type: 'resource', resource })).toBe(`${header} · 0 bytes\n  (empty)`)
    },
  )

  test('outside the workspace, or without one, is named by its uri', () => {
    const resource = { uri: 'file:///etc/passwd', text: 'x' }
    expect(render({ type: 'resource', resource })).toContain('file:///etc/passwd')
    expect(
      renderTerminalBlocks([
        { type: 'resource', resource: { uri: 'file:///home/ada/a', text: 'x' } },
      ]),
    ).toContain('file:///home/ada/a')
  })

  test('that is cut says so outside its line', () => {
    const resource = { uri: 'a:b', text: 'a\nb\nc' }
    expect(renderTerminalBlocks([{ type: 'resource', resource }], { maxLines: 1 })).toBe(
      'a:b  5 bytes\n│ a\n… 2 more lines',
    )
  })

  test('has no colours of the text in its line', () => {
    const resource = { uri: 'a:b', text: `${ESC}[31ma\nb` }
    expect(renderTerminalBlocks([{ type: 'resource', resource }], { colors: 'ansi' })).toBe(
      `${ESC}[1ma:b${ESC}[22m  ${ESC}[2m8 bytes${ESC}[22m\n` +
        `${ESC}[2m│ ${ESC}[22m${ESC}[31ma${ESC}[0m\n` +
        `${ESC}[2m│ ${ESC}[22m${ESC}[31mb${ESC}[0m`,
    )
  })

  test('a header is one line without invisible characters', () => {
    const resource = { uri: 'a:b', title: `x\n│ y${ESC}[2J\u202E`, text: 'z' }
    expect(render({ type: 'resource', resource })).toBe(
      'x⏎│ y\\u{1B}[2J\\u{202E}  a:b · 1 byte\n│ z',
    )
  })

  test('with bytes is one line', () => {
    const resource = { uri: 'file:///home/ada/logo.png', mimeType: 'image/png', blob: PNG }
    expect(render({ type: 'resource', resource })).toBe('logo.png  image/png · 8 bytes')
  })
})

describe('blocks of one line', () => {
  test('image and audio: kind, type and size, never base64', () => {
    expect(render({ type: 'image', data: PNG, mimeType: 'image/png' })).toBe(
      'image  image/png · 8 bytes',
    )
    expect(render({ type: 'audio', data: 'A'.repeat(4000), mimeType: 'audio/wav' })).toBe(
      'audio  audio/wav · 3.0 KB',
    )
  })

  test('a resource link: its facts, and that it was not read', () => {
    expect(
      render({
        type: 'resource_link',
        uri: 'file:///home/ada/docs/guide.md',
        name: 'guide.md',
        title: 'The Guide',
        mimeType: 'text/markdown',
        size: 2_500_000,
        description: 'How to\nbegin',
      }),
    ).toBe('The Guide  link, not read · docs/guide.md · text/markdown · 2.5 MB · How to⏎begin')
    expect(render({ type: 'resource_link', uri: 'x:y', name: '' })).toBe('x:y  link, not read')
  })
})

describe('question', () => {
  const ask = (text: string, more: object = {}): string =>
    render({ type: 'question', question: { id: 'sure', text, schema: {}, ...more } })

  test('is one line with its id', () => {
    expect(ask('Overwrite it?')).toBe('? Overwrite it? (sure)')
  })

  test('of several lines, or a long one, is complete below', () => {
    expect(ask('Apply?\n\n  1. a')).toBe('? Question (sure)\n│ Apply?\n│ \n│   1. a')
    expect(ask('x'.repeat(201))).toBe(`? Question (sure)\n│ ${'x'.repeat(201)}`)
    expect(ask(lines(300)).split('\n')).toHaveLength(301)
  })

  test('has no invisible characters, on one line or several', () => {
    expect(ask('Delete \u202Ea?')).toBe('? Delete \\u{202E}a? (sure)')
    expect(ask(`Run ls?${' '.repeat(5000)}\n${'\n'.repeat(99)}rm -rf /`)).toBe(
      `? Question (sure)\n│ Run ls?${' '.repeat(20)}\n│ \n│ \n│ rm -rf /`,
    )
    expect(ask('Delete\n\u202Ea?')).toBe('? Question (sure)\n│ Delete\n│ \\u{202E}a?')
  })

  test('has no colours of the tool', () => {
    const question = { id: 'a', text: `x\n${ESC}[31my`, schema: {} }
    expect(
      renderTerminalBlocks([{ type: 'question', question }], { colors: 'ansi' }),
    ).not.toContain(`${ESC}[31m`)
  })

  test('that is answered at a web page shows the complete address', () => {
    expect(ask('Sign in?', { url: 'https://example.com/login' })).toBe(
      '? Sign in? (sure)\n  answered at https://example.com/login',
    )
    const url = `https://example.com/${'x'.repeat(400)}@evil.example`
    expect(ask('Sign in?', { url })).toContain(url)
  })
})

describe('blocks below each other', () => {
  test('have an empty line between them if one has several lines', () => {
    const one: ContentBlock = { type: 'text', text: 'one' }
    const more: ContentBlock = { type: 'text', text: 'a\nb' }
    expect(render(one, one, more, more, one)).toBe('one\none\n\na\nb\n\na\nb\n\none')
  })

  test('that are empty use no line', () => {
    expect(render({ type: 'text', text: '' }, { type: 'text', text: 'a' })).toBe('a')
    expect(render()).toBe('')
  })

  test('are the output of the port RenderBlocks', () => {
    expectTypeOf(renderTerminalBlocks).toExtend<RenderBlocks>()
  })
})
