import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ContentBlock } from './content-block.ts'
import { isRepeatedContent, type RepeatedMedia, replaceMedia } from './repeated-content.ts'

const DATA = Buffer.from('the bytes of a picture').toString('base64')
const OTHER = Buffer.from('the bytes of another picture, which no block has at all').toString(
  'base64',
)
const text = (sentence: string): ContentBlock => ({ type: 'text', text: sentence })
const image: ContentBlock = { type: 'image', data: DATA, mimeType: 'image/png' }
const resource = { uri: 'file:///a.pdf', mimeType: 'application/pdf', blob: DATA }

test.for<[string, readonly ContentBlock[], unknown]>([
  ['the JSON of a text', [text('{"a": 1}')], { a: 1 }],
  ['the wrapped text', [text('hello')], { result: 'hello' }],
  ['the wrapped text with a line end', [text('hello\n')], { result: 'hello' }],
  ['the wrapped JSON of a text', [text('[1, 2]')], { result: [1, 2] }],
  ['a wrapped number', [text('5')], { result: 5 }],
  ['a wrapped null', [text('null')], { result: null }],
  ['a list of texts', [text('a'), text('b')], { result: ['a', 'b'] }],
  [
    'a list of objects, each in a text',
    [text('{"n":1}'), text('{"n":2}')],
    { result: [{ n: 1 }, { n: 2 }] },
  ],
  ['the wrapped blocks', [image, text('a dot')], { result: [image, text('a dot')] }],
  [
    'the wrapped blocks in another order',
    [text('a dot'), image],
    { result: [image, text('a dot')] },
  ],
  [
    'a wrapped block with empty fields',
    [image],
    { result: { ...image, annotations: null, size: null } },
  ],
  ['blocks in a field "content"', [image, text('a dot')], { content: [image, text('a dot')] }],
  [
    'a wrapped resource',
    [{ type: 'resource', resource }],
    { result: [{ type: 'resource', resource }] },
  ],
])('structured content repeats the blocks if it is %s', ([, content, value]) => {
  expect(isRepeatedContent(content, value)).toBe(true)
})

test.for<[string, readonly ContentBlock[], unknown]>([
  ['another text', [text('hello')], { result: 'hello you' }],
  ['a text that is only in a longer block', [text('hello you')], { result: 'hello' }],
  ['another field beside the text', [text('hello')], { result: 'hello', score: 1 }],
  ['another name of the field', [text('33')], { temperature: 33 }],
  ['one more text', [text('a')], { result: ['a', 'b'] }],
  ['an empty list', [], { result: [] }],
  ['an image with other bytes', [image], { result: { ...image, data: OTHER } }],
  ['a block with more fields', [image], { result: { ...image, title: 'A dot' } }],
  ['a text without a wrapper', [text('hello')], 'hello'],
  ['nothing', [text('hello')], undefined],
])('structured content does not repeat the blocks if it is %s', ([, content, value]) => {
  expect(isRepeatedContent(content, value)).toBe(false)
})

const describe = ({ index, mimeType, data }: RepeatedMedia): string =>
  `(${index ?? 'no block'} ${mimeType ?? '?'} ${data.length})`

test('the bytes of a block are replaced wherever structured content has them', () => {
  const value = { a: { deep: [DATA, `data:image/png;base64,${DATA}`] }, rows: 3 }
  expect(replaceMedia([text('x'), image], value, describe)).toEqual({
    a: { deep: [describe({ index: 1, mimeType: 'image/png', data: DATA }), '(1 image/png 32)'] },
    rows: 3,
  })
})

test('bytes that no block has are replaced in a block, a resource, a data URL and a field "base64"', () => {
  const value = {
    block: { type: 'audio', data: OTHER, mimeType: 'audio/wav' },
    embedded: { type: 'resource', resource: { ...resource, blob: OTHER } },
    url: `data:image/gif;base64,${OTHER}`,
    shown: { base64: OTHER, alt: 'a dot' },
  }
  expect(replaceMedia([], value, describe)).toEqual({
    block: { type: 'audio', data: '(no block audio/wav 76)', mimeType: 'audio/wav' },
    embedded: {
      type: 'resource',
      resource: { ...resource, blob: '(no block application/pdf 76)' },
    },
    url: '(no block image/gif 76)',
    shown: { base64: '(no block ? 76)', alt: 'a dot' },
  })
})

test('a value without bytes is returned as it is', () => {
  const cycle: Record<string, unknown> = { hash: 'a'.repeat(64) }
  cycle['self'] = cycle
  for (const value of [undefined, null, 3, 'x', { hash: 'a'.repeat(64) }, 10n, cycle])
    expect(replaceMedia([image], value, describe)).toBe(value)
})

test('law: what is no media stays, whatever the value is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json: unknown = JSON.parse(JSON.stringify(value))
      expect(replaceMedia([image], { value: json, media: DATA }, () => 'M')).toEqual({
        value: json,
        media: 'M',
      })
    }),
  )
})
