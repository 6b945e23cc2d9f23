import { expect, test } from 'vitest'
import type { ConversationEvent } from './conversation-event.ts'
import { decodeEvent, findEventProblem, openEvent } from './decode-event.ts'

const makeBytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => decodeEvent(openEvent(bytes).value)
const turn = '{"type":"turn_start","turn":1,"note":"x"}'

test('decodes what was written', () => {
  const event = { type: 'turn_start', turn: 1, note: 'x' }
  expect(decode(makeBytes(turn))).toEqual({ ok: true, event })
})

test('returns an event of a newer version unchanged', () => {
  const value = { type: 'weather', degrees: 20 }
  expect(decode(makeBytes(JSON.stringify(value)))).toEqual({
    ok: true,
    event: { type: 'unknown', value },
  })
})

test.for<[string, Uint8Array, string]>([
  ['text that is not JSON', makeBytes('{"type":'), 'the bytes are not UTF-8 JSON'],
  [
    'bad UTF-8 within a text',
    makeBytes(turn).map((byte) => (byte === 0x78 ? 0xff : byte)),
    'the bytes are not UTF-8 JSON',
  ],
  ['a byte order mark at the start', makeBytes(`\uFEFF${turn}`), 'not UTF-8 JSON'],
  ['an array', makeBytes('[1]'), 'the event has no type'],
  ['an inherited type', makeBytes('{"__proto__":{"type":"turn_start"}}'), 'the event has no type'],
  [
    'a known event without its fields',
    makeBytes('{"type":"turn_start"}'),
    'not an event of type turn_start',
  ],
  [
    'a known event with fields of another kind',
    makeBytes('{"type":"tool_call","call":{"id":1}}'),
    'the value is not an event of type tool_call',
  ],
])('%s is reported as damaged', ([, bytes, message]) => {
  expect(decode(bytes)).toMatchObject({
    ok: false,
    problem: { code: 'damaged-event', message: expect.stringContaining(message) },
  })
})

const block = { type: 'text', text: 'a' } as const
const question = { id: 'q', text: 'Which?', schema: { type: 'string' } } as const

const delivery = {
  callId: 'c',
  block: 0,
  uri: 'file:///a',
  sha256: 'a'.repeat(64),
  turn: 1,
  form: 'full',
} as const

/** Events of each type, with all of their fields. */
const EVENTS: readonly ConversationEvent[] = [
  { type: 'turn_start', turn: 1 },
  { type: 'user_message', content: [block] },
  { type: 'assistant_message', content: [block], reasoning: 'hm', _meta: {} },
  {
    type: 'assistant_message',
    content: [],
    model: 'm-1',
    usage: { inputTokens: 9, cachedInputTokens: 0, outputTokens: 2 },
  },
  { type: 'tool_call', call: { id: 'c', name: 'n', arguments: {} } },
  { type: 'tool_result', result: { content: [block], isError: false, id: 'c', _meta: {} } },
  { type: 'question', id: 'q', callId: 'c', question, asked: 'user' },
  { type: 'answer', id: 'q', callId: 'c', action: 'accept', value: 1 },
  { type: 'approval', callId: 'c', decision: 'denied', by: 'rule', arguments: {}, reason: 'no' },
  {
    type: 'approval',
    callId: 'c',
    decision: 'denied',
    by: 'rule',
    rule: 'git',
    source: 'settings',
  },
  { type: 'delivery', deliveries: [delivery], callId: 'c', text: 'a', wholeLength: 0 },
  { type: 'configuration', values: {} },
  {
    type: 'compaction',
    fromTurn: 0,
    toTurn: 1,
    summary: 'a',
    reasoning: 'strip',
    toolCalls: 'omit',
  },
  { type: 'rewind', to: 0 },
]

test.for(EVENTS.map((event) => [event.type, event] as const))(
  'an event of type %s is valid',
  ([, event]) => {
    expect(findEventProblem(event)).toBeUndefined()
  },
)

test.for<ConversationEvent>([
  { type: 'assistant_message', content: [] },
  { type: 'tool_result', result: { content: [], isError: true } },
  { type: 'approval', callId: 'c', decision: 'allowed', by: 'user' },
  { type: 'delivery', deliveries: [] },
  { type: 'compaction', fromTurn: 1, toTurn: 2 },
])('an event of type $type is valid with only its required fields', (event) => {
  expect(findEventProblem(event)).toBeUndefined()
})

