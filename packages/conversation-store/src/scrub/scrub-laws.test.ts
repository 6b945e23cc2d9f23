import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyChain, anySecret, anySurrounding, decodings, formsOf } from '../compliance/encodings.ts'
import { createScrubber } from './scrub-text.ts'

/** Keeps what stands beside a value from being read with it. */
const SEAM = ' ! '

test('law: a secret in any two encodings is found by no decoder afterwards, and all else is there', () => {
  fc.assert(
    fc.property(
      anySecret,
      anyChain,
      anySurrounding,
      anySurrounding,
      (secret, write, before, after) => {
        const text = `${before}${SEAM}${write(secret)}${SEAM}${after}`
        const bytes = createScrubber(secret, 'exact').text(Buffer.from(text))
        const scrubbed = Buffer.from(bytes).toString()
        expect(scrubbed.startsWith(before + SEAM)).toBe(true)
        expect(scrubbed.endsWith(SEAM + after)).toBe(true)
        const read = decodings(scrubbed)
        for (const form of formsOf(secret))
          expect(read.filter((each) => each.includes(form))).toEqual([])
      },
    ),
    { numRuns: 300 },
  )
})

test('law: no letter case of a secret is found where letter case does not count', () => {
  const anyCase = fc.constantFrom('toUpperCase', 'toLowerCase')
  fc.assert(
    fc.property(anySecret, anyChain, anyCase, (secret, write, change) => {
      const text = `a ${write(secret[change]())} b`
      const bytes = createScrubber(secret, 'ignored').text(Buffer.from(text))
      const read = decodings(Buffer.from(bytes).toString())
      const lower = new Set(
        formsOf(secret).flatMap((form) =>
          [form, form.toUpperCase()].map((each) => each.toLowerCase()),
        ),
      )
      for (const form of lower)
        expect(read.filter((each) => each.toLowerCase().includes(form))).toEqual([])
    }),
    { numRuns: 100 },
  )
})
