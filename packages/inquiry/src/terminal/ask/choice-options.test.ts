import type { RenderLine, TerminalText } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import type { QuestionTerminal } from '../question-terminal.ts'
import { longChoices, toOptions } from './choice-options.ts'

/** A line is shown to its sixtieth character. */
const renderLine: RenderLine = (text) =>
  (text.length > 60 ? `${text.slice(0, 59)}…` : text) as TerminalText
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that is looked at
const terminal = { renderLine } as QuestionTerminal

test('a value stands beside a title that says something else', () => {
  expect(
    toOptions(
      [
        { value: 'eu', title: 'Europe' },
        { value: 'Main', title: 'main' },
        { value: 'straße', title: 'STRASSE' },
        { value: 7, title: '7' },
        { value: null, title: 'none' },
      ],
      terminal,
    ),
  ).toEqual([
    { value: 0, label: 'Europe', hint: 'eu' },
    { value: 1, label: 'main' },
    { value: 2, label: 'STRASSE', hint: 'straße' },
    { value: 3, label: '7' },
    { value: 4, label: 'none', hint: 'null' },
  ])
})

test('choices that a list shows the beginning of are told whole, each text once', () => {
  const title = 'word '.repeat(20).trim()
  const value = 'x'.repeat(70)
  expect(
    longChoices(
      [
        { value: 'a', title: 'A' },
        { value: 'b', title },
        { value, title: value },
        { value, title: 'short' },
      ],
      terminal,
    ),
  ).toEqual([`○ ${title}`, `○ ${value}`, `○ ${value}`])
})
