import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameInWords } from './name-in-words.ts'

test('a name stands in quotes as it is', () => {
  expect(nameInWords('read_file')).toBe('"read_file"')
})

test('no name ends its quotes, or its line', () => {
  const name = fc.string({
    unit: fc.oneof(
      fc.constantFrom('"', '\\', '\n', '\r', '\u2028', '\u0085', '\u001B', '\u202E'),
      fc.string(),
    ),
  })
  fc.assert(
    fc.property(name, (given) => {
      const words = nameInWords(given)
      expect(words).not.toMatch(/[\p{Cc}\u2028\u2029\u202A-\u202E]/u)
      expect(JSON.parse(words)).toBe(given)
    }),
  )
})