/** Returns the event with another value at a path of names. */
function withValue(
  event: unknown,
  [name = '', ...inner]: readonly string[],
  value: unknown,
): object {
  const fields = Object.fromEntries(Object.entries(event ?? {}))
  return { ...fields, [name]: inner.length > 0 ? withValue(fields[name], inner, value) : value }
}

const CONTENT = 'an array of content blocks'

const misfits: readonly (readonly [ConversationEvent['type'], string, unknown, string])[] = [
  ['turn_start', '/turn', '1', 'a number'],
  ['user_message', '/content', 'a', CONTENT],
  ['assistant_message', '/content', undefined, CONTENT],
  ['assistant_message', '/reasoning', 1, 'a string if present'],
  ['assistant_message', '/model', 1, 'a string if present'],
  ['assistant_message', '/usage', { inputTokens: -1 }, 'an object with counts if present'],
  ['assistant_message', '/_meta', [], 'an object if present'],
  ['tool_call', '/call', 'c', 'a tool call'],
  ['tool_call', '/call/id', 1, 'a string'],
  ['tool_call', '/call/name', null, 'a string'],
  ['tool_call', '/call/arguments', [], 'an object'],
  ['tool_result', '/result', [], 'a tool result'],
  ['tool_result', '/result/content', {}, CONTENT],
  ['tool_result', '/result/isError', 0, 'true or false'],
  ['tool_result', '/result/id', 1, 'a string if present'],
  ['tool_result', '/result/_meta', 'a', 'an object if present'],
  ['question', '/id', 1, 'a string'],
  ['question', '/callId', undefined, 'a string'],
  ['question', '/question', 'Which?', 'a question'],
  ['question', '/question/id', 1, 'a string'],
  ['question', '/question/text', [], 'a string'],
  ['question', '/question/schema', 'string', 'a JSON Schema'],
  ['question', '/asked', 'everybody', 'static, user, assistant or nobody'],
  ['answer', '/id', 1, 'a string'],
  ['answer', '/callId', {}, 'a string'],
  ['answer', '/action', 'maybe', 'accept, decline or cancel'],
  ['approval', '/callId', 1, 'a string'],
  ['approval', '/decision', 'yes', 'allowed, denied, cancelled or expired'],
  ['approval', '/by', 'chance', 'user or rule'],
  ['approval', '/arguments', [], 'an object if present'],
  ['approval', '/reason', 1, 'a string if present'],
  ['delivery', '/deliveries', [{}], 'an array of deliveries'],
  ['delivery', '/callId', 1, 'a string if present'],
  ['delivery', '/text', 1, 'a string if present'],
  ['delivery', '/wholeLength', -1, 'a count if present'],
  ['configuration', '/values', [], 'an object'],
  ['compaction', '/fromTurn', 0.5, 'a count'],
  ['compaction', '/toTurn', '1', 'a count'],
  ['compaction', '/summary', 1, 'a string if present'],
  ['compaction', '/reasoning', 'keep', 'strip if present'],
  ['compaction', '/toolCalls', 'drop', 'omit, strip-results or strip if present'],
  ['rewind', '/to', -1, 'a count'],
]

test.for(misfits)(
  'in an event of type %s, reports %s with the value %j',
  ([type, path, value, expected]) => {
    const event = EVENTS.find((each) => each.type === type)
    expect(findEventProblem(withValue(event, path.split('/').slice(1), value))).toMatchObject({
      path,
      expected,
      message: expect.stringMatching(`^expected ${expected}, got `),
      code: 'no-event',
    })
  },
)

const fieldValues: readonly (readonly [ConversationEvent['type'], string, readonly string[]])[] = [
  ['question', 'asked', ['static', 'user', 'assistant', 'nobody']],
  ['answer', 'action', ['accept', 'decline', 'cancel']],
  ['approval', 'decision', ['allowed', 'denied', 'cancelled']],
  ['approval', 'by', ['user', 'rule']],
  ['compaction', 'toolCalls', ['omit', 'strip-results', 'strip']],
]

test.for(fieldValues)('in an event of type %s, %s may be any of %j', ([type, name, values]) => {
  const event = EVENTS.find((each) => each.type === type)
  for (const value of values)
    expect(findEventProblem({ ...event, [name]: value })?.path).not.toBe(`/${name}`)
})

test('reports the first content block that is not valid', () => {
  expect(findEventProblem({ type: 'user_message', content: [block, 1, {}] })).toEqual({
    path: '/content/1',
    message: 'expected a content block, got number 1',
    expected: 'a content block',
    got: 'number 1',
    code: 'no-event',
  })
})
