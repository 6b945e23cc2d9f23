import { describe, expect, test } from 'vitest'
import { parseContentBlock } from './parse-content-block.ts'

test('a valid block comes back as the same object', () => {
  const blocks = [
    { type: 'text', text: 'a', mimeType: 'text/plain' },
    { type: 'image', data: 'QQ==', mimeType: 'image/png', annotations: { priority: 1 } },
    { type: 'audio', data: 'QQ==', mimeType: 'audio/wav', _meta: { a: [1] } },
    { type: 'resource', resource: { uri: 'x:1', blob: 'QQ==' }, formatted: 'a' },
    { type: 'question', question: { id: 'a', text: 'b', schema: {}, default: [1] } },
  ]
  for (const block of blocks) {
    const parsed = parseContentBlock(block)
    expect(parsed.block).toBe(block)
    expect(parsed.warnings).toEqual([])
  }
})

test('a block that cannot be read is absent, and a warning says why', () => {
  const { warnings, ...rest } = parseContentBlock({ type: 'text' })
  expect(rest).toEqual({})
  expect(warnings).toEqual([
    {
      path: '',
      message: 'The block was skipped: a text block needs a string "text".',
      expected: 'string in "text"',
      got: 'nothing',
      code: 'malformed-block',
    },
  ])
})

test('a repaired block is a copy', () => {
  const block = { type: 'image', data: 'QQ', mimeType: 'image/png' }
  const parsed = parseContentBlock(block)
  expect(parsed.block).toEqual({ ...block, data: 'QQ==' })
  expect(block.data).toBe('QQ')
  expect(parsed.warnings).toEqual([
    expect.objectContaining({ path: '/data', code: 'repaired-base64' }),
  ])
})

test('a question from an MCP server is an unknown block', () => {
  const block = { type: 'question', question: { id: 'a', text: 'b', schema: {} } }
  expect(parseContentBlock(block, { from: 'mcp' }).block).toBeUndefined()
})

describe('a question', () => {
  const asked = { id: 'a', text: 'b', schema: { type: 'string' } }
  test.for([
    ['no question', undefined],
    ['a question that is text', 'Sure?'],
    ['no id', { ...asked, id: undefined }],
    ['an empty id', { ...asked, id: '' }],
    ['an id that is a number', { ...asked, id: 7 }],
    ['no text', { ...asked, text: undefined }],
    ['no schema', { ...asked, schema: undefined }],
    ['a schema that is text', { ...asked, schema: 'string' }],
    ['a schema that is null', { ...asked, schema: null }],
  ] as const)('with %s is skipped', ([, question]) => {
    const { block, warnings } = parseContentBlock({ type: 'question', question })
    expect(block).toBeUndefined()
    expect(warnings.map(({ code }) => code)).toEqual(['malformed-block'])
  })

  test('with a schema too deep to be stored is skipped', () => {
    const deep: unknown = JSON.parse('{"a":'.repeat(70) + '1' + '}'.repeat(70))
    const { block, warnings } = parseContentBlock({
      type: 'question',
      question: { ...asked, schema: deep },
    })
    expect(block).toBeUndefined()
    expect(warnings.map(({ code }) => code)).toEqual(['over-limit', 'malformed-block'])
  })

  test('keeps what it says beyond its fields, and loses a url that is none', () => {
    const question = { ...asked, target: 'assistant', default: null }
    const { block, warnings } = parseContentBlock({
      type: 'question',
      question: { ...question, url: 7 },
    })
    expect(block).toEqual({ type: 'question', question })
    expect(warnings).toEqual([
      expect.objectContaining({ path: '/question/url', code: 'dropped-field' }),
    ])
  })
})

describe('a resource', () => {
  const inside = (resource: object, beside: object = {}): ReturnType<typeof parseContentBlock> =>
    parseContentBlock({ type: 'resource', resource: { uri: 'x:1', ...resource }, ...beside })

  test('with formatted inside gets it beside', () => {
    const { block, warnings } = inside({ text: 'a', formatted: 'f' })
    expect(block).toEqual({ type: 'resource', resource: { uri: 'x:1', text: 'a' }, formatted: 'f' })
    expect(warnings).toEqual([
      expect.objectContaining({ path: '/resource/formatted', code: 'hoisted-field' }),
    ])
  })

  test('with the same field inside and beside keeps both', () => {
    const { block, warnings } = inside(
      { text: 'a', formatted: 'inner', annotations: { priority: 0 } },
      { formatted: 'outer', annotations: { priority: 1 } },
    )
    expect(block).toEqual({
      type: 'resource',
      resource: { uri: 'x:1', text: 'a', formatted: 'inner', annotations: { priority: 0 } },
      formatted: 'outer',
      annotations: { priority: 1 },
    })
    expect(warnings).toEqual([])
  })

  test('with null for the content it does not have loses the null', () => {
    expect(inside({ text: 'a', blob: null }).block).toEqual({
      type: 'resource',
      resource: { uri: 'x:1', text: 'a' },
    })
    expect(inside({ text: null, blob: 'QQ==' }).block).toEqual({
      type: 'resource',
      resource: { uri: 'x:1', blob: 'QQ==' },
    })
  })

  test('with fields of the wrong type loses them, each with a warning', () => {
    const { block, warnings } = inside({ text: 'a', mimeType: 1, name: {}, title: [] })
    expect(block).toEqual({ type: 'resource', resource: { uri: 'x:1', text: 'a' } })
    expect(warnings.map(({ path, got }) => [path, got])).toEqual([
      ['/resource/mimeType', 'number 1'],
      ['/resource/name', 'empty object'],
      ['/resource/title', 'array of 0'],
    ])
  })

  test('with a uri of more than 8 KiB is kept, with a warning', () => {
    const uri = `file:///${'ü'.repeat(5000)}`
    const { block, warnings } = inside({ uri, text: 'a' })
    expect(block).toEqual({ type: 'resource', resource: { uri, text: 'a' } })
    expect(warnings).toEqual([
      expect.objectContaining({ path: '/resource/uri', code: 'long-uri', got: '10008 bytes' }),
    ])
  })
})

test.for([
  ['https://a.example/b/c.md', 'c.md'],
  ['file:///dir/', 'dir'],
  ['https://a.example/?q=/x', 'a.example'],
  ['urn:isbn:1', 'urn:isbn:1'],
  ['', ''],
  ['///', '///'],
])('a link without a name is named after its uri: %j gives %j', ([uri, name]) => {
  expect(parseContentBlock({ type: 'resource_link', uri }, { from: 'mcp' }).block).toEqual({
    type: 'resource_link',
    uri,
    name,
  })
})

test('the path of a warning is a JSON Pointer, also for odd keys', () => {
  const { warnings } = parseContentBlock({ type: 'text', text: 'a', 'x/y~z': Infinity })
  expect(warnings.map(({ path }) => path)).toEqual(['/x~1y~0z'])
})
