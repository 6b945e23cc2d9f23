import type { ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk'
import type { ToolResult } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { type AcpContent, toAcpToolCall } from '../acp.ts'

/** What the SDK of the protocol takes, our types give: checked where types are. */
const asUpdate = (result: ToolResult): ToolCallUpdate => ({
  toolCallId: 'call-1',
  ...toAcpToolCall(result, { root: '/lighthouse' }),
})
const asContent = (content: AcpContent): ToolCallContent => content

const valueOf = (structuredContent: unknown, content: ToolResult['content'] = []): ToolResult => ({
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
    expect(asUpdate(valueOf(value, [{ type: 'text', text: 'Changed src/a.rs' }]))).toEqual({
      toolCallId: 'call-1',
      status: 'completed',
      kind: 'edit',
      content: [{ type: 'diff', path: '/lighthouse/src/a.rs', oldText: 'a\n', newText: 'b\n' }],
      locations: [{ path: '/lighthouse/src/a.rs' }],
      rawOutput: value,
    })
  })

  test('of a diff of a new file has no old text, and of one that is not known is no diff', () => {
    const data = { path: '/project/a', modified: 'b', isNew: true }
    expect(asUpdate(valueOf({ kind: 'diff', data })).content).toMatchObject([{ oldText: null }])
    expect(
      asUpdate(valueOf({ kind: 'diff', data: { ...data, isNew: false } })).content,
    ).toMatchObject([{ type: 'content', content: { type: 'text' } }])
  })

  test('of other values is text in a fence, unless blocks tell it', () => {
    const table = { kind: 'table', data: { columns: [{ key: 'a' }], rows: [{ a: '```' }] } }
    expect(asUpdate(valueOf(table)).content).toEqual([
      { type: 'content', content: { type: 'text', text: '````\na\n───\n```\n````' } },
    ])
    expect(asUpdate(valueOf(table, [{ type: 'text', text: 'one row' }])).content).toEqual([
      { type: 'content', content: { type: 'text', text: '```\none row\n```' } },
    ])
  })

  test('of a picture is a picture, or a link to it', () => {
    const image = { kind: 'image', mimeType: 'image/png', data: { base64: 'iVBORw0KGgo=' } }
    expect(asUpdate(valueOf(image)).content?.map(String)).toHaveLength(1)
    expect(asUpdate(valueOf(image)).content).toMatchObject([{ content: { type: 'image' } }])
    const link = { kind: 'image', data: { url: 'https://example.com/a.png' } }
    expect(asUpdate(valueOf(link)).content).toMatchObject([
      { content: { type: 'resource_link', uri: 'https://example.com/a.png', name: 'image' } },
    ])
  })

  test('has blocks one to one, Markdown as it is, and a terminal of the client first', () => {
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

  test('that is hidden says so, and nothing of it', () => {
    const value = { kind: 'a.b', data: 'secret', display: { preferredView: 'hidden' } }
    const call = asUpdate(valueOf(value, [{ type: 'text', text: 'secret' }]))
    expect(JSON.stringify(call)).not.toContain('secret')
    expect(JSON.stringify(call)).toContain('a.b: hidden')
  })
})
