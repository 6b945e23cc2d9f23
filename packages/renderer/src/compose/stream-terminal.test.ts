import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sanitizeTerminalText } from '../sanitize/sanitize-terminal-text.ts'
import { streamTerminal } from './stream-terminal.ts'
import { measureWidth, wrapTerminal } from './compose-terminal.ts'

function stream(pieces: readonly string[], columns: number): string {
  let all = ''
  const streamed = streamTerminal({ write: (text) => (all += text), columns })
  for (const piece of pieces) streamed.add(piece)
  streamed.finish()
  return all
}

test('complete words are written immediately', () => {
  const seen: string[] = []
  const streamed = streamTerminal({ write: (text) => seen.push(text), columns: 10 })
  for (const piece of ['One wo', 'rd and ', 'then some']) streamed.add(piece)
  expect(seen.join('')).toBe('One word\nand then')
  streamed.finish()
  expect(seen.join('')).toBe('One word\nand then\nsome')
})

test('an incomplete word waits for its rest', () => {
  const seen: string[] = []
  const streamed = streamTerminal({ write: (text) => seen.push(text), columns: 10 })
  streamed.add('wo')
  expect(seen).toEqual([])
  streamed.add('rd ')
  expect(seen.join('')).toBe('word')
})

test.for([20, 80, Infinity])(
  'text without spaces or breaks is written immediately, in %s columns, completely',
  (columns) => {
    for (const piece of ['字', 'ab', 'a\u0301', '👩‍👧']) {
      let all = ''
      const streamed = streamTerminal({ write: (text) => (all += text), columns })
      let input = 'Look: '
      streamed.add(input)
      for (let count = 0; count < 2000; count += 1) {
        streamed.add(piece)
        input += piece
        // The buffer has less than a word or two rows.
        expect(input.length - all.length).toBeLessThan(250)
      }
      for (const last of [' then', ' x e', 'n', 'ough-to-be-wrapped', ' end']) {
        streamed.add(last)
        input += last
      }
      streamed.finish()
      expect(all.replaceAll(/\s/g, '') === input.replaceAll(' ', '')).toBe(true)
      const widest = Math.max(...all.split('\n').map((row) => measureWidth(row)))
      expect(widest).toBeLessThanOrEqual(columns)
    }
  },
)

// Wrapping all earlier text again with each piece would take minutes here.
test('text without a break is written immediately, and writing it ends', () => {
  let written = 0
  const streamed = streamTerminal({
    write: (rows) => {
      written += rows.length
    },
    columns: 80,
  })
  for (let done = 0; done < 20_000; done += 1) streamed.add('字字字字')
  expect(written).toBeGreaterThan(79_000)
})

test('an incomplete character at the end is not a character', () => {
  expect(stream(['a\uD83D'], 10)).toBe('a\uFFFD')
})

test('a line of more than 4,000 characters continues in a new row', () => {
  const most = 'abc '.repeat(1000)
  expect(stream([most], Infinity)).toBe(most)
  expect(stream([`${most}d`], Infinity)).toBe(`${most.trimEnd()}\nd`)
  expect(stream([`${most}d`, ' e'], Infinity)).toBe(`${most.trimEnd()}\nd e`)
})

test('law: text in pieces has the same layout as the complete text, and nothing in it controls the terminal', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom(
      'word ',
      ' ',
      '\n',
      'much-longer-than-a-row ',
      '\u001b[2J',
      '\u001b]0;',
      '漢字',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece), fc.constantFrom(10, 17, 40), (pieces, columns) => {
      const whole = sanitizeTerminalText(pieces.join(''), { colors: 'strip' })
      const trimmed = (text: string): string => text.replace(/ +$/gm, '')
      expect(trimmed(stream(pieces, columns))).toBe(trimmed(wrapTerminal(whole, columns)))
    }),
  )
})

test('a line without an end has the same cost for every word', () => {
  const all = stream(
    Array.from({ length: 1000 }, () => 'word '),
    80,
  )
  expect(all.replaceAll(/\s+/g, ' ').trim()).toBe('word '.repeat(1000).trim())
})
