import { findNonJson, isPlainObject } from '@toolblocks/protocol'
import { StoreError } from '../store-error.ts'
import type { Blob } from '../blobs/blob.ts'
import { takePayloads } from '../blobs/payloads.ts'
import type { ConversationEvent } from './conversation-event.ts'
import { findEventProblem, isEvent } from './decode-event.ts'
import type { StoreProblem } from '../store-problem.ts'

/** An event as its row keeps it, and what is kept apart. */
export interface EncodedEvent {
  /** UTF-8 JSON: the event, or `{payloads, event}` where long strings were taken out of it. */
  bytes: Uint8Array
  blobs: readonly Blob[]
}

/** How an event is written. */
export interface EncodeOptions {
  /** Where it stands among those that are appended. */
  path: string
  /** Characters of a string up to which it stays in the event. */
  inlineLimit: number
}

/**
 * Writes an event as UTF-8 JSON from which it can be read back equal, also the numbers JSON.stringify would change. Long
 * strings are taken out as blobs.
 *
 * @throws {@link StoreError} with code `unstorable` and the problem, for what is no JSON (functions, dates, cycles, NaN,
 * nesting without end) and what is no event.
 */
export function encodeEvent(
  event: ConversationEvent,
  { path, inlineLimit }: EncodeOptions,
): EncodedEvent {
  const text = writeJson(event, path)
  // A field that is undefined is none in JSON: only what is written tells.
  const problem = isEvent(event) ? undefined : findEventProblem(JSON.parse(text))
  if (problem) throw unstorable({ ...problem, path: path + problem.path })
  const whole = { bytes: Buffer.from(text), blobs: [] }
  if (text.length <= inlineLimit) return whole
  const rest: unknown = JSON.parse(text)
  const { payloads, blobs } = takePayloads(rest, inlineLimit)
  if (blobs.length === 0) return whole
  const bytes = Buffer.from(writeJson({ payloads, event: rest }, path))
  return { bytes, blobs }
}

function writeJson(event: unknown, path: string): string {
  try {
    const text: unknown = JSON.stringify(
      event,
      hasUnusualNumber(event) ? writeUnusualNumber : undefined,
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
export function unstorable(problem: StoreProblem, cause?: unknown): StoreError {
  const message = `The events cannot be stored, and none of them was: ${problem.path}: ${problem.message}`
  return new StoreError('unstorable', message, { ...(cause !== undefined && { cause }), problem })
}

const isUnusual = (value: number): boolean => !Number.isFinite(value) || Object.is(value, -0)

/** A replacer makes JSON.stringify several times slower, and few events need one. Throws for what JSON.stringify would change or drop. */
function hasUnusualNumber(event: unknown): boolean {
  return !isUsual(event, { left: FEW_VALUES }) && findUnusualNumber(event)
}

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

function writeUnusualNumber(_key: string, value: unknown): unknown {
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
