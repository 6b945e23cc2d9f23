import { describe, expect, test } from 'vitest'
import { readRenditions } from './graphic-rendition.ts'
import { areLettersVisible, changeOfGrounds, OWN_GROUNDS } from './visible-letters.ts'

const isVisible = (parameters: string): boolean =>
  areLettersVisible({ ...OWN_GROUNDS, ...changeOfGrounds(readRenditions(parameters)) })

/** Red, green and blue of a colour of xterm's palette, by index. */
function paletteOf(index: number): readonly number[] {
  if (index >= 232) return [0, 0, 0].map(() => 8 + 10 * (index - 232))
  const level = (step: number): number => (step === 0 ? 0 : 55 + 40 * step)
  const place = index - 16
  return [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map(level)
}

describe('letters in the colour that is behind them', () => {
  test('are not visible, whether it is said by its index or its parts', () => {
    for (let index = 16; index < 256; index += 1)
      expect([index, isVisible(`38;5;${index};48;2;${paletteOf(index).join(';')}`)]).toEqual([
        index,
        false,
      ])
  })

  test.for([
    [0, '0;0;0'],
    [1, '205;0;0'],
    [2, '0;205;0'],
    [3, '205;205;0'],
    [4, '0;0;238'],
    [5, '205;0;205'],
    [6, '0;205;205'],
    [7, '229;229;229'],
    [8, '127;127;127'],
    [9, '255;0;0'],
    [10, '0;255;0'],
    [11, '255;255;0'],
    [12, '92;92;255'],
    [13, '255;0;255'],
    [14, '0;255;255'],
    [15, '255;255;255'],
  ] as const)('are not visible by name: %d is %s', ([index, parts]) => {
    const name = index < 8 ? 30 + index : 90 + index - 8
    expect(isVisible(`${name};48;2;${parts}`)).toBe(false)
    expect(isVisible(`${name + 10};38;2;${parts}`)).toBe(false)
    expect(isVisible(`38;5;${index};48;2;${parts}`)).toBe(false)
  })

  test('are visible by every other', () => {
    const names = [30, 31, 32, 33, 34, 35, 36, 37, 90, 91, 92, 93, 94, 95, 96, 97]
    for (const one of names)
      for (const other of names)
        expect([one, other, isVisible(`${one};${other + 10}`)]).toEqual([one, other, one !== other])
  })
})

describe('bold letters', () => {
  test('may be written in the bright colour of the first eight', () => {
    for (let index = 0; index < 8; index += 1) {
      expect(isVisible(`1;${30 + index};${100 + index}`)).toBe(false)
      expect(isVisible(`1;38;5;${index};48;5;${index + 8}`)).toBe(false)
      expect(isVisible(`${30 + index};${100 + index}`)).toBe(true)
    }
  })

  test.for([
    '1;22;30;100',
    '1;30;39;100',
    '1;30;100;49',
    '1;30;100;0',
    '1;90;100;97',
    '1;38;5;8;48;5;16',
    '1;38;2;0;0;0;100',
    '1;31;100',
  ])('are visible in %s', (parameters) => {
    expect(isVisible(parameters)).toBe(true)
  })
})

test('settings of other kinds change nothing, and the terminal’s own colours are visible', () => {
  for (const code of [2, 7, 29, 50, 59, 89, 98, 99, 108, 255])
    expect([code, changeOfGrounds(readRenditions(`${code}`))]).toEqual([code, {}])
  expect(changeOfGrounds(readRenditions('0'))).toEqual(OWN_GROUNDS)
  expect(isVisible('31;41;49')).toBe(true)
  expect(isVisible('31;39;41')).toBe(true)
  expect(isVisible('')).toBe(true)
})
