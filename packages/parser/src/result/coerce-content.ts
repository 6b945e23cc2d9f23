import { describeValue, isJsonObject } from '@toolblocks/protocol'
import { type Reading, warn } from '../reading.ts'

/** Makes an array of what real servers send as `content`; an absent one is empty without a word. */
export function coerceContent(content: unknown, reading: Reading): readonly unknown[] {
  if (Array.isArray(content)) return content
  if (content === undefined) return []
  warn(reading, {
    code: 'coerced-content',
    at: '/content',
    message: '"content" is no array; it was read as one.',
    expected: 'array of blocks',
    got: describeValue(content),
  })
  if (isJsonObject(content)) return [content]
  const text = textOfScalar(content)
  return text === undefined ? [] : [{ type: 'text', text }]
}

/** What a string, number or truth value says as text; nothing for other values. */
export function textOfScalar(value: unknown): string | undefined {
  const isScalar =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isScalar ? String(value) : undefined
}
