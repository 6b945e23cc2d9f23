import { expect, test } from 'vitest'
import type { ContentBlock } from '../content/content-block.ts'
import { findResultData } from './find-result-data.ts'

const text = (value: string): ContentBlock => ({ type: 'text', text: value })
const image: ContentBlock = { type: 'image', data: 'AAAA', mimeType: 'image/png' }

test.for<[string, Parameters<typeof findResultData>[0], unknown]>([
  ['structured content', { content: [text('[1]')], structuredContent: 7 }, { value: 7 }],
  [
    'the JSON of the only text',
    { content: [image, text(' {"a": 1}\n')] },
    { value: { a: 1 }, block: 1 },
  ],
  ['a list in it', { content: [text('[]')] }, { value: [], block: 0 }],
])('the data of a result is %s', ([, result, data]) => {
  expect(findResultData(result)).toEqual(data)
})

test.for<[string, readonly ContentBlock[]]>([
  ['several texts', [text('[1]'), text('[2]')]],
  ['a text that is no JSON', [text('{a}')]],
  ['a number or a string', [text('7')]],
  ['no text', [image]],
])('%s has no data', ([, content]) => {
  expect(findResultData({ content })).toBeUndefined()
})
