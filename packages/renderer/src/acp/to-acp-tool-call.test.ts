import type { ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk'
import type { ToolResult } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { type AcpContent, toAcpToolCall } from '../acp.ts'

/** The types of the protocol's SDK accept these types. The type checker verifies it. */
const asUpdate = (result: ToolResult): ToolCallUpdate => ({
  toolCallId: 'call-1',
  ...toAcpToolCall(result, { root: '/lighthouse' }),
})

const asContent = (content: AcpContent): ToolCallContent => content

const makeValue = (
  structuredContent: unknown,
  content: ToolResult['content'] = [],
): ToolResult => ({
  content,
  isError: false,
  structuredContent,
})

describe('a result for an agent client', () => {
  test('of a diff is a diff, at an absolute path', () => {
    const value = {
      kind: 'diff',
      data: { path: 'src/a.rs', original: 'a\n', modified: 'b\n', isNew: false },
    }
    expect(asUpdate(makeValue(value, [{ type: 'text', text: 'Changed src/a.rs' }]))).toEqual({
      toolCallId: 'call-1',
      status: 'completed',
      kind: 'edit',
      content: [{ type: 'diff', path: '/lighthouse/src/a.rs', oldText: 'a\n', newText: 'b\n' }],
      locations: [{ path: '/lighthouse/src/a.rs' }],
      rawOutput: value,
    })
  })

  test('of a diff of a new file has no old text, and a diff without a known original is not a diff', () => {
    const data = { path: '/project/a', modified: 'b', isNew: true }
    expect(asUpdate(makeValue({ kind: 'diff', data })).content).toMatchObject([{ oldText: null }])
    expect(
      asUpdate(makeValue({ kind: 'diff', data: { ...data, isNew: false } })).content,
    ).toMatchObject([{ type: 'content', content: { type: 'text' } }])
  })

  test('of a diff is text if the folder of its path is unknown', () => {
    const data = { path: 'a', modified: 'b', isNew: true }
    expect(toAcpToolCall(makeValue({ kind: 'diff', data }), { root: '' })).toMatchObject({
      content: [{ type: 'content', content: { type: 'text' } }],
      locations: [],
    })
  })

  test('of other values is text in a fence, unless blocks contain it', () => {
    const table = { kind: 'table', data: { columns: [{ key: 'a' }], rows: [{ a: '```' }] } }
    expect(asUpdate(makeValue(table)).content).toEqual([
      { type: 'content', content: { type: 'text', text: '````\na\n───\n```\n````' } },
    ])
    expect(asUpdate(makeValue(table, [{ type: 'text', text: 'one row' }])).content).toEqual([
      { type: 'content', content: { type: 'text', text: '```\none row\n```' } },
    ])
  })

  test('of an image is an image, or a link to it', () => {
    const data = 'iVBORw0KGgo='
    const image = { kind: 'image', mimeType: 'image/png', data: { base64: data } }
    expect(asUpdate(makeValue(image)).content).toEqual([
      { type: 'content', content: { type: 'image', data, mimeType: 'image/png' } },
    ])
    const uri = 'https://example.com/a.png'
    const link = (alt?: string): ToolResult =>
      makeValue({ kind: 'image', data: { url: uri, ...(alt !== undefined && { alt }) } })
    const linkTo = (name: string): object[] => [
      { type: 'content', content: { type: 'resource_link', uri, name } },
    ]
    expect(asUpdate(link()).content).toEqual(linkTo('image'))
    expect(asUpdate(link('A map')).content).toEqual(linkTo('A map'))
  })

  test('of an image without a type and a url is text', () => {
    const image = { kind: 'image', data: { base64: 'iVBORw0KGgo=' } }
    expect(asUpdate(makeValue(image)).content).toEqual([
      { type: 'content', content: { type: 'text', text: '```\nimage  8 bytes\n```' } },
    ])
  })

  const file = { path: 'a.rs', content: 'b', size: 1 }
  const hunk = { oldStart: 0, oldLines: 0, newStart: 7, newLines: 1, lines: ['+b'] }
  const diff = { path: 'a.rs', original: 'a', modified: 'b', isNew: false }
  const place = { path: '/lighthouse/a.rs' }
  test.for<[object, string, object[]]>([
    [{ kind: 'diff', data: diff }, 'edit', [place]],
    [{ kind: 'diff', data: { ...diff, hunks: [hunk] } }, 'edit', [{ ...place, line: 7 }]],
    [
      { kind: 'diff', data: { ...diff, hunks: [{ ...hunk, newStart: 0 }, hunk] } },
      'edit',
      [{ ...place, line: 7 }],
    ],
    [{ kind: 'diff', data: { ...diff, hunks: [{ ...hunk, newStart: 0 }] } }, 'edit', [place]],
    [{ kind: 'file_content', data: file }, 'read', [place]],
    [{ kind: 'file_content', data: { ...file, path: '' } }, 'read', []],
    [{ kind: 'image', data: { url: 'https://a.example' } }, 'read', []],
    [{ kind: 'file_list', data: { path: '/', entries: [] } }, 'search', []],
    [{ kind: 'text', data: { content: 'a' } }, 'other', []],
    [{ kind: 'table', data: { columns: [], rows: [] } }, 'other', []],
    [{ kind: 'structured', data: 1 }, 'other', []],
    [{ kind: 'a.b', data: 1 }, 'other', []],
  ])('of %j is of kind %s, at %j', ([value, kind, locations]) => {
    expect(asUpdate(makeValue(value))).toMatchObject({ kind, locations })
  })

  test('without structured content has none, and is empty if it has no blocks', () => {
    expect(toAcpToolCall({ content: [], isError: false }, { root: '/' })).toStrictEqual({
      status: 'completed',
      kind: 'other',
      content: [{ type: 'content', content: { type: 'text', text: '```\n(no output)\n```' } }],
      locations: [],
    })
  })

  test('has blocks one to one, Markdown unchanged, and a terminal of the client first', () => {
    const content: ToolResult['content'] = [
      { type: 'text', text: '**a**', mimeType: 'text/markdown' },
      {
        type: 'resource',
        resource: { uri: 'file:///project/a', text: 'b', mimeType: 'text/plain' },
      },
      { type: 'question', question: { id: 'q', text: 'Sure?', schema: {} } },
    ]
    const call = toAcpToolCall({ content, isError: true }, { root: '/lighthouse', terminalId: 't' })
    expect(call.status).toBe('failed')
    expect(call.content.map(asContent)).toEqual([
      { type: 'terminal', terminalId: 't' },
      { type: 'content', content: { type: 'text', text: '**a**' } },
      {
        type: 'content',
        content: {
          type: 'resource',
          resource: { uri: 'file:///project/a', text: 'b', mimeType: 'text/plain' },
        },
      },
      { type: 'content', content: { type: 'text', text: '```\n? Sure?\n```' } },
    ])
  })

  test.for<[string, ToolResult['content'][number], object]>([
    [
      'a picture',
      { type: 'image', data: 'AAAA', mimeType: 'image/png', annotations: { priority: 1 } },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ],
    [
      'a sound',
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav', _meta: { a: 1 } },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    ],
    [
      'a link',
      {
        type: 'resource_link',
        uri: 'a:b',
        name: 'n',
        title: 't',
        description: 'd',
        mimeType: 'text/plain',
        size: 0,
        annotations: {},
      },
      {
        type: 'resource_link',
        uri: 'a:b',
        name: 'n',
        title: 't',
        description: 'd',
        mimeType: 'text/plain',
        size: 0,
      },
    ],
    [
      'a link with a name alone',
      { type: 'resource_link', uri: 'a:b', name: 'n' },
      { type: 'resource_link', uri: 'a:b', name: 'n' },
    ],
    [
      'a text with its place',
      { type: 'resource', resource: { uri: 'a:b', text: '', title: 't' } },
      { type: 'resource', resource: { uri: 'a:b', text: '' } },
    ],
    [
      'bytes with their place',
      { type: 'resource', resource: { uri: 'a:b', blob: 'AAAA', mimeType: 'a/b' } },
      { type: 'resource', resource: { uri: 'a:b', blob: 'AAAA', mimeType: 'a/b' } },
    ],
  ])('has %s with the fields of the protocol, and no others', ([, block, expected]) => {
    const call = toAcpToolCall({ content: [block], isError: false }, { root: '/' })
    expect(call.content).toStrictEqual([{ type: 'content', content: expected }])
  })

  test('that is hidden says so, and shows only its questions', () => {
    const value = { kind: 'a.b', data: 'secret', display: { preferredView: 'hidden' } }
    const content: ToolResult['content'] = [
      { type: 'text', text: 'secret' },
      { type: 'question', question: { id: 'q', text: 'Sure?', schema: {} } },
    ]
    const hidden = '```\n(a.b: hidden, as the tool asks)\n```'
    expect(toAcpToolCall(makeValue(value, content), { root: '/' })).toStrictEqual({
      status: 'completed',
      kind: 'other',
      content: [
        { type: 'content', content: { type: 'text', text: '```\n? Sure?\n```' } },
        { type: 'content', content: { type: 'text', text: hidden } },
      ],
      locations: [],
    })
    const hiddenDiff = {
      kind: 'diff',
      data: { path: '/a', modified: 'secret', isNew: true },
      display: { preferredView: 'hidden' },
    }
    expect(JSON.stringify(asUpdate(makeValue(hiddenDiff)))).not.toContain('secret')
  })

  test('that is hidden is shown if the call failed', () => {
    const value = { kind: 'a.b', data: 'why', display: { preferredView: 'hidden' } }
    const call = toAcpToolCall({ ...makeValue(value), isError: true }, { root: '/' })
    expect(call.rawOutput).toEqual(value)
  })
})

test.for<[string, string, string | undefined]>([
  ['/a/b', '/w', '/a/b'],
  ['C:\\a', '/w', 'C:\\a'],
  ['c:/a', '/w', 'c:/a'],
  ['a/b', '/w', '/w/a/b'],
  ['a/C:/b', '/w', '/w/a/C:/b'],
  ['./a', '/w', '/w/a'],
  ['a/./b', '/w', '/w/a/./b'],
  ['../a', '/w', '/w/../a'],
  ['a', '/w//', '/w/a'],
  ['a', 'C:\\w\\', 'C:\\w/a'],
  ['a', '/w/x', '/w/x/a'],
  ['a', '', undefined],
  ['', '/w', undefined],
])('%j in %j is %j', ([path, root, absolute]) => {
  const value = { kind: 'diff', data: { path, modified: 'a', isNew: true } }
  expect(toAcpToolCall(makeValue(value), { root }).locations).toEqual(
    absolute === undefined ? [] : [{ path: absolute }],
  )
})
