import {
  type JsonObject,
  type JsonValue,
  type TokenUsage,
  isContentBlock,
  isToolResult,
  isJsonObject,
} from '@toolblocks/protocol'
import {
  getOwnField,
  isDelivery,
  isInquiryEvent,
  isToolCall,
  appendPointer,
  isJsonSchema,
  valueAtPointer,
  describeValue,
} from '@toolblocks/protocol/internal'
import leven from 'leven'
import type { StoreProblem } from '../problems/store-error.ts'
import type { ConversationEvent, UnknownEvent } from './conversation-event.ts'
import { type Payload, arePayloads } from './payloads.ts'

/** The event, or the reason why the bytes contain no event. */
type DecodedEvent =
  | { ok: true; event: ConversationEvent | UnknownEvent }
  | { ok: false; problem: StoreProblem }

/** The content of a row's bytes, before the strings that were stored apart are restored. */
interface OpenedEvent {
  /** `undefined` if the bytes are not JSON. */
  value: JsonValue | undefined
  payloads: readonly Payload[]
}

/** Parses what `encodeEvent` wrote. */
export function openEvent(bytes: Uint8Array): OpenedEvent {
  const value = readJson(bytes)
  if (value === undefined) return { value, payloads: [] }
  const payloads =
    isJsonObject(value) && findType(value) === undefined ? value['payloads'] : undefined
  if (!arePayloads(payloads)) return { value, payloads: [] }
  const event = isJsonObject(value) ? getOwnField(value, 'event') : undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is a part of what JSON.parse made
  return { value: event as JsonValue, payloads }
}

/** Decodes a parsed event. Returns a problem, and never throws, if the value is not an event. */
export function decodeEvent(value: JsonValue | undefined): DecodedEvent {
  if (value === undefined) return damaged('the bytes are not UTF-8 JSON', 'JSON')
  if (isEvent(value)) return { ok: true, event: value }
  const type = findType(value)
  if (type === undefined) return damaged('the event has no type', 'an object with a type')
  if (isKnown(type)) return damaged(`the value is not an event of type ${type}`, type)
  return { ok: true, event: { type: 'unknown', value } }
}

/**
 * Returns the known type that an unknown type is probably meant to be. A record of another program is stored with its own type, and has `imported`.
 */
export function findMeantType(event: unknown): string | undefined {
  const type = findType(event)
  if (
    type === undefined ||
    isKnown(type) ||
    !isJsonObject(event) ||
    Object.hasOwn(event, 'imported')
  )
    return undefined
  const simple = simplify(type)
  const most = simple.length > 8 ? 2 : 1
  return EVENT_TYPES.find((known) => leven(simple, simplify(known)) <= most)
}

function simplify(type: string): string {
  return type
    .slice(0, MAX_TYPE)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
}

/** No type is longer. */
const MAX_TYPE = 64

/**
 * Returns the first field that does not fit in a value that was read from JSON, as the reason why it is not an event. Returns `undefined` for an
 * event, including one whose type only a newer version knows.
 */
export function findEventProblem(value: unknown): StoreProblem | undefined {
  if (isEvent(value)) return undefined
  const type = findType(value)
  if (type === undefined)
    return problemAt('/type', 'a string', isJsonObject(value) ? value['type'] : value)
  if (!isKnown(type)) return undefined
  return findFieldProblem(type, value) ?? problemAt('', `an event of type ${type}`, value)
}

