import {
  appendPointer,
  describeValue,
  field,
  isContentBlock,
  isDelivery,
  isJsonObject,
  isJsonSchema,
  valueAtPointer,
} from '@toolblocks/protocol'
import type { TokenUsage } from '@toolblocks/protocol'
import type { ConversationEvent } from './conversation-event.ts'
import type { StoreProblem } from '../problems/store-error.ts'

/** What a field must be, in words, and what says so. */
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
/** What a newer version counts is kept as it is. */
const isUsage = (value: unknown): boolean =>
  isJsonObject(value) && COUNTS.every((name) => optional(isPlace)(field(value, name)))

/** Outer fields before their inner ones. What stands in `content` is looked at one by one. */
const CHECKS: Readonly<Record<ConversationEvent['type'], readonly Check[]>> = {
  turn_start: [['/turn', 'a number', (value) => typeof value === 'number']],
  user_message: message,
  assistant_message: [
    ...message,
    ['/reasoning', 'a string, or nothing', optional(isText)],
    ['/model', 'a string, or nothing', optional(isText)],
    ['/usage', 'an object with counts, or nothing', optional(isUsage)],
    ['/_meta', 'an object, or nothing', optional(isJsonObject)],
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
    ['/result/id', 'a string, or nothing', optional(isText)],
    ['/result/_meta', 'an object, or nothing', optional(isJsonObject)],
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
    ['/decision', 'allowed, denied or cancelled', isOneOf('allowed', 'denied', 'cancelled')],
    ['/by', 'user or rule', isOneOf('user', 'rule')],
    ['/arguments', 'an object, or nothing', optional(isJsonObject)],
    ['/reason', 'a string, or nothing', optional(isText)],
  ],
  delivery: [
    [
      '/deliveries',
      'an array of deliveries',
      (value) => Array.isArray(value) && value.every(isDelivery),
    ],
    ['/callId', 'a string, or nothing', optional(isText)],
    ['/text', 'a string, or nothing', optional(isText)],
    ['/wholeLength', 'a count, or nothing', optional(isPlace)],
  ],
  configuration: [['/values', 'an object', isJsonObject]],
  compaction: [
    ['/fromTurn', 'a count', isPlace],
    ['/toTurn', 'a count', isPlace],
    ['/summary', 'a string, or nothing', optional(isText)],
    ['/reasoning', 'strip, or nothing', optional(isOneOf('strip'))],
    [
      '/toolCalls',
      'omit, strip-results, strip, or nothing',
      optional(isOneOf('omit', 'strip-results', 'strip')),
    ],
  ],
  rewind: [['/to', 'a count', isPlace]],
}

/** Names the first field for which a value of this type is no event; the whole of it where no single field is to blame. */
export function eventProblem(type: ConversationEvent['type'], event: unknown): StoreProblem {
  return firstMisfit(type, event) ?? problemAt('', `an event of type ${type}`, event)
}

/** The first field that is not what an event of this type has there. */
export function firstMisfit(
  type: ConversationEvent['type'],
  event: unknown,
): StoreProblem | undefined {
  for (const [path, expected, is] of CHECKS[type]) {
    const value = valueAtPointer(event, path)
    if (!is(value)) return problemAt(path, expected, value)
    if (expected !== CONTENT || !Array.isArray(value)) continue
    const at = value.findIndex((block) => !isContentBlock(block))
    if (at !== -1) return problemAt(appendPointer(path, at), 'a content block', value[at])
  }
  return undefined
}

export function problemAt(path: string, expected: string, value: unknown): StoreProblem {
  const got = describeValue(value)
  return { path, message: `expected ${expected}, got ${got}`, expected, got, code: 'no-event' }
}
