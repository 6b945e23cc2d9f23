import { describe, expect, test } from 'vitest'
import { boundControl, boundEscape } from './control-sequence.ts'
import { COLUMNS, ROWS } from './screen-size.ts'

describe('CSI', () => {
  test.for([
    ['', '@ABCDEFGHIJKLMPSTXZ`abcdefghlnrsu'],
    ['?', 'hlJKn'],
    ['>', 'c'],
  ] as const)('%j has its finals, and no others', ([marker, finals]) => {
    const all = Array.from({ length: 63 }, (_, at) => String.fromCharCode(64 + at))
    const kept = all.filter((final) => boundControl(`${marker}1`, final) !== '')
    expect(kept.toSorted()).toEqual(Array.from(finals).toSorted())
    expect(boundControl(`${marker}1`, finals.charAt(0))).toBe(
      `\u001B[${marker}1${finals.charAt(0)}`,
    )
  })

  test.for([
    ['A', COLUMNS],
    ['H', COLUMNS],
    ['b', ROWS * COLUMNS],
    ['L', ROWS],
    ['M', ROWS],
    ['S', ROWS],
    ['T', ROWS],
    ['h', 9999],
    ['l', 9999],
    ['n', 9999],
  ] as const)('%s counts no further than is of use: %d', ([final, largest]) => {
    const bounded = (number: number): string => boundControl(`${number};5`, final)
    expect(bounded(largest)).toBe(`\u001B[${largest};5${final}`)
    expect(bounded(largest + 1)).toBe(`\u001B[${largest};5${final}`)
    expect(boundControl(`3;${'9'.repeat(40)}`, final)).toBe(`\u001B[3;${largest}${final}`)
  })

  test.for(['!', ' q', '=1', '<1', '1?', '1 ', '?>1', 'x1'])(
    '%j is none for a screen',
    (collected) => {
      expect(boundControl(collected, 'h')).toBe('')
    },
  )

  test('a soft reset stays, and so do parts of parameters', () => {
    expect(boundControl('!', 'p')).toBe('\u001B[!p')
    expect(boundControl('', 'p')).toBe('')
    expect(boundControl('38:5;007', 'm')).toBe('')
    expect(boundControl('4:3;007', 'r')).toBe('\u001B[4:3;7r')
    expect(boundControl('', 'H')).toBe('\u001B[H')
  })
})

describe('ESC', () => {
  test('keeps the cursor, moves by lines, sets tabs and resets, and nothing else', () => {
    const all = Array.from({ length: 79 }, (_, at) => String.fromCharCode(48 + at))
    expect(all.filter((final) => boundEscape('', final) !== '').join('')).toBe('78DEHMc')
    expect(boundEscape('', '7')).toBe('\u001B7')
  })

  test('chooses a character set, and fills the screen', () => {
    for (const sequence of ['(B', ')0', '*~', '+0', '#8'])
      expect(boundEscape(sequence.charAt(0), sequence.charAt(1))).toBe(`\u001B${sequence}`)
    for (const [collected, final] of [
      ['#', '7'],
      [' ', 'F'],
      ['((', 'B'],
      ['(', '/'],
      ['-', 'B'],
      ['(B', 'c'],
    ] as const)
      expect(boundEscape(collected, final)).toBe('')
  })
})
