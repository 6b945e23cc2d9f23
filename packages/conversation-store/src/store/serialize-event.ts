import { findNonJson, isPlainObject } from '@toolblocks/protocol/json'
import type { Blob } from '../events/blob.ts'
import type { ConversationEvent, DatedEvent } from '../events/conversation-event.ts'
import { findEventProblem, isEvent } from '../events/decode-event.ts'
import { getRaw, takePayloads } from '../events/payloads.ts'
import { getEventText, getWords } from '../events/event-text.ts'
import { StoreError, type StoreProblem } from '../problems/store-error.ts'
import type { EventBytes } from '../rows/event-row.ts'

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
  given: ConversationEvent | DatedEvent,
  { now, path, inlineLimit }: WriteOptions,
): WrittenEvent {
  const isOwn = isDated(given)
  const event = isOwn ? given.event : given
  const at = isOwn ? readTime(given.at, path) : now
  const { bytes, blobs } = encodeEvent(event, isOwn ? `${path}/event` : path, inlineLimit)
  const row: EventBytes = { at, bytes, words: () => getWords(getEventText(event)) }
  if (isOwn && given.original) row.original = given.original
  const raw = getRaw(event)
  if (blobs.length > 0 || raw.length > 0) row.blobs = [...blobs.map(({ sha256 }) => sha256), ...raw]
  return { row, blobs }
}

/** The argument may be any value, because callers may not check types. */
function isDated(given: ConversationEvent | DatedEvent | null): given is DatedEvent {
  return typeof given === 'object' && given !== null && 'event' in given
}

function readTime(at: string, path: string): string {
  const time = new Date(at)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  const [expected, got] = ['an ISO 8601 time', JSON.stringify(at) ?? 'nothing']
  const message = `expected ${expected}, got ${got}`
  throw unstorable({ path: `${path}/at`, message, expected, got, code: 'no-event' })
}

function encodeEvent(
  event: ConversationEvent,
  path: string,
  inlineLimit: number,
): Omit<WrittenEvent, 'row'> & { bytes: Uint8Array } {
  const text = encodeJson(event, path)
  // JSON omits a field that is `undefined`, so only the written JSON is checked.
  const problem = isEvent(event) ? undefined : findEventProblem(JSON.parse(text))
  if (problem) throw unstorable({ ...problem, path: path + problem.path })
  const whole = { bytes: Buffer.from(text), blobs: [] }
  if (text.length <= inlineLimit) return whole
  const rest: unknown = JSON.parse(text)
  const { payloads, blobs } = takePayloads(rest, inlineLimit)
  if (blobs.length === 0) return whole
  const bytes = Buffer.from(encodeJson({ payloads, event: rest }, path))
  return { bytes, blobs }
}

function encodeJson(event: unknown, path: string): string {
  try {
    const text: unknown = JSON.stringify(
      event,
      // A replacer makes `JSON.stringify` several times slower, and few events need one.
      !isUsual(event, { left: FEW_VALUES }) && findUnusualNumber(event)
        ? encodeUnusualNumber
        : undefined,
    )
    if (typeof text === 'string') return text
    throw new TypeError(`it is ${typeof event}`)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `expected JSON: ${reason}`
    const problem = findNonJson(event) ?? { path: '', message, expected: 'JSON', got: reason }
    throw unstorable({ ...problem, path: path + problem.path, code: 'not-json' }, cause)
  }
}

/** Creates the error for events that no store can keep. */
function unstorable(problem: StoreProblem, cause?: unknown): StoreError {
  const message = `None of the events was stored: ${problem.path}: ${problem.message}`
  return new StoreError('unstorable', message, { ...(cause !== undefined && { cause }), problem })
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
