import { type ContentBlock, createSuccessResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { formatResult } from './format-result.ts'
import { rust, png, weather, json, structured } from './format-result.support.ts'

const text = (content: string): ContentBlock => ({ type: 'text', text: content })

test('auto delivers blocks and structured content', () => {
  expect(formatResult(structured([text('Hot.')]))).toBe(`Hot.\n\n${json}`)
})

test('auto omits structured content if a text block is the same JSON', () => {
  const same = '{ "conditions": "Cloudy", "temperature": 33 }'
  expect(formatResult(structured([text(same)]))).toBe(same)
  expect(formatResult(structured([text('{"temperature":34}')]))).toContain(json)
})

test('auto names a semantic value if there is text beside it, because the value is for people', () => {
  const value = { kind: 'text', data: { content: 'rows' }, summary: 'Two\nrows' }
  expect(formatResult(structured([text('2 rows.')], value))).toBe(
    '2 rows.\n\n[structured content, shown to the person: text, Two rows]',
  )
  const { summary: _none, ...bare } = value
  expect(formatResult(structured([text('2 rows.')], bare))).toContain('the person: text]')
  expect(formatResult(structured([], value))).toContain('"kind":"text"')
  expect(formatResult(structured([png], value))).toContain('"kind":"text"')
})

test('auto does not mention a semantic value if a text block is its data', () => {
  const value = { kind: 'table', data: { columns: [], rows: [] } }
  const same = '{"rows":[],"columns":[]}'
  expect(formatResult(structured([text(same)], value))).toBe(same)
  const textValue = { kind: 'text', data: { content: ' a\n' } }
  expect(formatResult(structured([png, text(' a ')], textValue))).toContain(' a ')
  expect(formatResult(structured([text(' a')], textValue))).toBe(' a')
  expect(formatResult(structured([text('a')], textValue))).toContain('[structured content')
  const file = { kind: 'file_content', data: { path: 'a.rs', content: 'fn main() {}', size: 12 } }
  expect(formatResult(structured([rust], file))).toBe('```rs\nfn main() {}\n```')
})

test('content names structured content that no text block contains, and delivers it if there is nothing else', () => {
  expect(formatResult(structured([text('Hot.')]), { structured: 'content' })).toBe(
    'Hot.\n\n[structured content, not shown here]',
  )
  const same = JSON.stringify(weather)
  expect(formatResult(structured([text(same)]), { structured: 'content' })).toBe(same)
  expect(formatResult(structured([]), { structured: 'content' })).toBe(json)
})

test('structured replaces text, but not media and links', () => {
  const result = structured([text('Hot.'), rust, png])
  expect(formatResult(result, { structured: 'structured' })).toBe(
    `[block 3, image: image/png, 8 bytes]\n\n${json}`,
  )
  expect(formatResult(createSuccessResult([text('a')]), { structured: 'structured' })).toBe('a')
})

test('structured content that only wraps the blocks is not repeated, and its media are never text', () => {
  const data = Buffer.from('the bytes of a picture').toString('base64')
  const image = { type: 'image', data, mimeType: 'image/png' } as const
  const line = (index: number) => `[block ${index}, image: image/png, 22 bytes]`
  const wrapped = (content: readonly ContentBlock[], result: unknown) =>
    formatResult(structured(content, { result }))
  expect(wrapped([text('hello')], 'hello')).toBe('hello')
  expect(wrapped([image, text('a dot')], [image, text('a dot')])).toBe(`${line(1)}\n\na dot`)
  expect(wrapped([image], image)).toBe(line(1))
  // More than the blocks have.
  expect(formatResult(structured([text('a dot'), image], { shown: image, width: 1 }))).toBe(
    `a dot\n\n${line(2)}\n\n\`\`\`json\n${JSON.stringify({
      shown: { ...image, data: '[block 2: image/png, 22 bytes]' },
      width: 1,
    })}\n\`\`\``,
  )
  const large = Buffer.from('x'.repeat(60)).toString('base64')
  expect(formatResult(structured([], { icon: `data:image/gif;base64,${large}` }))).toBe(
    '```json\n{"icon":"[image/gif, 60 bytes]"}\n```',
  )
})

test('both always delivers both', () => {
  const same = JSON.stringify(weather)
  expect(formatResult(structured([text(same)]), { structured: 'both' })).toBe(`${same}\n\n${json}`)
})

test.for([null, false, 0, '', []])(
  'structured content %j is handled as any other value',
  (value) => {
    expect(formatResult(structured([], value))).toBe(`\`\`\`json\n${JSON.stringify(value)}\n\`\`\``)
  },
)

test('a semantic value with an invalid hint is still a semantic value', () => {
  const value = { kind: 'git.status', data: { ahead: 1 }, display: { preferredView: 'chart' } }
  expect(formatResult(structured([text('One ahead.')], value))).toBe(
    'One ahead.\n\n[structured content, shown to the person: git.status]',
  )
})

test('structured content that is not JSON is reported', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic
  expect(formatResult(structured([text('a')], cyclic))).toContain(
    '[structured content that is not JSON]',
  )
})
