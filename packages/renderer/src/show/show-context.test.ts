import { describe, expect, test } from 'vitest'
import type { ToolResult } from '@toolblocks/protocol'
import { createRendererRegistry, renderTerminal, RendererError, showResult } from '../index.ts'

const result = (structuredContent: unknown, more: Partial<ToolResult> = {}): ToolResult => ({
  content: [],
  isError: false,
  structuredContent,
  ...more,
})
const status = { kind: 'git.status', data: { ahead: 1 }, summary: 'clean' }
const registry = createRendererRegistry()
  .register('git.status', () => [{ kind: 'facts', name: 'main', facts: ['1 ahead'] }])
  .register('text', ({ data }, { cut }) => [{ kind: 'code', ...cut(JSON.stringify(data)) }])
  .register('broken.kind', () => {
    throw new Error('no such field\u001B[2J')
  })

describe('a registered renderer', () => {
  test('shows the data of its kind, below the summary', () => {
    expect(renderTerminal(result(status), { registry })).toBe('clean\nmain  1 ahead')
  })

  test('replaces the renderer of a well-known kind, also if JSON is preferred', () => {
    const value = { kind: 'text', data: { content: 'a' }, display: { preferredView: 'raw' } }
    expect(renderTerminal(result(value), { registry })).toBe('│ {"content":"a"}')
  })

  test('also receives values of its kind in older formats', () => {
    expect(renderTerminal(result({ kind: 'git.status', ahead: 1 }), { registry })).toBe(
      'main  1 ahead',
    )
  })

  test('receives the blocks beside the value, and the number of rows and lines to show', () => {
    const seen: unknown[] = []
    const spy = createRendererRegistry().register('git.status', (value, context) => {
      const { content, maxRows, root, cut } = context
      seen.push(value.data, content, maxRows, root, cut('a\nb\nc\nd'))
      return []
    })
    const content = [{ type: 'text', text: 'beside' }] as const
    showResult(result(status, { content }), { registry: spy, maxLines: 2, root: '/w' })
    expect(seen).toEqual([{ ahead: 1 }, content, 2, '/w', { first: 'a\nb', left: 2, last: '' }])
  })

  test('that throws leaves the value to the next step, and a note says so', () => {
    const rendered = renderTerminal(result({ kind: 'broken.kind', data: 1 }), { registry })
    expect(rendered).toBe(
      'broken.kind\n1\n\n! The renderer of "broken.kind" failed, so the value is shown without it: no such field\\u{1B}[2J',
    )
    const failing = createRendererRegistry().register('text', () => {
      throw new TypeError('odd')
    })
    const { answer, remarks } = showResult(result({ kind: 'text', data: { content: 'a' } }), {
      registry: failing,
    })
    expect(answer).toEqual([
      { kind: 'group', parts: [{ kind: 'text', first: 'a', left: 0, last: '' }] },
    ])
    expect(remarks).toMatchObject([{ kind: 'warning', message: expect.stringContaining('odd') }])
  })

  test('is not called for a hidden value', () => {
    const value = { ...status, display: { preferredView: 'hidden' } }
    expect(renderTerminal(result(value), { registry })).toBe(
      '(git.status: hidden, as the tool asks)',
    )
  })
})

describe('a registry', () => {
  test('returns only registered kinds, and the last renderer of each', () => {
    const own = createRendererRegistry()
    expect(own.find('constructor')).toBeUndefined()
    const [first, second] = [() => [], () => []]
    expect(own.register('a.b', first).register('a.b', second).find('a.b')).toBe(second)
  })

  test('refuses a renderer for an invalid kind', () => {
    expect(() => registry.register('Git Status', () => [])).toThrow(RendererError)
    expect(() => registry.register('Git Status', () => [])).toThrow(
      'for "Git Status": expected a kind of lower-case words joined by dots',
    )
  })
})
