import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitMessages } from './split-messages.ts'

const isDocument = (bytes: Uint8Array): boolean => {
  try {
    return Array.isArray(
      (JSON.parse(Buffer.from(bytes).toString()) as { content?: unknown }).content,
    )
  } catch {
    return false
  }
}

function split(limit: number, ...chunks: string[]): { lines: string[]; rest: string } {
  const lines: string[] = []
  const splitter = splitMessages(
    limit,
    isDocument,
    (line) => void lines.push(Buffer.from(line).toString()),
  )
  for (const chunk of chunks) splitter.write(Buffer.from(chunk))
  return { lines, rest: Buffer.from(splitter.rest()).toString() }
}

test('lines come without their ends, including empty ones; text without an end is the rest', () => {
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

const DOCUMENT = JSON.stringify({ content: [{ type: 'text', text: 'a "{\\ b' }] }, undefined, 2)

test('a document of several lines is one message, and one without a line end too', () => {
  expect(split(1000, `x\n${DOCUMENT}\ny\n`)).toEqual({ lines: ['x', DOCUMENT, 'y'], rest: '' })
  expect(split(1000, DOCUMENT)).toEqual({ lines: [DOCUMENT], rest: '' })
  expect(split(1000, '{"a": 1}')).toEqual({ lines: [], rest: '{"a": 1}' })
})

test.for([
  ['an object that never ends', '{\n  "a": [\n', '{\n  "a": ['],
  ['a brace before other text', '{\nx\n', '{\nx'],
  ['a string that is open at the end of its line', '{"a\n', '{"a'],
  ['a text that begins with a brace', '{ x\n', '{ x'],
])('%s holds no document back', ([, before = '', held = '']) => {
  const line = '{"content": []}'
  expect(split(1000, `${before}${line}\n`).lines).toEqual([held, line])
})

test('documents come out wherever they are cut', () => {
  const parts = fc.array(
    fc.constantFrom('{\n', '"a"', ': [', ']', '}', '\n', '{"content":[]}\n', DOCUMENT, 'x'),
  )
  fc.assert(
    fc.property(parts, (texts) => {
      const whole = texts.join('').replaceAll('}', '}\n')
      const withoutEmpty = ({ lines, rest }: ReturnType<typeof split>): object => ({
        lines: lines.filter(Boolean),
        rest,
      })
      expect(withoutEmpty(split(1000, ...Array.from(whole)))).toEqual(
        withoutEmpty(split(1000, whole)),
      )
    }),
  )
})

test('an object that comes byte by byte, in many lines, is read in linear time', () => {
  const lines = `{\n${'"}":\n'.repeat(100_000)}}`
  const splitter = splitMessages(lines.length + 1, isDocument, () => {})
  for (const byte of Buffer.from(lines)) splitter.write(Uint8Array.of(byte))
  expect(splitter.rest().length).toBe(lines.length)
})
