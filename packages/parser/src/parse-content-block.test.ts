import { describe, expect, test } from 'vitest'
import { parseContentBlock } from './parse-content-block.ts'
import type { ResultSource } from './reading/reading.ts'

test('a valid block is returned as the same object', () => {
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

test('an unreadable block gives undefined, and a warning says why', () => {
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

  test('keeps unknown fields, and removes an invalid url', () => {
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

  test('with name, title and description beside gets them inside, unless it has its own', () => {
    const { block } = parseContentBlock(
      {
        type: 'resource',
        resource: { uri: 'x:1', text: 'a', title: 'own', formatted: 'f' },
        name: 'n',
        title: 'beside',
        description: 'd',
      },
      { from: 'tool' },
    )
    expect(block).toEqual({
      type: 'resource',
      resource: { uri: 'x:1', text: 'a', title: 'own', name: 'n', description: 'd' },
      title: 'beside',
      formatted: 'f',
    })
  })

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
])('a link without a name gets one from its uri: %j gives %j', ([uri, name]) => {
  expect(parseContentBlock({ type: 'resource_link', uri }, { from: 'mcp' }).block).toEqual({
    type: 'resource_link',
    uri,
    name,
  })
})

test('the path of a warning is a JSON Pointer, also for unusual keys', () => {
  const { warnings } = parseContentBlock({ type: 'text', text: 'a', 'x/y~z': Infinity })
  expect(warnings.map(({ path }) => path)).toEqual(['/x~1y~0z'])
})

const LONG = `x:${'ü'.repeat(5000)}`

const DEEP: unknown = JSON.parse(`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`)

const WIDE = Array.from({ length: 1_000_001 }, () => 0)

/** A block and its warnings: code, path, message, expected and got. */
type Row = readonly [block: unknown, ...warnings: string[]]

const titled = (rows: readonly Row[]): (readonly [string, unknown])[] =>
  rows.map(([block, ...warnings]) => [warnings.join('\n'), block] as const)

function getWarnings(block: unknown, from: ResultSource): string {
  const lines = parseContentBlock(block, { from }).warnings.map(
    ({ code, path, message, expected, got }) =>
      `${code} ${path}: ${message} Expected ${expected}, got ${got}.`,
  )
  return lines.join('\n')
}

const ofTools: readonly Row[] = [
  [
    null,
    'malformed-block : The block was skipped: a block is an object with a "type". Expected object, got null.',
  ],
  [
    { text: 'a' },
    'malformed-block : The block was skipped: it has no "type". Expected "type" one of text, image, audio, resource, resource_link, question, got nothing.',
  ],
  [
    { type: 'video' },
    'unknown-block-type : The block was skipped: its type "video" is unknown. Expected "type" one of text, image, audio, resource, resource_link, question, got string "video".',
  ],
  [
    { type: 'text' },
    'malformed-block : The block was skipped: a text block needs a string "text". Expected string in "text", got nothing.',
  ],
  [
    { type: 'text', text: 7 },
    'coerced-text /text: "text" was read as a string. Expected string, got number 7.',
  ],
  [
    7,
    'coerced-text /text: A plain value was read as a text block. Expected object with a "type", got number 7.',
  ],
  [
    { type: 'image' },
    'malformed-block : The block was skipped: an image block needs base64 in "data". Expected string in "data", got nothing.',
  ],
  [
    { type: 'audio', data: '?', mimeType: 'audio/wav' },
    'invalid-base64 : The block was skipped: its base64 is invalid and cannot be repaired. Expected base64 (RFC 4648 section 4, padded) at /data, got string "?".',
  ],
  [
    { type: 'image', data: 'QQ', mimeType: 'image/png' },
    'repaired-base64 /data: The base64 was repaired: padding added. Expected base64 (RFC 4648 section 4, padded), got string "QQ".',
  ],
  [
    { type: 'resource', resource: { uri: 'x:1', blob: ' data:a/b;base64,-_-_ ' } },
    'repaired-base64 /resource/blob: The base64 was repaired: extracted from a data: URI, white space removed, URL alphabet replaced. Expected base64 (RFC 4648 section 4, padded), got string " data:a/b;base64,-_-_ ".',
  ],
  [
    { type: 'image', data: 'AAAA' },
    'missing-mime-type : The block was skipped: an image block needs a "mimeType", and its first bytes do not identify one. Expected string in "mimeType", got nothing.',
  ],
  [
    { type: 'image', data: 'iVBORw0KGgo=' },
    'sniffed-mime-type /mimeType: The mime type is missing; the data says image/png. Expected string, got nothing.',
  ],
  [
    { type: 'resource' },
    'malformed-block : The block was skipped: a resource block needs an object "resource". Expected an object "resource", got nothing.',
  ],
  [
    { type: 'resource', resource: { text: 'a' } },
    'malformed-block : The block was skipped: a resource block needs a string "resource.uri". Expected a string "resource.uri", got nothing.',
  ],
  [
    { type: 'resource', resource: { uri: 'x:1', text: 7 } },
    'malformed-block : The block was skipped: a resource block needs a string "resource.text" or "resource.blob". Expected a string "resource.text" or "resource.blob", got number 7.',
  ],
  [
    { type: 'resource', resource: { uri: 'x:1', blob: 7 } },
    'malformed-block : The block was skipped: a resource block needs a string "resource.text" or "resource.blob". Expected a string "resource.text" or "resource.blob", got number 7.',
  ],
  [
    { type: 'resource', resource: { uri: 'x:1', text: 'a', blob: 'QQ==' } },
    'text-and-blob /resource/blob: The resource has both "text" and "blob"; "blob" is not used. Expected either "text" or "blob", got string "QQ==".',
  ],
  [
    { type: 'resource', resource: { uri: 'x:1', text: 7, blob: 'QQ==' } },
    'text-and-blob /resource/text: The resource has both "text" and "blob"; "text" is not used. Expected either "text" or "blob", got number 7.',
  ],
  [
    { type: 'resource', resource: { uri: 'x:1', text: 'a', formatted: 'f' } },
    'hoisted-field /resource/formatted: "formatted" was moved from "resource" to the block. Expected "formatted" beside "resource", got "formatted" inside "resource".',
  ],
  [
    { type: 'resource', resource: { uri: 'x:1', text: 'a', annotations: { priority: 2 } } },
    'dropped-field /resource/annotations/priority: The field "priority" was omitted: expected number from 0 to 1, got number 2. Expected number from 0 to 1, got number 2.',
    'hoisted-field /resource/annotations: "annotations" was moved from "resource" to the block. Expected "annotations" beside "resource", got "annotations" inside "resource".',
  ],
  [
    {
      type: 'resource',
      resource: { uri: 'x:1', text: 'a' },
      name: 'n',
      title: 't',
      description: 7,
    },
    'dropped-field /description: The field "description" was omitted: expected string, got number 7. Expected string, got number 7.',
    'hoisted-field /name: "name" was moved from the block into "resource". Expected "name" inside "resource", got "name" beside "resource".',
    'hoisted-field /title: "title" was moved from the block into "resource". Expected "title" inside "resource", got "title" beside "resource".',
  ],
  [
    { type: 'text', text: 'a', mime_type: 'text/plain' },
    'renamed-field /mime_type: "mime_type" was read as "mimeType". Expected "mimeType", got "mime_type".',
  ],
  [
    { type: 'resource', resource: { uri: 'x:1', text: 'a', mime_type: 'text/plain' } },
    'renamed-field /resource/mime_type: "mime_type" was read as "mimeType". Expected "mimeType", got "mime_type".',
  ],
  [
    { type: 'resource_link' },
    'malformed-block : The block was skipped: a resource_link block needs a string "uri". Expected string in "uri", got nothing.',
  ],
  [
    { type: 'resource_link', uri: 'x:a', name: 'a' },
    'local-resource-link /type: The link of a local tool cannot be fetched. Embed the content in a "resource" block. Expected resource, got resource_link.',
  ],
  [
    { type: 'question' },
    'malformed-block : The block was skipped: a question block needs an object "question". Expected an object "question", got nothing.',
  ],
  [
    { type: 'question', question: { id: '' } },
    'malformed-block : The block was skipped: a question block needs a "question.id". Expected a "question.id", got string "".',
  ],
  [
    { type: 'question', question: { id: 'a', text: 7 } },
    'malformed-block : The block was skipped: a question block needs a string "question.text". Expected a string "question.text", got number 7.',
  ],
  [
    { type: 'question', question: { id: 'a', text: 'b', schema: 7 } },
    'malformed-block : The block was skipped: a question block needs a "question.schema". Expected a "question.schema", got number 7.',
  ],
  [
    {
      type: 'question',
      question: { id: 'a', text: 'b', schema: { type: ['string'], enum: ['a', null] } },
    },
    'dropped-field /question/schema/type: The "type" excludes a value of "enum", and was dropped. Expected a "type" of all values of "enum", got ["string"] and the value null.',
  ],
  [
    { type: 'question', question: { id: 'a', text: 'b', schema: DEEP } },
    'over-limit /question/schema: The value was omitted: it is too deep or too large to be stored and shown. Expected at most 64 levels, got object with a.',
    'malformed-block : The block was skipped: a question block needs a smaller "question.schema". Expected a smaller "question.schema", got object with a.',
  ],
  [
    { type: 'text', text: 'a', annotations: { audience: ['me'], priority: 2, lastModified: 7 } },
    'dropped-field /annotations/audience: The field "audience" was omitted: expected array of "user" and "assistant", got array of 1. Expected array of "user" and "assistant", got array of 1.',
    'dropped-field /annotations/priority: The field "priority" was omitted: expected number from 0 to 1, got number 2. Expected number from 0 to 1, got number 2.',
    'dropped-field /annotations/lastModified: The field "lastModified" was omitted: expected string, got number 7. Expected string, got number 7.',
  ],
  [
    { type: 'text', text: 'a', annotations: [], _meta: 1, mimeType: {} },
    'dropped-field /annotations: The field "annotations" was omitted: expected object, got array of 0. Expected object, got array of 0.',
    'dropped-field /_meta: The field "_meta" was omitted: expected object, got number 1. Expected object, got number 1.',
    'dropped-field /mimeType: The field "mimeType" was omitted: expected string, got empty object. Expected string, got empty object.',
  ],
  [
    { type: 'text', text: 'a', x: [Infinity, undefined] },
    'number-out-of-range /x: Numbers too large for a double became null, as JSON writes them. Expected number up to 1.8e308, got a larger number.',
  ],
  [
    { type: 'text', text: 'a', x: 1n },
    'not-json /x: Values that are not JSON were omitted. Expected JSON, got something else.',
  ],
  [
    JSON.parse('{"type":"text","text":"a","__proto__":1}'),
    'proto-key /__proto__: A key named "__proto__" was omitted: it would change the prototype of its object. Expected any other key, got "__proto__".',
  ],
  [
    JSON.parse('{"type":"text","text":"a","x":{"__proto__":1}}'),
    'proto-key /x: Keys named "__proto__" were omitted: they would change the prototypes of their objects. Expected any other key, got "__proto__".',
  ],
  [
    { type: 'text', text: 'a', x: DEEP },
    'over-limit /x: The value was omitted: it is too deep or too large to be stored and shown. Expected at most 64 levels, got object with a.',
  ],
  [
    { type: 'text', text: 'a', x: WIDE },
    'over-limit /x: The value was omitted: it is too deep or too large to be stored and shown. Expected at most 1000000 values, got array of 1000001.',
  ],
]

test.for(titled(ofTools))('a block of a tool is reported: %s', ([warnings, block]) => {
  expect(getWarnings(block, 'tool')).toBe(warnings)
})

const ofServers: readonly Row[] = [
  [
    { type: 'video' },
    'unknown-block-type : The block was skipped: its type "video" is unknown. Expected "type" one of text, image, audio, resource, resource_link, got string "video".',
  ],
  [
    { type: 'resource_link', uri: 'x:a' },
    'derived-name /name: The link has no name; its uri gives "x:a". Expected string, got nothing.',
  ],
  [
    { type: 'resource_link', uri: LONG, name: 'a' },
    'long-uri /uri: The uri is too long to identify the resource; the block is kept. Expected at most 8192 bytes, got 10002 bytes.',
  ],
  [
    { type: 'resource_link', uri: 'x:a', name: 'a', size: '1' },
    'dropped-field /size: The field "size" was omitted: expected number, got string "1". Expected number, got string "1".',
  ],
]

test.for(titled(ofServers))('a block of a server is reported: %s', ([warnings, block]) => {
  expect(getWarnings(block, 'mcp')).toBe(warnings)
})
