import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { showAddress, showPath } from './show-facts.ts'
import type { ShowOptions } from './show-context.ts'
import { showResult } from './show-result.ts'
import type { ShownPart } from './shown-part.ts'

const show = (block: ContentBlock, options: ShowOptions = {}): readonly ShownPart[] =>
  showResult({ content: [block], isError: false }, { root: '/w', ...options }).answer
const whole = (text: string): object => ({ first: text, left: 0, last: '' })

describe('the presentation of a block', () => {
  const resource = { uri: 'file:///w/a.ts#L3-L4', mimeType: 'text/x-c', text: 'x' }
  test.for<[string, ContentBlock, object]>([
    ['text', { type: 'text', text: 'a' }, { kind: 'text', ...whole('a') }],
    [
      'text of a type other than code',
      { type: 'text', text: 'a', mimeType: 'application/json' },
      { kind: 'text', ...whole('a') },
    ],
    [
      'code',
      { type: 'text', text: 'a', mimeType: 'text/x-python' },
      { kind: 'code', mimeType: 'text/x-python', language: 'py', ...whole('a') },
    ],
    [
      'a resource: its language is what its type says',
      { type: 'resource', resource },
      {
        kind: 'group',
        parts: [
          { kind: 'facts', name: 'a.ts', facts: ['lines 3-4', 'text/x-c', '1 byte'] },
          { kind: 'code', mimeType: 'text/x-c', language: 'c', ...whole('x') },
        ],
      },
    ],
    [
      'a resource without a type: its language is what its path says',
      { type: 'resource', resource: { uri: 'file:///w/a.ts?b.py#c.rs', text: 'x', title: 'T' } },
      {
        kind: 'group',
        parts: [
          { kind: 'facts', name: 'T', facts: ['file:///w/a.ts?b.py#c.rs', '1 byte'] },
          { kind: 'code', language: 'ts', ...whole('x') },
        ],
      },
    ],
    [
      'an empty resource',
      { type: 'resource', resource: { uri: 'a:b', text: '' } },
      {
        kind: 'group',
        parts: [{ kind: 'facts', name: 'a:b', facts: ['0 bytes'] }, { kind: 'empty' }],
      },
    ],
    [
      'bytes of a picture',
      { type: 'resource', resource: { uri: 'a:b', mimeType: 'IMAGE/png', blob: 'AAAA' } },
      {
        kind: 'media',
        media: 'image',
        name: 'a:b',
        facts: ['IMAGE/png', '3 bytes'],
        mimeType: 'IMAGE/png',
        base64: 'AAAA',
      },
    ],
    [
      'bytes of a sound',
      { type: 'resource', resource: { uri: 'a:b', mimeType: 'audio/wav', blob: 'AAAA' } },
      {
        kind: 'media',
        media: 'audio',
        name: 'a:b',
        facts: ['audio/wav', '3 bytes'],
        mimeType: 'audio/wav',
        base64: 'AAAA',
      },
    ],
    [
      'bytes of another type',
      { type: 'resource', resource: { uri: 'a:b', mimeType: 'x-image/png', blob: 'AAAA' } },
      {
        kind: 'media',
        media: 'file',
        name: 'a:b',
        facts: ['x-image/png', '3 bytes'],
        mimeType: 'x-image/png',
        base64: 'AAAA',
      },
    ],
    [
      'bytes of no type',
      { type: 'resource', resource: { uri: 'a:b', blob: 'AAAA' } },
      { kind: 'media', media: 'file', name: 'a:b', facts: ['3 bytes'], base64: 'AAAA' },
    ],
    [
      'a picture',
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      {
        kind: 'media',
        media: 'image',
        name: 'image',
        facts: ['image/png', '3 bytes'],
        mimeType: 'image/png',
        base64: 'AAAA',
      },
    ],
    [
      'a link with all that is known of it',
      {
        type: 'resource_link',
        uri: 'file:///w/a',
        name: 'n',
        title: 't',
        mimeType: 'a/b',
        size: 0,
        description: 'd',
      },
      {
        kind: 'link',
        name: 't',
        uri: 'file:///w/a',
        facts: ['link, not read', 'a', 'a/b', '0 bytes', 'd'],
      },
    ],
    [
      'a question, where it is answered, without blanks that push its words out of sight',
      {
        type: 'question',
        question: { id: 'q', text: `a${' '.repeat(30)}b`, schema: {}, url: 'x:y' },
      },
      { kind: 'question', id: 'q', isLine: true, url: 'x:y', ...whole(`a${' '.repeat(20)}b`) },
    ],
  ])('%s', ([, block, part]) => {
    expect(show(block)).toStrictEqual([part])
  })

  test('questions are complete up to a thousand lines, even if other text is cut', () => {
    const text = (lines: number): string => Array.from({ length: lines }, () => 'a').join('\n')
    const asked = (lines: number): readonly ShownPart[] =>
      show(
        { type: 'question', question: { id: 'q', text: text(lines), schema: {} } },
        { maxLines: 1 },
      )
    expect(asked(1000)).toMatchObject([{ left: 0 }])
    expect(asked(1001)).toMatchObject([whole(text(1001))])
    expect(asked(1002)).toMatchObject([{ first: text(500), left: 2, last: text(500) }])
  })
})

describe('the name and the address of a block', () => {
  test.for([
    [{ uri: 'file:///w/a', title: ' ', name: '' }, '/w', 'a', undefined],
    [{ uri: 'file:///w/a', title: 't', name: 'n' }, '/w', 't', 'a'],
    [{ uri: 'file:///w/a', name: 'n' }, '/w', 'n', 'a'],
    [{ uri: 'file:///w/a', name: 'a' }, '/w', 'a', undefined],
    [{ uri: 'file:///w/a' }, undefined, 'file:///w/a', undefined],
    [{ uri: 'x:y', title: 'x:y' }, '/w', 'x:y', undefined],
  ] as const)('%j in %s is called %j, at %j', ([uri, root, name, address]) => {
    expect(showAddress(uri, root)).toEqual({ name, address })
  })

  test.for([
    ['/w/a', '/w', 'a'],
    ['/w/a/b', '/w//', 'a/b'],
    ['/w', '/w/', '.'],
    ['/wide/a', '/w', '/wide/a'],
    ['/x/w/a', '/w', '/x/w/a'],
    ['/w/a', undefined, '/w/a'],
    ['/w/a', '/w/a/b', '/w/a'],
  ] as const)('the path %s in %s is %s', ([path, root, shortPath]) => {
    expect(showPath(path, root)).toBe(shortPath)
  })
})

describe('the page of a server', () => {
  const showAnswer = (_meta: ToolResult['_meta']): readonly ShownPart[] =>
    showResult({ content: [], isError: false, ...(_meta && { _meta }) }).answer

  test('is a link below the blocks', () => {
    expect(showAnswer({ ui: { resourceUri: 'ui://a/b' } })).toEqual([
      {
        kind: 'link',
        name: 'app',
        uri: 'ui://a/b',
        facts: ['a page of the server, not opened', 'ui://a/b'],
      },
    ])
  })

  test.for<NonNullable<ToolResult['_meta']>>([
    {},
    { ui: {} },
    { ui: null },
    { ui: { resourceUri: '' } },
    { ui: { resourceUri: 1 } },
    { ui: 'ui://a/b' },
  ])('is absent in %j', (_meta) => {
    expect(showAnswer(_meta)).toEqual([])
  })
})
