import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitLines } from './split-lines.ts'

function split(limit: number, ...chunks: string[]): { lines: string[]; rest: string } {
  const lines: string[] = []
  const splitter = splitLines(limit, (line) => void lines.push(Buffer.from(line).toString()))
  for (const chunk of chunks) splitter.write(Buffer.from(chunk))
  return { lines, rest: Buffer.from(splitter.rest()).toString() }
}

test('lines come without their ends, also empty ones; what is not ended is the rest', () => {
  expect(split(100, 'a\n\nb')).toEqual({ lines: ['a', '', 'b'].slice(0, 2), rest: 'b' })
})

test('a line longer than the limit comes in pieces', () => {
  expect(split(3, 'abcdefgh\nx\n')).toEqual({ lines: ['abc', 'def', 'gh', 'x'], rest: '' })
})

test('the same lines come out wherever the text is cut', () => {
  const parts = fc.array(fc.constantFrom('a', 'bc', '\n', 'é', 'x'.repeat(7)))
  fc.assert(
    fc.property(parts, (chunks) => {
      expect(split(5, ...chunks)).toEqual(split(5, chunks.join('')))
    }),
  )
})
