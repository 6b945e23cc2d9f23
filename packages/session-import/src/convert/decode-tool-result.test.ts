import fc from 'fast-check'
import { isToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { text } from '../complete-conversation.support.ts'
import { decodeToolResult, readBlocks } from './decode-tool-result.ts'

test.for<[string, unknown, unknown]>([
  [
    'the flat record',
    { type: 'tool_call_response', id: 'c', content: 'out', is_error: true },
    { id: 'c', content: [text('out')], isError: true },
  ],
  ['a bare text', 'out', { content: [text('out')], isError: false }],
  [
    'blocks with isError',
    { content: [text('a')], isError: true },
    { content: [text('a')], isError: true },
  ],
  [
    'blocks with a status',
    { id: 'c', content: [text('no')], status: 'denied', metadata: { path: 'x' } },
    {
      id: 'c',
      content: [text('no')],
      isError: true,
      _meta: { path: 'x' },
      metadata: { outcome: 'denied' },
    },
  ],
  [
    'an aborted call',
    { content: [], status: 'aborted' },
    { content: [], isError: true, metadata: { outcome: 'cancelled' } },
  ],
  ['blocks without a status', { content: [text('a')] }, { content: [text('a')], isError: false }],
  [
    'an output that worked',
    { callId: 'c', output: 'a\nb', success: true },
    { id: 'c', content: [text('a\nb')], isError: false },
  ],
  [
    'an output that repeats its error',
    { callId: 'c', output: 'gone', success: false, error: 'gone' },
    { id: 'c', content: [text('gone')], isError: true },
  ],
  [
    'an error without output',
    { callId: 'c', output: '', success: false, error: 'spawn ENOENT' },
    { id: 'c', content: [text('spawn ENOENT')], isError: true },
  ],
  [
    'a failure with a hint',
    { success: false, error: 'not found', hint: 'check' },
    { content: [text('not found'), text('check')], isError: true },
  ],
  [
    'a flat semantic value',
    { kind: 'text', content: 'hi', summary: 'Said hi' },
    {
      content: [text('Said hi')],
      isError: false,
      structuredContent: { kind: 'text', data: { content: 'hi' }, summary: 'Said hi' },
    },
  ],
  [
    'a semantic value with data',
    { kind: 'git.log', data: [1], summary: 's' },
    {
      content: [text('s')],
      isError: false,
      structuredContent: { kind: 'git.log', data: [1], summary: 's' },
    },
  ],
  [
    'a plain output that worked',
    { success: true, content: 'hi', path: '/a' },
    {
      content: [text('hi')],
      isError: false,
      structuredContent: { success: true, content: 'hi', path: '/a' },
    },
  ],
  [
    'an event around a value',
    { toolCallId: 'c', toolName: 'x', status: 'success', value: 'v', durationMs: 1 },
    { id: 'c', content: [text('v')], isError: false },
  ],
  [
    'an error without content',
    { type: 'error', error: 'no' },
    { content: [text('no')], isError: true },
  ],
  [
    'an interruption',
    { type: 'interrupted', partial: 'half' },
    { content: [text('half')], isError: true, metadata: { outcome: 'cancelled' } },
  ],
  [
    'anything else',
    { rows: 2 },
    {
      content: [{ type: 'text', text: '{"rows":2}', mimeType: 'application/json' }],
      isError: false,
      structuredContent: { rows: 2 },
    },
  ],
])('%s', ([, value, expected]) => {
  expect(decodeToolResult(value)).toEqual(expected)
})

test('a current tool result is unchanged', () => {
  const result = { id: 'c', content: [text('a')], isError: false, structuredContent: { a: 1 } }
  expect(decodeToolResult(result)).toBe(result)
})

test('any JSON value is decoded as a result', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(isToolResult(decodeToolResult(value))).toBe(true)
    }),
  )
})

const image = { type: 'image', data: 'AA==', mimeType: 'image/png' }

