import { isPlainValue } from './plain-value.ts'

/** Whether data is rows: a list of objects, not empty, that share a field and whose fields are nothing nested. */
export function isTabular(data: unknown): data is readonly Record<string, unknown>[] {
  if (!Array.isArray(data)) return false
  const rows: readonly unknown[] = data
  if (!rows.every(isRow)) return false
  const [first = {}] = rows
  return Object.keys(first).some((key) => rows.every((row) => Object.hasOwn(row, key)))
}

function isRow(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(isPlainValue)
  )
}
