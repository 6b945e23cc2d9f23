import { describe, expect, test } from 'vitest'
import {
  OWN_GROUNDS,
  type OpenRenditions,
  applyRenditions,
  areLettersVisible,
  combineChanges,
  parametersAt,
  partsOfColor,
  readRenditions,
  readShowable,
  reopen,
} from './graphic-rendition.ts'

describe('the settings of a colour', () => {
  test.for([
    ['', [[0, '']]],
    [
      '1;;31',
      [
        [1, '1'],
        [0, ''],
        [31, '31'],
      ],
    ],
    [
      '38;5;1;2',
      [
        [38, '38;5;1'],
        [2, '2'],
      ],
    ],
    [
      '48;2;1;2;3;4',
      [
        [48, '48;2;1;2;3'],
        [4, '4'],
      ],
    ],
    [
      '38;9;8',
      [
        [38, '38'],
        [9, '9'],
        [8, '8'],
      ],
    ],
    [
      '7;5;1',
      [
        [7, '7'],
        [5, '5'],
        [1, '1'],
      ],
    ],
    ['38;5', [[38, '38;5']]],
    ['38', [[38, '38']]],
    [
      '58;5;8;1',
      [
        [58, '58:5:8'],
        [1, '1'],
      ],
    ],
    ['58;2;1;2;3', [[58, '58:2::1:2:3']]],
    ['58:2::1:2:3', [[58, '58:2::1:2:3']]],
    [
      '38:5:9;1',
      [
        [38, '38;5;9'],
        [1, '1'],
      ],
    ],
    ['38:2:1:2:3', [[38, '38;2;1;2;3']]],
    ['38:2:7:1:2:3', [[38, '38;2;1;2;3']]],
    ['38:2:1:2', [[38, '38:2:1:2']]],
    [
      '4:3;5:1',
      [
        [4, '4:3'],
        [5, '5:1'],
      ],
    ],
  ] as const)('%s are %j', ([parameters, settings]) => {
    expect(readRenditions(parameters).map(({ code, text }) => [code, text])).toEqual(settings)
  })
})

describe('a colour', () => {
  test.for([
    ['38;5;7', [7]],
    ['48:5:255', [255]],
    ['58;5;0', [0]],
    ['38;2;1;22;255', [1, 22, 255]],
    ['38:2::1:2:3', [1, 2, 3]],
    ['38:2:123:1:2:3', [1, 2, 3]],
  ] as const)('%s has the parts %j', ([text, parts]) => {
    expect(partsOfColor(text)).toEqual(parts)
  })

  test.for([
    '38',
    '38;5',
    '38;5;',
    '38;5;256',
    '38;5;1000',
    '38;5;7;1',
    '138;5;7',
    '28;5;7',
    '39;5;7',
    '38;2;1;2',
    '38;2;1;2;256',
    '38;2;256;2;1',
    '38;2;1;2;3;4',
    '138;2;1;2;3',
    '38;2;;2;3',
    '38:2:1234:1:2:3',
    '38:2:1:2:3:4:5',
    '38;3;1;2;3',
  ])('%s is not a colour that all terminals read in the same way', (text) => {
    expect(partsOfColor(text)).toBeUndefined()
  })
})

describe('a sequence', () => {
  const isShown = (parameters: string): boolean => readShowable(parameters) !== undefined

  test('may set styles, unless they conceal text or change the font', () => {
    const kept = Array.from({ length: 300 }, (_, code) => code).filter((code) => isShown(`${code}`))
    const others = [8, 11, 12, 13, 14, 15, 16, 17, 18, 19, 38, 48, 58]
    const all = Array.from({ length: 256 }, (_, code) => code)
    expect(kept).toEqual(all.filter((code) => !others.includes(code)))
  })

  test('may have parts only for kinds of underlines and for colours', () => {
    const underlines = ['4:0', '4:1', '4:5']
    expect(underlines.filter(isShown)).toEqual(underlines)
    const odd = ['4:6', '4:55', '14:3', '4:', '31:1', '1:2', '38:1', '48:9', '58:2']
    expect(odd.filter(isShown)).toEqual([])
    expect(isShown('1;8')).toBe(false)
  })

  test('is read only if it is complete, with at most 64 characters of parameters', () => {
    expect(parametersAt('a\u001B[1;31mb', 1)).toBe('1;31')
    expect(parametersAt('\u001B[m', 0)).toBe('')
    expect(parametersAt(`\u001B[${'1'.repeat(64)}m`, 0)).toBe('1'.repeat(64))
    expect(parametersAt(`\u001B[${'1'.repeat(65)}m`, 0)).toBeUndefined()
    expect(parametersAt('a\u001B[1m', 0)).toBeUndefined()
    for (const other of ['\u001B[1', '\u001B[1J', '\u001B[?1m', '\u001B]1m', '\u001B1m', '[1m'])
      expect(parametersAt(other, 0)).toBeUndefined()
  })
})