test.for<[string, unknown, unknown]>([
  [
    'Anthropic',
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
    image,
  ],
  ['OpenAI', { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }, image],
  ['OpenAI, of responses', { type: 'input_image', image_url: 'data:image/png;base64,AA==' }, image],
  [
    'the AI SDK',
    { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' },
    image,
  ],
  ['Lace', { type: 'image', data: 'AA==' }, { ...image, mimeType: 'application/octet-stream' }],
  [
    'a link',
    { type: 'image', source: { type: 'url', url: 'https://a/b.png' } },
    { type: 'resource_link', uri: 'https://a/b.png', name: 'image' },
  ],
  [
    'nobody we know',
    { type: 'hologram', x: 1 },
    {
      type: 'text',
      text: '{"type":"hologram","x":1}',
      mimeType: 'application/json',
      _meta: { 'toolblocks/imported-block': { kind: 'hologram' } },
    },
  ],
])('decodes a picture of %s as a block', ([, block, expected]) => {
  expect(decodeToolResult({ content: [block] }).content).toEqual([expected])
})

test('the thread of a delegate becomes the conversation of the result', () => {
  const metadata = { threadId: 'lace_20250703_a1b2c3.1' }
  expect(decodeToolResult({ id: 'c', content: [text('done')], isError: false, metadata })).toEqual({
    id: 'c',
    content: [text('done')],
    isError: false,
    metadata: { ...metadata, conversationId: 'lace_20250703_a1b2c3.1' },
  })
})

const DATA = 'AA=='

test.for<[object, object]>([
  [{ type: 'refusal', refusal: 'no' }, text('no')],
  [{ type: 'json', data: { a: 1 } }, text('{"a":1}')],
  [
    { type: 'error', message: 'gone', code: 'E1' },
    { ...text('gone'), _meta: { 'toolblocks/imported-block': { code: 'E1' } } },
  ],
  [
    { type: 'image', data: DATA, mimeType: 'image/png', image: 'other', mediaType: 'image/gif' },
    { type: 'image', data: DATA, mimeType: 'image/png', image: 'other', mediaType: 'image/gif' },
  ],
  [
    { type: 'image', image: DATA, mediaType: 'image/gif' },
    { type: 'image', data: DATA, mimeType: 'image/gif' },
  ],
  [
    { type: 'image', data: DATA, image: 'other', mediaType: 'image/gif' },
    { type: 'image', data: DATA, mimeType: 'image/gif' },
  ],
  [
    { type: 'image', image: DATA, mimeType: 'image/png', mediaType: 'image/gif' },
    { type: 'image', data: DATA, mimeType: 'image/png' },
  ],
  [
    { type: 'input_audio', input_audio: { data: DATA, format: 'wav' } },
    { type: 'audio', data: DATA, mimeType: 'audio/wav' },
  ],
  [
    { type: 'document', title: 'T', source: { type: 'text', data: 'words', media_type: 'text/x' } },
    { type: 'resource', resource: { uri: 'T', mimeType: 'text/x', text: 'words' } },
  ],
  [
    { type: 'document', source: { type: 'base64', data: DATA, media_type: 'application/pdf' } },
    { type: 'resource', resource: { uri: 'document', mimeType: 'application/pdf', blob: DATA } },
  ],
  [
    { type: 'document', title: 'T', source: { type: 'url', url: 'https://a/b' } },
    { type: 'resource_link', uri: 'https://a/b', name: 'T' },
  ],
  [
    { type: 'resource', uri: 'a:b', name: 'N' },
    { type: 'resource_link', uri: 'a:b', name: 'N' },
  ],
  [
    { type: 'file', url: 'https://a/b', filename: 'F', mediaType: 'text/x' },
    { type: 'resource_link', uri: 'https://a/b', name: 'F' },
  ],
  [
    { type: 'file', url: `data:text/plain;base64,${DATA}`, filename: 'F', mediaType: 'text/x' },
    { type: 'resource', resource: { uri: 'F', mimeType: 'text/x', blob: DATA } },
  ],
  [
    { type: 'file', url: `data:audio/wav;base64,${DATA}` },
    { type: 'audio', data: DATA, mimeType: 'audio/wav' },
  ],
])('reads the block %j with all of its fields', ([block, expected]) => {
  expect(readBlocks([block])).toEqual([expected])
})

test.for<[object, object]>([
  // If a value has two names, the first one counts.
  [
    {
      id: 'a',
      callId: 'b',
      toolCallId: 'c',
      content: 'x',
      blocks: ['y'],
      isError: false,
      is_error: true,
    },
    { id: 'a', content: [text('x')], isError: false },
  ],
  [
    { callId: 'b', blocks: ['y'], is_error: true, status: 'completed', outcome: 'error' },
    { id: 'b', content: [text('y')], isError: true },
  ],
  [
    { content: 'x', metadata: { a: 1 }, meta: { b: 2 }, structuredContent: [1] },
    { content: [text('x')], isError: false, _meta: { a: 1 }, structuredContent: [1] },
  ],
  [
    { content: 'x', meta: { threadId: 't', b: 2 }, outcome: 'interrupted' },
    {
      content: [text('x')],
      isError: true,
      _meta: { threadId: 't', b: 2 },
      metadata: { outcome: 'cancelled', conversationId: 't' },
    },
  ],
  [
    {
      toolCallId: 'c',
      status: 'error',
      value: { a: 1 },
      partial: 'p',
      error: 'no',
      type: 'success',
    },
    {
      id: 'c',
      content: [{ ...text('{"a":1}'), mimeType: 'application/json' }, text('no')],
      isError: true,
      structuredContent: { a: 1 },
    },
  ],
  [
    { output: 'out', success: false, error: 'why', hint: 'try b' },
    { content: [text('out'), text('why'), text('try b')], isError: true },
  ],
  [
    { output: 'out', success: true, error: 'only careful' },
    { content: [text('out')], isError: false },
  ],
  [
    { output: 'out', error: 'why' },
    { content: [text('out'), text('why')], isError: true },
  ],
])('reads the result %j with all of its fields', ([value, expected]) => {
  expect(decodeToolResult(value)).toEqual(expected)
})
