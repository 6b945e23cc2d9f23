import type { Problem } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { parseToolResult } from './parse-tool-result.ts'

const png = 'iVBORw0KGgo='
const text = (value: string): { type: 'text'; text: string } => ({ type: 'text', text: value })
const codes = (warnings: readonly Problem[]): (string | undefined)[] =>
  warnings.map(({ code }) => code)

/** Each row: a block between two valid ones, the block after reading, and the codes of its warnings. */
type Row = readonly [name: string, block: unknown, read: unknown, codes: readonly string[]]

const blockRows: readonly Row[] = [
  ['unknown type video', { type: 'video', data: 'QQ==' }, undefined, ['unknown-block-type']],
  [
    'unknown type question: it never crosses MCP',
    { type: 'question', question: { id: 'a', text: 'b', schema: {} } },
    undefined,
    ['unknown-block-type'],
  ],
  ['unknown type tool_use', { type: 'tool_use', id: 'a' }, undefined, ['unknown-block-type']],
  ['null', null, undefined, ['malformed-block']],
  ['no type', { text: 'a' }, undefined, ['malformed-block']],
  ['text missing', { type: 'text' }, undefined, ['malformed-block']],
  ['text a number', { type: 'text', text: 1 }, text('1'), ['coerced-text']],
  ['text true', { type: 'text', text: true, x: 1 }, { ...text('true'), x: 1 }, ['coerced-text']],
  ['text null', { type: 'text', text: null }, undefined, ['malformed-block']],
  ['a bare string', 'a bare word', text('a bare word'), ['coerced-text']],
  ['a bare number', 7, text('7'), ['coerced-text']],
  [
    'mime_type',
    { type: 'image', data: png, mime_type: 'image/x-own' },
    { type: 'image', data: png, mimeType: 'image/x-own' },
    ['renamed-field'],
  ],
  [
    'mime_type in a resource',
    { type: 'resource', resource: { uri: 'x:1', text: 'a', mime_type: 'text/plain' } },
    { type: 'resource', resource: { uri: 'x:1', text: 'a', mimeType: 'text/plain' } },
    ['renamed-field'],
  ],
  [
    'mime_type beside mimeType, which is a field like any other',
    { ...text('a'), mimeType: 'text/plain', mime_type: 'b' },
    { ...text('a'), mimeType: 'text/plain', mime_type: 'b' },
    [],
  ],
  [
    'an empty mimeType, and bytes that do not tell',
    { type: 'image', data: 'AAAA', mimeType: '' },
    { type: 'image', data: 'AAAA', mimeType: '' },
    [],
  ],
  [
    'an empty mimeType, and bytes that tell',
    { type: 'image', data: png, mimeType: '' },
    { type: 'image', data: png, mimeType: 'image/png' },
    ['sniffed-mime-type'],
  ],
  [
    'formatted and annotations inside and beside the resource',
    {
      type: 'resource',
      resource: { uri: 'x:1', text: 'a', formatted: 'in', annotations: { priority: 1 } },
      formatted: 'out',
      annotations: { priority: 0 },
    },
    {
      type: 'resource',
      resource: { uri: 'x:1', text: 'a', formatted: 'in', annotations: { priority: 1 } },
      formatted: 'out',
      annotations: { priority: 0 },
    },
    [],
  ],
  [
    'image without mimeType, known magic bytes',
    { type: 'image', data: png },
    { type: 'image', data: png, mimeType: 'image/png' },
    ['sniffed-mime-type'],
  ],
  [
    'audio without mimeType, known magic bytes',
    { type: 'audio', data: 'SUQzBAAA', mimeType: null },
    { type: 'audio', data: 'SUQzBAAA', mimeType: 'audio/mpeg' },
    ['sniffed-mime-type'],
  ],
  [
    'image without mimeType, unknown bytes',
    { type: 'image', data: 'AAAA' },
    undefined,
    ['missing-mime-type'],
  ],
  [
    'image without mimeType, bytes of something else',
    { type: 'image', data: 'SUQzBAAA' },
    undefined,
    ['missing-mime-type'],
  ],
  [
    'invalid base64',
    { type: 'image', data: 'not base64!', mimeType: 'image/png' },
    undefined,
    ['invalid-base64'],
  ],
  [
    'invalid base64 in a blob',
    { type: 'resource', resource: { uri: 'x:1', blob: 'Q?==' } },
    undefined,
    ['invalid-base64'],
  ],
  [
    'base64 with newlines',
    { type: 'image', data: 'iVBORw\r\n0KGgo=\n', mimeType: 'image/png' },
    { type: 'image', data: png, mimeType: 'image/png' },
    ['repaired-base64'],
  ],
  [
    'base64 without padding',
    { type: 'audio', data: 'QQ', mimeType: 'audio/wav' },
    { type: 'audio', data: 'QQ==', mimeType: 'audio/wav' },
    ['repaired-base64'],
  ],
  [
    'empty base64',
    { type: 'image', data: '', mimeType: 'image/png' },
    { type: 'image', data: '', mimeType: 'image/png' },
    [],
  ],
  [
    'base64url',
    { type: 'resource', resource: { uri: 'x:1', blob: '-_-_' } },
    { type: 'resource', resource: { uri: 'x:1', blob: '+/+/' } },
    ['repaired-base64'],
  ],
  [
    'data: URI in data, which also says the type',
    { type: 'image', data: `data:image/png;base64,${png}` },
    { type: 'image', data: png, mimeType: 'image/png' },
    ['repaired-base64', 'sniffed-mime-type'],
  ],
  [
    'resource without uri',
    { type: 'resource', resource: { text: 'a' } },
    undefined,
    ['malformed-block'],
  ],
  [
    'resource with neither text nor blob',
    { type: 'resource', resource: { uri: 'x:1' } },
    undefined,
    ['malformed-block'],
  ],
  [
    'resource with both text and blob: text counts, the blob is kept',
    { type: 'resource', resource: { uri: 'x:1', text: 'a', blob: 'QQ==' }, _meta: { a: 1 } },
    {
      type: 'resource',
      resource: { uri: 'x:1', text: 'a' },
      _meta: { a: 1, 'toolblocks/wire': { blob: 'QQ==' } },
    },
    ['text-and-blob'],
  ],
  [
    'uri not a URI',
    { type: 'resource', resource: { uri: 'not a uri', text: 'a' } },
    { type: 'resource', resource: { uri: 'not a uri', text: 'a' } },
    [],
  ],
  [
    'inner resource.annotations/name/title/size',
    {
      type: 'resource',
      resource: {
        uri: 'x:1',
        text: 'a',
        annotations: { priority: 1 },
        name: 'n',
        title: 't',
        size: 3,
      },
    },
    {
      type: 'resource',
      resource: { uri: 'x:1', text: 'a', name: 'n', title: 't', size: 3 },
      annotations: { priority: 1 },
    },
    ['hoisted-field'],
  ],
  [
    'resource_link without name',
    { type: 'resource_link', uri: 'https://a.example/b/c.md?x#y' },
    { type: 'resource_link', uri: 'https://a.example/b/c.md?x#y', name: 'c.md' },
    ['derived-name'],
  ],
  [
    'bad audience',
    { ...text('a'), annotations: { audience: ['me'], priority: 1 } },
    { ...text('a'), annotations: { priority: 1 } },
    ['dropped-field'],
  ],
  [
    'audience as one role',
    { ...text('a'), annotations: { audience: 'user', priority: 1 } },
    { ...text('a'), annotations: { audience: ['user'], priority: 1 } },
    ['coerced-audience'],
  ],
  [
    'audience in another letter case',
    { ...text('a'), annotations: { audience: ['USER', ' Assistant'] } },
    { ...text('a'), annotations: { audience: ['user', 'assistant'] } },
    ['coerced-audience'],
  ],
  [
    'audience with a role that is unknown',
    { ...text('a'), annotations: { audience: ['user', 'robot'] } },
    { ...text('a'), annotations: {} },
    ['dropped-field'],
  ],
  [
    'audience of a resource as one role',
    { type: 'resource', resource: { uri: 'x:1', text: 'a', annotations: { audience: 'User' } } },
    {
      type: 'resource',
      resource: { uri: 'x:1', text: 'a' },
      annotations: { audience: ['user'] },
    },
    ['coerced-audience', 'hoisted-field'],
  ],
  [
    'bad priority',
    { ...text('a'), annotations: { audience: ['user'], priority: 1.5 } },
    { ...text('a'), annotations: { audience: ['user'] } },
    ['dropped-field'],
  ],
  [
    'lastModified in another form',
    { ...text('a'), annotations: { lastModified: 'yesterday' } },
    { ...text('a'), annotations: { lastModified: 'yesterday' } },
    [],
  ],
  [
    'extra block keys',
    { type: 'resource', resource: { uri: 'x:1', text: 'a' }, formatted: 'f', other: [1] },
    { type: 'resource', resource: { uri: 'x:1', text: 'a' }, formatted: 'f', other: [1] },
    [],
  ],
  [
    'lone surrogates, NUL, U+2028 in text',
    text('\uD83D a\0b \u2028'),
    text('\uD83D a\0b \u2028'),
    [],
  ],
  [
    'type as the last key',
    { name: 'b', uri: 'demo://1', type: 'resource_link' },
    { name: 'b', uri: 'demo://1', type: 'resource_link' },
    [],
  ],
]

test.for(blockRows)('a block with %s', ([, block, read, expected]) => {
  const parsed = parseToolResult({ content: [text('a'), block, text('z')] }, { from: 'mcp' })
  if (parsed.kind !== 'complete') throw new Error(parsed.kind)
  const { result, warnings, reversible } = parsed
  expect(result.content).toEqual([text('a'), ...(read === undefined ? [] : [read]), text('z')])
  expect(codes(warnings)).toEqual(expected)
  expect(reversible).toBe(expected.length === 0)
  for (const { path, message, expected: right, got } of warnings) {
    expect(path).toMatch(/^\/content\/1(?:\/|$)/)
    expect(path === '/content/1').toBe(read === undefined)
    expect([message, right, got].every(Boolean)).toBe(true)
  }
})

test.for([
  [Number.MAX_SAFE_INTEGER, true],
  [Number.MAX_SAFE_INTEGER + 1, false],
] as const)('a link of %i bytes is reversible: %s', ([size, reversible]) => {
  const link = { type: 'resource_link', uri: 'x:1', name: 'n', size }
  expect(parseToolResult({ content: [link] }, { from: 'mcp' })).toMatchObject({
    result: { content: [link] },
    warnings: [],
    reversible,
  })
})
