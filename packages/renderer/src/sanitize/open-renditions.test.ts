import { describe, expect, test } from 'vitest'
import { readRenditions } from './graphic-rendition.ts'
import { applyRenditions, type OpenRenditions, reopen } from './open-renditions.ts'

/** What is open after these sequences. */
function openAfter(...sequences: readonly string[]): OpenRenditions {
  const open: OpenRenditions = new Map()
  for (const sequence of sequences) applyRenditions(open, readRenditions(sequence))
  return open
}

describe('what a code ends', () => {
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
  ] as const)('%d ends %j, and nothing else', ([code, ended]) => {
    const rest = all
      .split(';')
      .map(Number)
      .filter((open) => !ended.some((one) => one === open))
    expect([...openAfter(all, `${code}`).values()].map(Number)).toEqual(rest)
  })

  test('0 ends all that stands before it', () => {
    expect([...openAfter(all, '1;0;3').values()]).toEqual(['3'])
    expect(openAfter(all, '').size).toBe(0)
  })
})

describe('what takes the place of what', () => {
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
  ] as const)('not %s and %s', ([one, other]) => {
    expect(openAfter(one, other).size).toBe(2)
  })
})

test('what is open is opened again in one sequence', () => {
  expect(reopen(openAfter('1;31', '44'))).toBe('\u001B[1;31;44m')
  expect(reopen(openAfter('1;0'))).toBe('')
})
