import { expect, test } from 'vitest'
import { renderHtml } from './render-html.ts'

const textOf = (lines: number): string =>
  renderHtml({ content: [{ type: 'text', text: 'lit\n'.repeat(lines).trim() }], isError: false })

test('text that is taller than a screen scrolls in itself, reached by the keyboard', () => {
  expect(textOf(41)).toMatch(/<div class="tb-scroll tb-high-40"[^>]* tabindex="0">/)
  expect(textOf(40)).not.toContain('tb-scroll')
})
