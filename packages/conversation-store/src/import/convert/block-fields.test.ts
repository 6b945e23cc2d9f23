import { expect, test } from 'vitest'
import { decodeToolResult, readBlocks } from './decode-tool-result.ts'
import { text } from '../whole-conversation.suite.ts'

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
])('the block %j is read with all that it says', ([block, expected]) => {
  expect(readBlocks([block])).toEqual([expected])
})

test.for<[object, object]>([
  // Of two names of one thing the first is the one that counts.
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
])('the result %j is read with all that it says', ([value, expected]) => {
  expect(decodeToolResult(value)).toEqual(expected)
})
