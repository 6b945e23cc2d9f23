import { type ContentBlock, type ToolResult, withErrorDetails } from '@toolblocks/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostileText } from '../sanitize/attack-fragments.support.ts'
import { sanitizeTerminalText } from '../sanitize/sanitize-terminal-text.ts'
import { createTerminalOracle } from '../sanitize/terminal-oracle.support.ts'
import { showResult } from '../show/show-result.ts'
import { renderTerminal, renderTerminalBlocks } from './render-terminal.ts'

const text = (...texts: string[]): ContentBlock[] =>
  texts.map((part) => ({ type: 'text', text: part }))
const ok = (content: ContentBlock[], more: Partial<ToolResult> = {}): ToolResult => ({
  content,
  isError: false,
  ...more,
})
const failed = (content: ContentBlock[], more: Partial<ToolResult> = {}): ToolResult => ({
  content,
  isError: true,
  ...more,
})

describe('an error', () => {
  test.for([
    ['failed', '✗ failed'],
    ['denied', '✗ denied'],
    ['cancelled', '✗ cancelled'],
    ['timeout', '✗ timed out'],
    ['unanswered', '✗ unanswered: no one was available to answer the tool'],
    ['completed', '✗ failed'],
  ] as const)('says so first: %s', ([outcome, line]) => {
    expect(renderTerminal(failed(text('why'), { metadata: { outcome } }))).toBe(`${line}\nwhy`)
  })

  test('says so without an outcome and without blocks', () => {
    expect(renderTerminal(failed([]))).toBe('✗ failed\n(no output)')
  })

  test('is red if colours are enabled', () => {
    expect(renderTerminal(failed(text('why')), { colors: 'ansi' })).toBe(
      '\u001B[31m✗ failed\u001B[39m\nwhy',
    )
  })

  test('that is transient says so, and its causes are shown', () => {
    const result = withErrorDetails(failed(text('could not read')), {
      transient: true,
      trace: ['connection lost', 'timeout\nafter 30 s'],
    })
    expect(renderTerminal(result)).toBe(
      [
        '✗ failed  trying again may help',
        'could not read',
        '',
        'caused by: connection lost',
        'caused by: timeout',
        '           after 30 s',
      ].join('\n'),
    )
  })

  test('is not cut, because the important part may be anywhere', () => {
    const lines = Array.from({ length: 700 }, (_, index) => `line ${index}`).join('\n')
    expect(renderTerminal(failed(text(lines)), { maxLines: 5 })).toBe(`✗ failed\n${lines}`)
  })

  test('is cut in the middle if it is too long for a person', () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n')
    const rows = renderTerminal(failed(text(lines))).split('\n')
    expect(rows.slice(500, 503)).toEqual(['line 499', '… 4,000 more lines', 'line 4500'])
    expect(rows.at(-1)).toBe('line 4999')
  })

  test('counts causes above the limit', () => {
    const result = withErrorDetails(failed([]), {
      transient: false,
      trace: Array.from({ length: 102 }, () => 'again'),
    })
    expect(renderTerminal(result)).toMatch(/caused by: again\n… 2 more causes$/)
  })
})

describe('an empty result', () => {
  test('says so', () => {
    expect(renderTerminal(ok([]))).toBe('(no output)')
    expect(renderTerminal(ok(text('')))).toBe('(no output)')
    expect(renderTerminal(ok(text('\n')))).toBe('(no output)')
  })
})

describe('warnings', () => {
  const warning = (index: number) => ({
    path: `/content/${index}`,
    message: 'The block was skipped.',
  })

  test('are one line each, at the end', () => {
    const warnings = [warning(1), { path: '', message: 'Two\nlines.' }]
    expect(renderTerminal(ok(text('a'), { metadata: { warnings } }))).toBe(
      'a\n! /content/1 The block was skipped.\n! Two⏎lines.',
    )
  })

  test('are five at most; others are counted', () => {
    const warnings = Array.from({ length: 1005 }, (_, index) => warning(index))
    const rows = renderTerminal(ok([], { metadata: { warnings } })).split('\n')
    expect(rows).toHaveLength(7)
    expect(rows.at(-1)).toBe('… 1,000 more warnings')
  })
})

describe('structured content', () => {
  test('without a kind is shown as JSON', () => {
    expect(renderTerminal(ok(text('see'), { structuredContent: { a: [1] } }))).toBe(
      'see\n\n{\n  "a": [\n    1\n  ]\n}',
    )
  })

  test('that a text block already contains is not repeated', () => {
    const result = ok(text('{"b": 2, "a": 1}'), { structuredContent: { a: 1, b: 2 } })
    expect(renderTerminal(result)).toBe('{"b": 2, "a": 1}')
  })

  test('shows its content, also invisible characters', () => {
    const structuredContent = { a: 'b\u009Dhidden', c: '\u202E' }
    expect(renderTerminal(ok([], { structuredContent }))).toBe(
      String.raw`{
  "a": "b\u009dhidden",
  "c": "\u202e"
}`,
    )
  })

  test('that is not JSON is reported', () => {
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    expect(renderTerminal(ok([], { structuredContent: cycle }))).toBe(
      '(structured content that is not JSON)',
    )
  })

  test('is cut like text', () => {
    const structuredContent = Array.from({ length: 100 }, (_, index) => index)
    expect(renderTerminal(ok([], { structuredContent }), { maxLines: 2 })).toBe(
      '[\n  0,\n… 100 more lines',
    )
  })
})

