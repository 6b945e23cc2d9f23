import type { RenderLine, TerminalText } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { headlineOf } from './headline.ts'

/** A line is shown to its hundredth character, and controls as a mark. */
const renderLine: RenderLine = (text) =>
  Array.from(text)
    .slice(0, 100)
    .join('')
    // oxlint-disable-next-line no-control-regex -- what a terminal obeys
    .replaceAll(/[\u0000-\u001F]/g, '?') as TerminalText

test.for(['Which?', 'a'.repeat(61), 'a'.repeat(100)])('a text that is a line is it: %s', (text) => {
  expect(headlineOf(text, renderLine)).toEqual({ label: text, extent: 'whole' })
})

test.for<[string, string, string]>([
  ['several lines', 'First?\nSecond.', 'First?'],
  ['several lines of another system', 'First?\r\nSecond.', 'First?'],
  ['lines that are overwritten', 'First?\rSecond.', 'First??Second.'],
  ['empty lines around it', '\n \nFirst?\n', 'First?'],
  ['more than is shown of a line', 'a'.repeat(101), 'a'.repeat(60)],
  ['characters of two code units', '😀'.repeat(101), '😀'.repeat(60)],
])('of %s the label is the beginning', ([, text, beginning]) => {
  expect(headlineOf(text, renderLine)).toEqual({ label: `${beginning} …`, extent: 'begun' })
})
