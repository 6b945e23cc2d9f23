import { isJsonObject } from '@toolblocks/protocol'
import { describeValue, type Reading, warn } from '../reading.ts'

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
  const isText = typeof content === 'string' || typeof content === 'number'
  return isText ? [{ type: 'text', text: String(content) }] : []
}
