import { describe, expect, test } from 'vitest'
import { parametersAt, partsOfColor, readRenditions, readShowable } from './graphic-rendition.ts'

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
  ])('%s is none that terminals read alike', (text) => {
    expect(partsOfColor(text)).toBeUndefined()
  })
})

describe('a sequence', () => {
  const isShown = (parameters: string): boolean => readShowable(parameters) !== undefined

  test('may set what conceals nothing and is no font', () => {
    const shown = Array.from({ length: 300 }, (_, code) => code).filter((code) =>
      isShown(`${code}`),
    )
    const others = [8, 11, 12, 13, 14, 15, 16, 17, 18, 19, 38, 48, 58]
    const all = Array.from({ length: 256 }, (_, code) => code)
    expect(shown).toEqual(all.filter((code) => !others.includes(code)))
  })

  test('may have parts for kinds of underlines and for colours only', () => {
    const underlines = ['4:0', '4:1', '4:5']
    expect(underlines.filter(isShown)).toEqual(underlines)
    const odd = ['4:6', '4:55', '14:3', '4:', '31:1', '1:2', '38:1', '48:9', '58:2']
    expect(odd.filter(isShown)).toEqual([])
    expect(isShown('1;8')).toBe(false)
  })

  test('is read where it stands whole, with 64 characters of parameters at most', () => {
    expect(parametersAt('a\u001B[1;31mb', 1)).toBe('1;31')
    expect(parametersAt('\u001B[m', 0)).toBe('')
    expect(parametersAt(`\u001B[${'1'.repeat(64)}m`, 0)).toBe('1'.repeat(64))
    expect(parametersAt(`\u001B[${'1'.repeat(65)}m`, 0)).toBeUndefined()
    expect(parametersAt('a\u001B[1m', 0)).toBeUndefined()
    for (const other of ['\u001B[1', '\u001B[1J', '\u001B[?1m', '\u001B]1m', '\u001B1m', '[1m'])
      expect(parametersAt(other, 0)).toBeUndefined()
  })
})
