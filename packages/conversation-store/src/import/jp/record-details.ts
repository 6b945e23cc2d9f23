import type { JsonObject } from '@toolblocks/protocol'
import type { ImportDetails } from '../imported-event.ts'
import { type DecodedStrings, decodeStrings } from './decode-base64.ts'

/** The fields of a record that its event has a place for, beside `type` and `timestamp`. */
const USED: Readonly<Record<string, readonly string[]>> = {
  user_message: ['content'],
  assistant_message: ['message', 'reasoning', 'data', 'metadata'],
  tool_call: ['id', 'name', 'arguments'],
  tool_result: ['id', 'content', 'blocks', 'is_error'],
  question: ['id', 'question'],
  answer: ['id', 'answer'],
}

/** What a record says that its event has no place for, and which of its strings were base64. */
export function detailsOf(
  record: JsonObject,
  type: string,
  strings: DecodedStrings,
): ImportDetails | undefined {
  if (type === 'configuration' || type === 'compaction') return undefined
  const used = USED[type] ?? []
  const rest = Object.entries(record).filter(
    ([name]) => !used.includes(name) && name !== 'type' && name !== 'timestamp',
  )
  const fields = Object.fromEntries(
    rest.map(([name, value]) => [
      name,
      name === 'metadata' ? decodeStrings(value, '/metadata', strings) : value,
    ]),
  )
  const { decoded, undecoded } = strings
  const details = {
    ...(rest.length > 0 && { fields }),
    ...(decoded.length > 0 && { decoded }),
    ...(undecoded.length > 0 && { undecoded }),
  }
  return Object.keys(details).length > 0 ? details : undefined
}
