import { expect, test } from 'vitest'
import { renderHtml } from './render-html.ts'

const textOf = (lines: number): string =>
  renderHtml({ content: [{ type: 'text', text: 'lit\n'.repeat(lines).trim() }], isError: false })

test('text that is taller than a screen scrolls in itself, reached by the keyboard', () => {
  expect(textOf(41)).toMatch(/<div class="tb-scroll tb-high-40"[^>]* tabindex="0">/)
  expect(textOf(40)).not.toContain('tb-scroll')
})

test('text, code and diffs that are folded show their first lines, and all of them behind a click', () => {
  const lines = (count: number): string => 'lit\n'.repeat(count).trim()
  const render = (count: number): string =>
    renderHtml(
      {
        content: [
          { type: 'text', text: lines(count) },
          { type: 'text', text: lines(count), mimeType: 'text/x-python' },
        ],
        isError: false,
        structuredContent: {
          kind: 'diff',
          data: { path: 'a', original: '', modified: lines(count), isNew: true },
        },
      },
      { tallText: 'fold' },
    )
  expect(render(60).match(/<details><summary>All 6[01] lines<\/summary><\/details>/g)).toHaveLength(
    3,
  )
  expect(render(60)).not.toContain('tb-high-40')
  expect(render(24)).not.toContain('tb-tall')
})
