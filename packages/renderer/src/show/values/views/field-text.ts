import { showPath } from '../../blocks/show-address.ts'
import type { FieldType } from '../../shown-part.ts'
import { toJson } from '../to-json.ts'
import { dateText } from './date-text.ts'

/** A field as text, by what it holds: a date to the minute, a path as it is in the workspace; nested values as JSON. */
export function fieldText(
  value: unknown,
  type: FieldType | undefined,
  root: string | undefined,
): string {
  if (value === null || value === undefined) return ''
  if (type === 'date') {
    const date = dateText(value)
    if (date !== undefined) return date
  }
  if (typeof value !== 'string') return toJson(value) ?? ''
  return type === 'path' ? showPath(value, root) : value
}
