import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { truncateOutput } from './truncate-output.ts'

const kib8 = 8 * 1024

test('a short output is complete, followed by a note', () => {
  expect(truncateOutput('short', 'depth')).toEqual({
    text: 'short\n[Not read as blocks: the output has more than 64 levels of nesting.]',
    truncated: { bytes: 5, kept: 5, reason: 'depth' },
  })
})

test('of a long output the first and last 8 KiB are kept', () => {
  const { text, truncated } = truncateOutput('a'.repeat(kib8) + 'b' + 'c'.repeat(kib8), 'nodes')
  expect(text).toBe(
    `${'a'.repeat(kib8)}\n[… 1 of 16385 bytes omitted: the output has more than 1000000 values. …]\n${'c'.repeat(kib8)}`,
  )
  expect(truncated).toEqual({ bytes: 16_385, kept: 16_384, reason: 'nodes' })
})

test('no character is split, in strings or bytes', () => {
  fc.assert(
    fc.property(fc.constantFrom('é', '€', '\u{1F600}'), fc.nat(3), (character, shift) => {
      const output = 'x'.repeat(shift) + character.repeat(20_000)
      for (const encoded of [
        output,
        Buffer.from(output),
        Buffer.from(`\uFEFF${output}`, 'utf16le'),
      ]) {
        const { text, truncated } = truncateOutput(encoded, 'bytes')
        expect(text).not.toContain('\uFFFD')
        expect(text.isWellFormed()).toBe(true)
        expect(truncated.kept).toBeLessThanOrEqual(3 * 2 * kib8)
      }
    }),
  )
})

test('bytes that are not UTF-8 text are decoded with replacement characters', () => {
  const { text, truncated } = truncateOutput(Buffer.alloc(100_000, 0x80), 'bytes')
  expect(text.startsWith('\uFFFD')).toBe(true)
  expect(truncated).toEqual({ bytes: 100_000, kept: 16_384, reason: 'bytes' })
})
