import {
  field,
  isContentBlock,
  isInquiryEvent,
  isJsonObject,
  isToolCall,
  isToolResult,
  type JsonObject,
  type JsonValue,
} from '@toolblocks/protocol'
import type { ConversationEvent, UnknownEvent } from './conversation-event.ts'
import { eventProblem, firstMisfit, problemAt } from './event-problem.ts'
import { arePayloads, type Payload } from './payloads.ts'
import type { StoreProblem } from '../problems/store-error.ts'

/** The event, or why the bytes are none. */
export type DecodedEvent =
  | { ok: true; event: ConversationEvent | UnknownEvent }
  | { ok: false; problem: StoreProblem }

/** What a row's bytes hold, before the strings that were taken out are back. */
export interface OpenedEvent {
  /** Absent where the bytes are no JSON. */
  value?: JsonValue
  payloads: readonly Payload[]
}

/** Opens what `encodeEvent` wrote. */
export function openEvent(bytes: Uint8Array): OpenedEvent {
  const value = readJson(bytes)
  if (value === undefined) return { payloads: [] }
  const payloads =
    isJsonObject(value) && typeOf(value) === undefined ? value['payloads'] : undefined
  if (!arePayloads(payloads)) return { value, payloads: [] }
  const event = isJsonObject(value) ? field(value, 'event') : undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is a part of what JSON.parse made
  return { value: event as JsonValue, payloads }
}

/** Reads an opened event; what is none is a problem, never an error. */
export function decodeEvent({ value }: Pick<OpenedEvent, 'value'>): DecodedEvent {
  if (value === undefined) return damaged('the bytes are no UTF-8 JSON', 'JSON')
  const event = toWordsOfToday(value)
  if (isEvent(event)) return { ok: true, event }
  const type = typeOf(value)
  if (type === undefined) return damaged('the event has no type', 'an object with a type')
  if (isKnown(type)) return damaged(`the event is no ${type}`, type)
  return { ok: true, event: { type: 'unknown', value } }
}

/** The words of earlier versions for what came of a question, and those of this one. */
const OLDER_OUTCOMES: Readonly<Record<string, JsonObject>> = {
  answered: { action: 'accept' },
  redacted: { action: 'accept', redacted: true },
  declined: { action: 'decline' },
  cancelled: { action: 'cancel' },
}

/** An event as an earlier version wrote it, in the words of this one; every other value as it is. */
export function toWordsOfToday(value: unknown): unknown {
  if (!isJsonObject(value) || value['type'] !== 'answer' || Object.hasOwn(value, 'action'))
    return value
  const { outcome, ...rest } = value
  const words = typeof outcome === 'string' ? field(OLDER_OUTCOMES, outcome) : undefined
  if (!isJsonObject(words)) return value
  return { ...rest, ...words, ...(rest['reason'] === 'timeout' && { reason: 'expired' }) }
}

/** Why a value that was read from JSON is no event; nothing for one, also of a type that a newer version knows. */
export function findEventProblem(value: unknown): StoreProblem | undefined {
  if (isEvent(value)) return undefined
  const type = typeOf(value)
  if (type === undefined)
    return problemAt('/type', 'a text', isJsonObject(value) ? value['type'] : value)
  return isKnown(type) ? eventProblem(type, value) : undefined
}

const KNOWN: ReadonlySet<string> = new Set<ConversationEvent['type']>([
  'turn_start',
  'user_message',
  'assistant_message',
  'tool_call',
  'tool_result',
  'question',
  'answer',
  'approval',
  'delivery',
  'configuration',
  'compaction',
  'rewind',
])

function isKnown(type: string): type is ConversationEvent['type'] {
  return KNOWN.has(type)
}

export function isEvent(value: unknown): value is ConversationEvent {
  const event: JsonObject = isJsonObject(value) ? value : {}
  switch (event['type']) {
    case 'turn_start':
      return typeof event['turn'] === 'number'
    case 'assistant_message':
    case 'approval':
    case 'delivery':
    case 'configuration':
    case 'compaction':
    case 'rewind':
      return firstMisfit(event['type'], event) === undefined
    case 'user_message':
      return Array.isArray(event['content']) && event['content'].every(isContentBlock)
    case 'tool_call':
      return isToolCall(event['call'])
    case 'tool_result':
      return isToolResult(event['result'])
    case 'question':
    case 'answer':
      return isInquiryEvent(value)
    default:
      return false
  }
}

function typeOf(value: unknown): string | undefined {
  const type = isJsonObject(value) ? field(value, 'type') : undefined
  return typeof type === 'string' ? type : undefined
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function readJson(bytes: Uint8Array): JsonValue | undefined {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    return undefined
  }
}

function damaged(message: string, expected: string): DecodedEvent {
  return { ok: false, problem: { path: '', message, expected, code: 'damaged-event' } }
}
