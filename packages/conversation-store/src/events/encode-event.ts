import { StoreError } from '../store-error.ts'
import type { ConversationEvent } from './conversation-event.ts'

/**
 * Writes an event as UTF-8 JSON from which it can be read back equal, also the numbers JSON.stringify would change.
 *
 * @throws {@link StoreError} with code `unstorable` for what is no JSON: functions, cycles, NaN, nesting without end.
 */
export function encodeEvent(event: ConversationEvent): Uint8Array {
  try {
    const text = JSON.stringify(event, hasUnusualNumber(event) ? writeUnusualNumber : undefined)
    return new TextEncoder().encode(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `An event of type "${event.type}" cannot be stored, because it is no JSON: ${reason}`
    throw new StoreError('unstorable', message, { cause })
  }
}

const isUnusual = (value: number): boolean => !Number.isFinite(value) || Object.is(value, -0)

/** A replacer makes JSON.stringify several times slower, and few events need one. */
function hasUnusualNumber(event: ConversationEvent): boolean {
  const open: unknown[] = [event]
  const seen = new Set<object>()
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'number' && isUnusual(value)) return true
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
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
