import type { Blob } from '../blobs/blob.ts'
import { textOfEvent, wordsOf } from '../search/search-text.ts'
import type { EventBytes } from '../rows/event-row.ts'
import type { ConversationEvent, DatedEvent, UnknownEvent } from './conversation-event.ts'
import { encodeEvent, unstorable, type EncodeOptions } from './encode-event.ts'

/** An event for the rows, and the blobs that must be there before it. */
export interface WrittenEvent {
  row: EventBytes
  blobs: readonly Blob[]
}

/** Writes an event with its own time, or that of the store (`now`, ISO 8601). */
export function writeEvent(
  given: ConversationEvent | DatedEvent,
  { now, path, inlineLimit }: EncodeOptions & { now: string },
): WrittenEvent {
  if (!isDated(given)) return toWritten(given, { at: now }, { path, inlineLimit })
  const { event, at, original } = given
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) {
    const [expected, got] = ['a time as ISO 8601', JSON.stringify(at) ?? 'nothing']
    const message = `expected ${expected}, got ${got}`
    throw unstorable({ path: `${path}/at`, message, expected, got, code: 'no-event' })
  }
  const about = { at: time.toISOString(), ...(original && { original }) }
  return toWritten(event, about, { path: `${path}/event`, inlineLimit })
}

function toWritten(
  event: ConversationEvent,
  about: Omit<EventBytes, 'bytes'>,
  options: EncodeOptions,
): WrittenEvent {
  const { bytes, blobs } = encodeEvent(event, options)
  const row: EventBytes = { ...about, bytes, words: () => wordsOf(textOfEvent(event)) }
  const raw = rawOf(event)
  if (blobs.length > 0 || raw.length > 0) row.blobs = [...blobs.map(({ sha256 }) => sha256), ...raw]
  return { row, blobs }
}

/** The bytes of a tool's output, which were kept when it came. */
export function rawOf(event: ConversationEvent | UnknownEvent): readonly string[] {
  const raw = event.type === 'tool_result' ? event.result.metadata?.raw : undefined
  return raw ? [raw.sha256] : []
}

/** What is given may be anything at all. */
function isDated(given: ConversationEvent | DatedEvent | null): given is DatedEvent {
  return typeof given === 'object' && given !== null && 'event' in given
}