describe('for any result of a tool', () => {
  const block: fc.Arbitrary<ContentBlock> = hostileText(8).chain((hostile) =>
    fc.constantFrom<ContentBlock>(
      { type: 'text', text: hostile },
      { type: 'image', data: hostile, mimeType: hostile },
      { type: 'resource_link', uri: hostile, name: hostile, description: hostile },
      {
        type: 'resource',
        resource: { uri: hostile, title: hostile, mimeType: hostile, text: hostile },
      },
      { type: 'resource', resource: { uri: hostile, name: hostile, blob: hostile } },
      { type: 'question', question: { id: hostile, text: hostile, schema: {}, url: hostile } },
    ),
  )
  const structured = hostileText(8).chain((hostile) =>
    fc.constantFrom<unknown>(
      undefined,
      { [hostile]: hostile },
      { kind: 'text', data: { content: hostile }, summary: hostile },
      {
        kind: 'file_content',
        data: { path: hostile, content: hostile, size: 1, encoding: hostile },
      },
      {
        kind: 'file_list',
        data: { path: hostile, entries: [{ name: hostile, type: 'directory' }] },
      },
      { kind: 'table', data: { columns: [{ key: 'a', label: hostile }], rows: [{ a: hostile }] } },
      { kind: 'diff', data: { path: hostile, original: 'a', modified: hostile, isNew: false } },
      { kind: 'image', data: { url: hostile, alt: hostile }, mimeType: hostile },
      { kind: 'custom.kind', data: hostile, summary: hostile },
    ),
  )
  const result: fc.Arbitrary<ToolResult> = fc
    .record({
      content: fc.array(block, { maxLength: 3 }),
      isError: fc.boolean(),
      structuredContent: structured,
      warnings: fc.array(fc.record({ path: hostileText(4), message: hostileText(4) }), {
        maxLength: 2,
      }),
      trace: fc.array(hostileText(4), { maxLength: 2 }),
    })
    .map(({ warnings, trace, ...others }) =>
      withErrorDetails({ ...others, metadata: { warnings } }, { transient: false, trace }),
    )
  const colors = fc.constantFrom('none' as const, 'ansi' as const)

  test('no text controls the terminal', { timeout: 30_000 }, async () => {
    const oracle = createTerminalOracle()
    await fc.assert(
      fc.asyncProperty(result, colors, async (hostile, wanted) => {
        const rendered = renderTerminal(hostile, { colors: wanted, root: '/home/ada' })
        expect(await oracle.readEffects(rendered)).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test('the shown value is plain JSON: its copy is equal', () => {
    fc.assert(
      fc.property(result, (hostile) => {
        const parts = showResult(hostile, { stderr: 'show' })
        expect(JSON.parse(JSON.stringify(parts))).toStrictEqual(parts)
      }),
      { numRuns: 500 },
    )
  })

  test('the output is not changed by sanitizing', () => {
    fc.assert(
      fc.property(result, colors, (hostile, wanted) => {
        const rendered = renderTerminal(hostile, { colors: wanted, root: '/home/ada' })
        const stripped = sanitizeTerminalText(rendered, { colors: 'strip' })
        const kept = sanitizeTerminalText(rendered).replace(/\u001B\[0m$/, '') // oxlint-disable-line no-control-regex
        expect(kept).toBe(rendered.replace(/\u001B\[0m$/, '')) // oxlint-disable-line no-control-regex
        if (wanted === 'none') expect(stripped).toBe(rendered) // oxlint-disable-line vitest/no-conditional-expect
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a block for the model alone', () => {
  const [block] = text('line 1\nline 2').map((one) => ({
    ...one,
    annotations: { audience: ['assistant' as const] },
  }))
  const blocks = block ? [block] : []

  test('is one line', () => {
    expect(renderTerminal(ok([...text('a'), ...blocks]))).toBe('a\ntext for the model, not shown')
  })

  test('is complete if nothing is cut, if the call failed, and before a question', () => {
    expect(renderTerminal(ok(blocks), { maxLines: Infinity })).toBe('line 1\nline 2')
    expect(renderTerminal(failed(blocks))).toBe('✗ failed\nline 1\nline 2')
    expect(renderTerminalBlocks(blocks)).toBe('line 1\nline 2')
  })
})