/** The renditions that are open after these sequences. */
function openAfter(...sequences: readonly string[]): OpenRenditions {
  const open: OpenRenditions = new Map()
  for (const sequence of sequences) applyRenditions(open, readRenditions(sequence))
  return open
}

describe('the styles that a code ends', () => {
  const all = '1;2;3;4;5;6;7;9;11;20;21;26;31;41;51;52;53;58;60;61;62;63;64;73;74'
  test.for([
    [10, [11]],
    [22, [1, 2]],
    [23, [3, 20]],
    [24, [4, 21]],
    [25, [5, 6]],
    [27, [7]],
    [29, [9]],
    [39, [31]],
    [49, [41]],
    [50, [26]],
    [54, [51, 52]],
    [55, [53]],
    [59, [58]],
    [65, [60, 61, 62, 63, 64]],
    [75, [73, 74]],
  ] as const)('%d ends only %j', ([code, ended]) => {
    const rest = all
      .split(';')
      .map(Number)
      .filter((open) => !ended.some((one) => one === open))
    expect([...openAfter(all, `${code}`).values()].map(Number)).toEqual(rest)
  })

  test('0 ends all earlier styles', () => {
    expect([...openAfter(all, '1;0;3').values()]).toEqual(['3'])
    expect(openAfter(all, '').size).toBe(0)
  })
})

describe('styles that replace each other', () => {
  test.for([
    ['a colour of letters', ['30', '37', '38;5;1', '90', '97']],
    ['a colour behind them', ['40', '47', '48;5;1', '100', '107']],
    ['a font', ['11', '15', '19']],
  ] as const)('%s: each of %j', ([, codes]) => {
    for (const one of codes)
      for (const other of codes) expect([...openAfter(one, other).values()]).toEqual([other])
  })

  test.for([
    ['31', '41'],
    ['31', '11'],
    ['38;5;1', '58;5;1'],
    ['97', '98'],
    ['90', '89'],
    ['107', '108'],
    ['100', '99'],
    ['11', '20'],
    ['31', '99'],
    ['41', '56'],
  ] as const)('%s and %s do not replace each other', ([one, other]) => {
    expect(openAfter(one, other).size).toBe(2)
  })
})

test('open styles are opened again in one sequence', () => {
  expect(reopen(openAfter('1;31', '44'))).toBe('\u001B[1;31;44m')
  expect(reopen(openAfter('1;0'))).toBe('')
})

const isVisible = (parameters: string): boolean =>
  areLettersVisible({ ...OWN_GROUNDS, ...combineChanges(readRenditions(parameters)) })

/** Returns the red, green and blue of a colour of xterm's palette, by index. */
function getPalette(index: number): readonly number[] {
  if (index >= 232) return [0, 0, 0].map(() => 8 + 10 * (index - 232))
  const level = (step: number): number => (step === 0 ? 0 : 55 + 40 * step)
  const cubeIndex = index - 16
  return [Math.floor(cubeIndex / 36), Math.floor(cubeIndex / 6) % 6, cubeIndex % 6].map(level)
}

describe('letters in the colour of their background', () => {
  test('are invisible, for a colour by index and by parts', () => {
    for (let index = 16; index < 256; index += 1)
      expect([index, isVisible(`38;5;${index};48;2;${getPalette(index).join(';')}`)]).toEqual([
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
  ] as const)('are invisible by name: %d is %s', ([index, parts]) => {
    const name = index < 8 ? 30 + index : 90 + index - 8
    expect(isVisible(`${name};48;2;${parts}`)).toBe(false)
    expect(isVisible(`${name + 10};38;2;${parts}`)).toBe(false)
    expect(isVisible(`38;5;${index};48;2;${parts}`)).toBe(false)
  })

  test('are visible in every other colour', () => {
    const names = [30, 31, 32, 33, 34, 35, 36, 37, 90, 91, 92, 93, 94, 95, 96, 97]
    for (const one of names)
      for (const other of names)
        expect([one, other, isVisible(`${one};${other + 10}`)]).toEqual([one, other, one !== other])
  })
})

describe('bold letters', () => {
  test('may be shown in the bright colour of the first eight', () => {
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

test('other styles have no effect, and the terminal’s own colours are visible', () => {
  for (const code of [2, 7, 29, 50, 59, 89, 98, 99, 108, 255])
    expect([code, combineChanges(readRenditions(`${code}`))]).toEqual([code, {}])
  expect(combineChanges(readRenditions('0'))).toEqual(OWN_GROUNDS)
  expect(isVisible('31;41;49')).toBe(true)
  expect(isVisible('31;39;41')).toBe(true)
  expect(isVisible('')).toBe(true)
})
