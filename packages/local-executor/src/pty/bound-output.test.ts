import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOutputBound } from './bound-output.ts'

const ESC = '\u001B'
const bound = (text: string): string => createOutputBound()(text)

describe('counts are those of the screen', () => {
  test.for([
    ['lines put in, out and scrolled', '99999999', 'LMST', '24'],
    ['characters repeated', '2147483647', 'b', '1920'],
    ['moves, tab stops, and characters put in and out', '5000', 'ABCDEFGIZ@PX`ad', '80'],
    ['what fits', '7', 'LMSTbABCDGIZ@PX', '7'],
  ])('%s', ([, count, finals = '', bounded]) => {
    for (const final of finals)
      expect(bound(`${ESC}[${count}${final}`)).toBe(`${ESC}[${bounded}${final}`)
  })

  test('each of several', () => {
    expect(bound(`${ESC}[999;888H`)).toBe(`${ESC}[80;80H`)
    expect(bound(`${ESC}[1;2147483648r`)).toBe(`${ESC}[1;80r`)
  })
})

test.for([
  ['text, also beyond ASCII', 'a é 漢字 😀'],
  ['line ends, tabs, and moves back', 'a\r\n\tb\bc'],
  ['erasures and moves', `${ESC}[2J${ESC}[H${ESC}[K${ESC}[3;4H${ESC}[s${ESC}[u`],
  ['modes', `${ESC}[?1049h${ESC}[?7l${ESC}[4h`],
  ['line drawing', `${ESC}(0lqk${ESC}(B${ESC})0\u000Ex\u000F`],
  [
    'cursors kept, line moves, resets',
    `${ESC}7${ESC}8${ESC}M${ESC}D${ESC}E${ESC}c${ESC}[!p${ESC}#8`,
  ],
  ['questions about the cursor and the terminal', `${ESC}[6n${ESC}[c${ESC}[>c`],
  ['a letter with its marks', 'e\u0301\u0323'],
])('%s reach the screen', ([, text = '']) => {
  expect(bound(text)).toBe(text)
})

test.for([
  ['colours', `a${ESC}[1;31mb`, 'ab'],
  ['titles', `a${ESC}]0;title\u0007b${ESC}]2;x${ESC}\\c`, 'abc'],
  ['pictures', `a${ESC}Pq#0!9~\u0007${ESC}\\b`, 'ab'],
  ['a string that CAN ends', `a${ESC}_x\u0018b`, 'ab'],
  ['bells, NUL and DEL', 'a\u0007\0\u007Fb', 'ab'],
  ['window operations', `a${ESC}[8;9999;9999tb`, 'ab'],
  ['what nothing is known of', `a${ESC}[1"qb${ESC}[=1ub${ESC}Zc${ESC}[5éd`, 'abbcd'],
  ['eight-bit strings', 'a\u009D0;t\u009Cb\u0090q\u009Cc\u0085d', 'abcd'],
  ['a sequence of thousands of parameters', `a${ESC}[${'1;'.repeat(5000)}Hb`, 'ab'],
])('%s do not', ([, text = '', rest]) => {
  expect(bound(text)).toBe(rest)
})

test('an eight-bit control sequence is bounded as well', () => {
  expect(bound('\u009B99999L')).toBe(`${ESC}[24L`)
})

test('controls within a sequence are obeyed, as a terminal does', () => {
  expect(bound(`${ESC}[99\n99L`)).toBe(`\n${ESC}[24L`)
})

test('a letter has at most eight marks, and none behind a move', () => {
  expect(bound(`a${'\u0301'.repeat(1000)}`)).toBe(`a${'\u0301'.repeat(8)}`)
  expect(bound(`a${ESC}[D\u0301`)).toBe(`a${ESC}[D`)
  expect(bound(`a\b\u0301`)).toBe('a\b')
})

const pieces = [
  [ESC, '[', ']', 'P', '\\', '\u009B', '\u009D', '\u0018', '\u0007', '\n', ';', '?', '>', '!', ' '],
  ['99999999', '2147483647', '1', '24', 'L', 'b', 'S', 'T', 'M', 'H', 'm', 'h', 't', 'J', '#', '('],
  ['a', '\u0301', '\u1160', '漢', '😀', `${ESC}[999999L`, `${ESC}[2147483647b`],
].flat()
const hostile = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((all) => all.join(''))

test('nothing else comes out, whatever goes in', () => {
  const known =
    // oxlint-disable-next-line no-control-regex -- they are what may come out
    /\u001B(?:\[(?:[?>]?[\d;:]*[@-z]|!p)|[78DEHMc]|[()*+][0-~]|#8)|[\b\t\n\v\f\r\u000E\u000F]/g
  fc.assert(
    fc.property(hostile, (text) => {
      const bounded = bound(text)
      for (const [sequence] of bounded.matchAll(known))
        for (const [digits] of sequence.matchAll(/\d+(?![\d]*[hln])/g))
          expect(Number(digits)).toBeLessThanOrEqual(9999)
      // oxlint-disable-next-line no-control-regex -- a sequence begins with one
      for (const [, count] of bounded.matchAll(/\u001B\[(\d+)[LMST]/g))
        expect(Number(count)).toBeLessThanOrEqual(24)
      // oxlint-disable-next-line no-control-regex -- what must not be left
      expect(bounded.replaceAll(known, '')).not.toMatch(/[\0-\x1F\x7F-\x9F]/)
      expect(bound(bounded)).toBe(bounded)
    }),
    { numRuns: 5000 },
  )
})

test('pieces cut anywhere come to the same as the whole', () => {
  fc.assert(
    fc.property(hostile, fc.infiniteStream(fc.integer({ min: 1, max: 4 })), (text, sizes) => {
      const push = createOutputBound()
      let written = ''
      const units = Array.from(text)
      while (units.length > 0) written += push(units.splice(0, sizes.next().value ?? 1).join(''))
      expect(written).toBe(bound(text))
    }),
    { numRuns: 2000 },
  )
})
