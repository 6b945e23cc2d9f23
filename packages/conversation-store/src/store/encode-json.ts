import { findNonJson, isPlainObject } from '@toolblocks/protocol/internal'
import type { StoreProblem } from '../problems/store-error.ts'

/**
 * Writes a value as JSON from which an equal value can be read, including numbers that `JSON.stringify` would change. Throws the error that `refuse`
 * creates for a value that is not JSON: functions, dates, cycles, NaN, unlimited nesting.
 */
export function encodeJson(
  value: unknown,
  refuse: (problem: StoreProblem, cause: unknown) => Error,
): string {
  try {
    const text: unknown = JSON.stringify(
      value,
      // A replacer makes `JSON.stringify` several times slower, and few values need one.
      !isUsual(value, { left: FEW_VALUES }) && findUnusualNumber(value)
        ? encodeUnusualNumber
        : undefined,
    )
    if (typeof text === 'string') return text
    throw new TypeError(`it is ${typeof value}`)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `expected JSON: ${reason}`
    const problem = findNonJson(value) ?? { path: '', message, expected: 'JSON', got: reason }
    throw refuse({ ...problem, code: 'not-json' }, cause)
  }
}

const isUnusual = (value: number): boolean => !Number.isFinite(value) || Object.is(value, -0)

/** Maximum number of values that are checked without recording the visited ones. Nearly all events have fewer. */
const FEW_VALUES = 500

/** Whether a value certainly contains nothing unusual. `false` means that it is not certain. */
function isUsual(value: unknown, budget: { left: number }): boolean {
  if (typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return !isUnusual(value)
  if (value === null || value === undefined) return true
  budget.left -= 1
  if (budget.left < 0) return false
  if (Array.isArray(value)) return value.every((item) => isUsual(item, budget))
  if (!isPlainObject(value)) return false
  // Inherited fields are not written. At worst they make the result uncertain.
  for (const key in value) if (!isUsual(value[key], budget)) return false
  return true
}

/** Whether the value contains a number that `JSON.stringify` would change. Throws for values that it would change or drop. */
function findUnusualNumber(event: unknown): boolean {
  const open: unknown[] = [event]
  const seen = new Set<object>()
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'number' && isUnusual(value)) return true
    if (typeof value === 'function' || typeof value === 'symbol')
      throw new TypeError(`it contains a ${typeof value}`)
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    if (!Array.isArray(value) && !isPlainObject(value))
      throw new TypeError('it contains an instance of a class')
    seen.add(value)
    for (const item of Object.values(value)) if (item !== undefined) open.push(item)
  }
  return false
}

function encodeUnusualNumber(_key: string, value: unknown): unknown {
  if (typeof value !== 'number' || !isUnusual(value)) return value
  if (Number.isNaN(value)) throw new TypeError('it contains NaN')
  return rawJson(value === 0 ? '-0' : value > 0 ? '1e999' : '-1e999')
}

/** `JSON.rawJSON`: writes a number exactly as its text. */
function rawJson(text: string): unknown {
  const write: unknown = Reflect.get(JSON, 'rawJSON')
  if (typeof write !== 'function')
    throw new TypeError(`this engine cannot write the number ${text}`)
  return write(text)
}
