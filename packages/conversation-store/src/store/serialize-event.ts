import type { Blob } from '../events/blob.ts'
import type { ConversationEvent, DatedEvent } from '../events/conversation-event.ts'
import { findEventProblem, findMeantType, isEvent } from '../events/decode-event.ts'
import { getRaw, takePayloads } from '../events/payloads.ts'
import { getEventText, getWords } from '../events/event-text.ts'
import { StoreError, type StoreProblem } from '../problems/store-error.ts'
import type { EventBytes } from '../rows/event-row.ts'
import { encodeJson } from './encode-json.ts'

/** An event for the rows, and the blobs that must be stored before it. */
interface WrittenEvent {
  row: EventBytes
  blobs: readonly Blob[]
}

/** How an event is written. */
interface WriteOptions {
  /** The time of the store, ISO 8601: used for an event without its own. */
  now: string
  /** The place of the event among those to append, as a JSON Pointer. */
  path: string
  /** Maximum length of a string that stays in the event, in characters. */
  inlineLimit: number
}

/**
 * Writes an event as UTF-8 JSON from which an equal event can be read, including numbers that `JSON.stringify` would change. Long strings become
 * blobs: then the JSON is `{payloads, event}`.
 *
 * @throws {@link StoreError} with code `unstorable` and the problem, for values that are not JSON (functions, dates, cycles, NaN, unlimited
 * nesting) or not an event.
 */
export function serializeEvent(
  value: ConversationEvent | DatedEvent,
  { now, path, inlineLimit }: WriteOptions,
): WrittenEvent {
  const isOwn = isDated(value)
  const event = isOwn ? value.event : value
  const time = isOwn ? readTime(value.at, path) : now
  const { bytes, blobs } = encodeEvent(event, isOwn ? `${path}/event` : path, inlineLimit)
  const row: EventBytes = { at: time, bytes, terms: () => getWords(getEventText(event)) }
  if (isOwn && value.original !== undefined)
    row.original = readOriginal(value.original, `${path}/original`)
  const raw = getRaw(event)
  if (blobs.length > 0 || raw.length > 0) row.blobs = [...blobs.map(({ sha256 }) => sha256), ...raw]
  return { row, blobs }
}

/** The argument may be any value, because callers may not check types. */
function isDated(value: ConversationEvent | DatedEvent | null): value is DatedEvent {
  return typeof value === 'object' && value !== null && 'event' in value
}

function readTime(text: string, path: string): string {
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  const [expected, got] = ['an ISO 8601 time', JSON.stringify(text) ?? 'nothing']
  const message = `expected ${expected}, got ${got}`
  throw unstorable({ path: `${path}/at`, message, expected, got, code: 'no-event' })
}

function readOriginal(original: Uint8Array, path: string): Uint8Array {
  if (original instanceof Uint8Array) return original
  const [expected, got] = ['bytes (a Uint8Array)', describeType(original)]
  const message = `expected ${expected}, got ${got}`
  throw unstorable({ path, message, expected, got, code: 'no-event' })
}

function describeType(value: unknown): string {
  return value === null ? 'null' : `a value of type ${typeof value}`
}

function encodeEvent(
  event: ConversationEvent,
  path: string,
  inlineLimit: number,
): Pick<WrittenEvent, 'blobs'> & { bytes: Uint8Array } {
  const text = writeEvent(event, path)
  const whole = { bytes: Buffer.from(text), blobs: [] }
  if (text.length <= inlineLimit) return whole
  const rest: unknown = JSON.parse(text)
  const { payloads, blobs } = takePayloads(rest, inlineLimit)
  if (blobs.length === 0) return whole
  const bytes = Buffer.from(encodeJson({ payloads, event: rest }, createRefusal(path)))
  return { bytes, blobs }
}

/**
 * Writes an event as JSON, with all its strings. `path`: its place among those to append, as a JSON Pointer.
 *
 * @throws {@link StoreError} as {@link serializeEvent}.
 */
export function writeEvent(event: ConversationEvent, path: string): string {
  const text = encodeJson(event, createRefusal(path))
  // JSON omits a field that is `undefined`, so only the written JSON is checked.
  const problem = isEvent(event) ? undefined : findEventProblem(JSON.parse(text))
  if (problem) throw unstorable({ ...problem, path: path + problem.path })
  const meant = findMeantType(event)
  if (meant !== undefined) {
    const [expected, got] = [JSON.stringify(meant), JSON.stringify(event.type)]
    const message = `expected a known type, got ${got}; did you mean ${expected}?`
    throw unstorable({ path: `${path}/type`, message, expected, got, code: 'no-event' })
  }
  return text
}

function createRefusal(path: string): (problem: StoreProblem, cause: unknown) => StoreError {
  return (problem, cause) => unstorable({ ...problem, path: path + problem.path }, cause)
}

/** Creates the error for events that no store can keep. */
function unstorable(problem: StoreProblem, cause?: unknown): StoreError {
  const message = `None of the events was stored: ${problem.path}: ${problem.message}`
  return new StoreError('unstorable', message, { ...(cause !== undefined && { cause }), problem })
}
