import type { RenderLine, TerminalText } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { renderWhole } from './render-whole.ts'

/** Shows the first fifty characters of a line, and how many pieces it got. */
function cutting(): { renderLine: RenderLine; pieces: string[] } {
  const pieces: string[] = []
  const renderLine: RenderLine = (text) => {
    pieces.push(text)
    return Array.from(text).slice(0, 50).join('') as TerminalText
  }
  return { renderLine, pieces }
}

test.for([0, 1, 49, 50, 51, 100, 101])('of %i characters none is lost', (length) => {
  const text = Array.from({ length }, (_, at) => String.fromCharCode(97 + (at % 26))).join('')
  const { renderLine, pieces } = cutting()
  expect(renderWhole(text, renderLine)).toBe(text)
  expect(pieces).toHaveLength(Math.max(1, Math.ceil(length / 50)))
})

test('a piece ends between characters that are written with several code points', () => {
  const { renderLine, pieces } = cutting()
  renderWhole('e\u0301'.repeat(51), renderLine)
  expect(pieces).toEqual(['e\u0301'.repeat(50), 'e\u0301'])
})
