/** A number as a person types it, or what to type instead. */
export type ReadNumber = { ok: true; value: number } | { ok: false; problem: string }

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

const EXPECTED = {
  any: 'expected a number, for example 3 or 2.5',
  whole: 'expected a whole number, for example 3',
} as const

/** Reads a decimal number. One that would not come through exactly is a problem. */
export function readNumber(text: string, numbers: keyof typeof EXPECTED): ReadNumber {
  const trimmed = text.trim()
  if (!DECIMAL.test(trimmed)) return { ok: false, problem: EXPECTED[numbers] }
  const value = Number(trimmed)
  if (numbers === 'whole' && !Number.isInteger(value))
    return { ok: false, problem: EXPECTED[numbers] }
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    return { ok: false, problem: 'the number is too large to be kept exactly' }
  return { ok: true, value }
}
