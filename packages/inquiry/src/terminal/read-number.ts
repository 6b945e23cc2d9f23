/** A number as a person types it, or what to type instead. */
export type ReadNumber = { ok: true; value: number } | { ok: false; problem: string }

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Reads a decimal number. One that would not come through exactly is a problem. */
export function readNumber(text: string): ReadNumber {
  const trimmed = text.trim()
  if (!DECIMAL.test(trimmed))
    return { ok: false, problem: 'expected a number, for example 3 or 2.5' }
  const value = Number(trimmed)
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    return { ok: false, problem: 'the number is too large to be kept exactly' }
  return { ok: true, value }
}