function isKnown(type: string): type is ConversationEvent['type'] {
  return Object.hasOwn(CHECKS, type)
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
      return findFieldProblem(event['type'], event) === undefined
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

function findType(value: unknown): string | undefined {
  const type = isJsonObject(value) ? getOwnField(value, 'type') : undefined
  return typeof type === 'string' ? type : undefined
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses UTF-8 JSON; returns `undefined` for other bytes. */
export function readJson(bytes: Uint8Array): JsonValue | undefined {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    return undefined
  }
}

function damaged(message: string, expected: string): DecodedEvent {
  return { ok: false, problem: { path: '', message, expected, code: 'damaged-event' } }
}

/** The path of a field, a description of the expected value, and the function that tests it. */
type Check = readonly [path: string, expected: string, is: (value: unknown) => boolean]

const isText = (value: unknown): boolean => typeof value === 'string'

const isOneOf =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    names.some((name) => name === value)

const CONTENT = 'an array of content blocks'

const inquiry: readonly Check[] = [
  ['/id', 'a string', isText],
  ['/callId', 'a string', isText],
]

const message: readonly Check[] = [['/content', CONTENT, Array.isArray]]

const optional =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || is(value)

const isPlace = (value: unknown): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

const COUNTS: readonly (keyof TokenUsage)[] = [
  'inputTokens',
  'cachedInputTokens',
  'cacheWriteTokens',
  'outputTokens',
  'reasoningTokens',
]

/** Counts that only a newer version knows are kept unchanged. */
const isUsage = (value: unknown): boolean =>
  isJsonObject(value) && COUNTS.every((name) => optional(isPlace)(getOwnField(value, name)))

/** Checks outer fields before their inner ones. The blocks of `content` are checked one by one. */
const CHECKS: Readonly<Record<ConversationEvent['type'], readonly Check[]>> = {
  turn_start: [['/turn', 'a number', (value) => typeof value === 'number']],
  user_message: message,
  assistant_message: [
    ...message,
    ['/reasoning', 'a string if present', optional(isText)],
    ['/model', 'a string if present', optional(isText)],
    ['/usage', 'an object with counts if present', optional(isUsage)],
    ['/_meta', 'an object if present', optional(isJsonObject)],
  ],
  tool_call: [
    ['/call', 'a tool call', isJsonObject],
    ['/call/id', 'a string', isText],
    ['/call/name', 'a string', isText],
    ['/call/arguments', 'an object', isJsonObject],
  ],
  tool_result: [
    ['/result', 'a tool result', isJsonObject],
    ['/result/content', CONTENT, Array.isArray],
    ['/result/isError', 'true or false', (value) => typeof value === 'boolean'],
    ['/result/id', 'a string if present', optional(isText)],
    ['/result/_meta', 'an object if present', optional(isJsonObject)],
  ],
  question: [
    ...inquiry,
    ['/question', 'a question', isJsonObject],
    ['/question/id', 'a string', isText],
    ['/question/text', 'a string', isText],
    ['/question/schema', 'a JSON Schema', isJsonSchema],
    [
      '/asked',
      'static, user, assistant or nobody',
      isOneOf('static', 'user', 'assistant', 'nobody'),
    ],
  ],
  answer: [
    ...inquiry,
    ['/action', 'accept, decline or cancel', isOneOf('accept', 'decline', 'cancel')],
  ],
  approval: [
    ['/callId', 'a string', isText],
    [
      '/decision',
      'allowed, denied, cancelled or expired',
      isOneOf('allowed', 'denied', 'cancelled', 'expired'),
    ],
    ['/by', 'user or rule', isOneOf('user', 'rule')],
    ['/rule', 'a string if present', optional(isText)],
    ['/source', 'a string if present', optional(isText)],
    ['/arguments', 'an object if present', optional(isJsonObject)],
    ['/reason', 'a string if present', optional(isText)],
  ],
  delivery: [
    [
      '/deliveries',
      'an array of deliveries',
      (value) => Array.isArray(value) && value.every(isDelivery),
    ],
    ['/callId', 'a string if present', optional(isText)],
    ['/text', 'a string if present', optional(isText)],
    ['/wholeLength', 'a count if present', optional(isPlace)],
  ],
  configuration: [['/values', 'an object', isJsonObject]],
  compaction: [
    ['/fromTurn', 'a count', isPlace],
    ['/toTurn', 'a count', isPlace],
    ['/summary', 'a string if present', optional(isText)],
    ['/reasoning', 'strip if present', optional(isOneOf('strip'))],
    [
      '/toolCalls',
      'omit, strip-results or strip if present',
      optional(isOneOf('omit', 'strip-results', 'strip')),
    ],
  ],
  rewind: [['/to', 'a count', isPlace]],
}

/** All types of events. */
export const EVENT_TYPES: readonly string[] = Object.keys(CHECKS)

/** Returns the first field that an event of this type cannot have with this value. */
function findFieldProblem(
  type: ConversationEvent['type'],
  event: unknown,
): StoreProblem | undefined {
  for (const [path, expected, is] of CHECKS[type]) {
    const value = valueAtPointer(event, path)
    if (!is(value)) return problemAt(path, expected, value)
    if (expected !== CONTENT || !Array.isArray(value)) continue
    const index = value.findIndex((block) => !isContentBlock(block))
    if (index !== -1) return problemAt(appendPointer(path, index), 'a content block', value[index])
  }
  return undefined
}

function problemAt(path: string, expected: string, value: unknown): StoreProblem {
  const got = describeValue(value)
  return { path, message: `expected ${expected}, got ${got}`, expected, got, code: 'no-event' }
}
