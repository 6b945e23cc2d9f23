import { findNonJson, isPlainObject } from '@toolblocks/protocol'
import type { Blob } from '../events/blob.ts'
import type { ConversationEvent, DatedEvent } from '../events/conversation-event.ts'
import { findEventProblem, isEvent } from '../events/decode-event.ts'
import { getRaw, takePayloads } from '../events/payloads.ts'
import { textOfEvent, getWords } from '../events/event-text.ts'
import { StoreError, type StoreProblem } from '../problems/store-error.ts'
import type { EventBytes } from '../rows/event-row.ts'

/** An event for the rows, and the blobs that must be there before it. */
interface WrittenEvent {
  row: EventBytes
  blobs: readonly Blob[]
}

/** How an event is written. */
interface WriteOptions {
  /** The time of the store, ISO 8601: that of an event without its own. */
  now: string
  /** Where it stands among those that are appended. */
  path: string
  /** Characters of a string up to which it stays in the event. */
  inlineLimit: number
}

/**
 * Writes an event as UTF-8 JSON from which it can be read back equal, also the numbers JSON.stringify would change. Long
 * strings are taken out as blobs: then the JSON is `{payloads, event}`.
 *
 * @throws {@link StoreError} with code `unstorable` and the problem, for what is no JSON (functions, dates, cycles, NaN,
 * nesting without end) and what is no event.
 */
export function serializeEvent(
  given: ConversationEvent | DatedEvent,
  { now, path, inlineLimit }: WriteOptions,
): WrittenEvent {
  const isOwn = isDated(given)
  const event = isOwn ? given.event : given
  const at = isOwn ? readTime(given.at, path) : now
  const { bytes, blobs } = encodeEvent(event, isOwn ? `${path}/event` : path, inlineLimit)
  const row: EventBytes = { at, bytes, words: () => getWords(textOfEvent(event)) }
  if (isOwn && given.original) row.original = given.original
  const raw = getRaw(event)
  if (blobs.length > 0 || raw.length > 0) row.blobs = [...blobs.map(({ sha256 }) => sha256), ...raw]
  return { row, blobs }
}

/** What is given may be anything at all. */
function isDated(given: ConversationEvent | DatedEvent | null): given is DatedEvent {
  return typeof given === 'object' && given !== null && 'event' in given
}

function readTime(at: string, path: string): string {
  const time = new Date(at)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  const [expected, got] = ['a time as ISO 8601', JSON.stringify(at) ?? 'nothing']
  const message = `expected ${expected}, got ${got}`
  throw unstorable({ path: `${path}/at`, message, expected, got, code: 'no-event' })
}

function encodeEvent(
  event: ConversationEvent,
  path: string,
  inlineLimit: number,
): Omit<WrittenEvent, 'row'> & { bytes: Uint8Array } {
  const text = encodeJson(event, path)
  // A field that is undefined is none in JSON: only what is written tells.
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
      // A replacer makes JSON.stringify several times slower, and few events need one.
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

/** The error for what no store can keep. */
function unstorable(problem: StoreProblem, cause?: unknown): StoreError {
  const message = `The events cannot be stored, and none of them was: ${problem.path}: ${problem.message}`
  return new StoreError('unstorable', message, { ...(cause !== undefined && { cause }), problem })
}

const isUnusual = (value: number): boolean => !Number.isFinite(value) || Object.is(value, -0)

/** More than nearly all events have, and little enough to be looked at without remembering what was seen. */
const FEW_VALUES = 500

/** Surely nothing unusual; `false` is doubt. */
function isUsual(value: unknown, budget: { left: number }): boolean {
  if (typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return !isUnusual(value)
  if (value === null || value === undefined) return true
  budget.left -= 1
  if (budget.left < 0) return false
  if (Array.isArray(value)) return value.every((item) => isUsual(item, budget))
  if (!isPlainObject(value)) return false
  // What is inherited is not written, and at worst a reason to doubt.
  for (const key in value) if (!isUsual(value[key], budget)) return false
  return true
}

/** Throws for what JSON.stringify would change or drop. */
function findUnusualNumber(event: unknown): boolean {
  const open: unknown[] = [event]
  const seen = new Set<object>()
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'number' && isUnusual(value)) return true
    if (typeof value === 'function' || typeof value === 'symbol')
      throw new TypeError(`it contains a ${typeof value}`)
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    if (!Array.isArray(value) && !isPlainObject(value))
      throw new TypeError('it contains an object of a class')
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

/** `JSON.rawJSON`: a number exactly as its text says. */
function rawJson(text: string): unknown {
  const write: unknown = Reflect.get(JSON, 'rawJSON')
  if (typeof write !== 'function')
    throw new TypeError(`this engine cannot write the number ${text}`)
  return write(text)
}
