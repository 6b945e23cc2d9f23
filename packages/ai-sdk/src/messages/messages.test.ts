import { openStore, type ConversationEvent } from '@toolblocks/conversation-store'
import type { ToolResult } from '@toolblocks/protocol'
import type { UIMessage } from 'ai'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { PNG } from '../../../formatter/src/testing/every-kind.support.ts'
import { toEvents } from './to-events.ts'
import { toUiMessages } from './to-ui-messages.ts'

const text = fc.string({ unit: 'binary', maxLength: 8 })
const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const object = fc.dictionary(text, json, { maxKeys: 3 })
const metadata = fc.dictionary(fc.constantFrom('anthropic', 'openai', 'x'), object, { maxKeys: 2 })

/** An object of which each field may be absent. */
const some = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> =>
  fc.record(fields, { requiredKeys: [] })

const result: fc.Arbitrary<unknown> = fc.record(
  {
    content: fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('text'), text }),
        fc.constant({ type: 'image', data: PNG, mimeType: 'image/png' }),
      ),
      { maxLength: 3 },
    ),
    isError: fc.boolean(),
    id: fc.constantFrom('call-1', 'call-2', 'other'),
    structuredContent: json,
    _meta: object,
    metadata: fc.constant({ outcome: 'completed', own: 1 }),
  },
  { requiredKeys: ['content', 'isError'] },
)

const approval = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> =>
  fc.record({ id: text, ...fields }).chain((base) =>
    some({
      descriptor: json,
      requestReason: text,
      isAutomatic: fc.boolean(),
      signature: text,
      inputSchemaInput: json,
    }).map((more) => ({ ...base, ...more })),
  )

const state: fc.Arbitrary<object> = fc.oneof(
  some({ input: json, rawInput: text, inputEncoding: fc.constant('text') }).map((more) => ({
    state: 'input-streaming',
    ...more,
  })),
  fc.record({ state: fc.constant('input-available'), input: json }),
  fc.record({ state: fc.constant('approval-requested'), input: json, approval: approval({}) }),
  fc.record({
    state: fc.constant('approval-responded'),
    input: json,
    approval: approval({ approved: fc.boolean(), reason: text }),
  }),
  fc.record(
    {
      state: fc.constant('output-available'),
      input: json,
      output: fc.oneof(result, json, text),
      preliminary: fc.boolean(),
      resultProviderMetadata: metadata,
      approval: approval({ approved: fc.constant(true) }),
    },
    { requiredKeys: ['state', 'input', 'output'] },
  ),
  fc.record(
    {
      state: fc.constant('output-error'),
      input: json,
      rawInput: json,
      errorText: text,
      approval: approval({ approved: fc.constant(true) }),
    },
    { requiredKeys: ['state', 'errorText'] },
  ),
  fc.record({
    state: fc.constant('output-denied'),
    input: json,
    approval: approval({ approved: fc.constant(false), reason: text }),
  }),
)

const call: fc.Arbitrary<object> = fc
  .tuple(
    fc.oneof(
      text.map((name) => ({ type: `tool-${name}` })),
      fc.record({ type: fc.constant('dynamic-tool'), toolName: text }),
    ),
    fc.record({ toolCallId: fc.constantFrom('call-1', 'call-2', 'call-3') }),
    some({
      title: text,
      toolMetadata: object,
      providerExecuted: fc.boolean(),
      callProviderMetadata: metadata,
    }),
    state,
  )
  .map((fields) => Object.assign({}, ...fields) as object)

const url = fc.oneof(
  fc.constantFrom(
    `data:image/png;base64,${PNG}`,
    `data:image/png;charset=x;base64,${PNG}`,
    `data:application/pdf;base64,${PNG}`,
    `data:audio/wav;base64,${PNG}`,
    'data:text/plain,hi',
    'data:;base64,aGk=',
    'data:image/png;base64,not base64',
    'https://a.test/b.png',
  ),
  text,
)

const part: fc.Arbitrary<object> = fc.oneof(
  fc.record(
    {
      type: fc.constant('text'),
      text,
      state: fc.constantFrom('streaming', 'done'),
      providerMetadata: metadata,
      citations: fc.array(object, { maxLength: 1 }),
    },
    { requiredKeys: ['type', 'text'] },
  ),
  fc.record(
    { type: fc.constant('reasoning'), text, id: text, providerMetadata: metadata },
    { requiredKeys: ['type', 'text'] },
  ),
  fc.record(
    {
      type: fc.constant('file'),
      mediaType: text,
      url,
      filename: text,
      providerReference: object,
      providerMetadata: metadata,
    },
    { requiredKeys: ['type', 'mediaType', 'url'] },
  ),
  fc.record({ type: fc.constant('reasoning-file'), mediaType: text, url }),
  fc.record({ type: fc.constant('source-url'), sourceId: text, url: text }),
  fc.record({ type: fc.constant('source-document'), sourceId: text, mediaType: text, title: text }),
  fc.record({ type: fc.constant('custom'), kind: text }),
  fc.record({ type: text.map((name) => `data-${name}`), data: json, id: text }),
  fc.record({ type: fc.constant('steering-message'), id: text, parts: fc.constant([]) }),
  fc.constant({ type: 'step-start' }),
  call,
  // Parts of a newer version.
  fc.record({ type: text, toolCallId: json, text: json, url: json }),
)

const message: fc.Arbitrary<UIMessage> = fc
  .record(
    {
      id: text,
      role: fc.constantFrom('user', 'assistant', 'system'),
      parts: fc.array(part, { maxLength: 8 }),
      metadata: json,
      createdAt: text,
    },
    { requiredKeys: ['id', 'role', 'parts'] },
  )
  // Messages are JSON.
  .map((fields) => JSON.parse(JSON.stringify(fields)) as UIMessage)

const messages = fc.array(message, { maxLength: 5 })

test('law: messages that become events and messages again are the same', () => {
  fc.assert(
    fc.property(messages, (uiMessages) => {
      expect(toUiMessages(toEvents(uiMessages))).toStrictEqual(uiMessages)
    }),
    { numRuns: 500 },
  )
})

test('law: the same holds for events that a store has kept', async () => {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  let count = 0
  await fc.assert(
    fc.asyncProperty(messages, async (uiMessages) => {
      const id = `c${(count += 1)}`
      const events = toEvents(uiMessages)
      if (events.length > 0) await store.append(id, 0, events)
      const { events: stored, damaged } = await store.read(id)
      expect(damaged).toEqual([])
      expect(toUiMessages(stored)).toEqual(uiMessages)
    }),
    { numRuns: 100 },
  )
})

const RESULT: ToolResult = { content: [{ type: 'text', text: 'A' }], isError: false }

test('events are those that other readers of a store know', () => {
  const events = toEvents([
    { id: 's', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    {
      id: 'u',
      role: 'user',
      parts: [
        { type: 'text', text: 'Look.' },
        { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${PNG}` },
      ],
    },
    {
      id: 'a',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'I look.' },
        {
          type: 'tool-look',
          toolCallId: 'c1',
          state: 'output-available',
          input: { at: 'a' },
          output: RESULT,
          approval: { id: 'x', approved: true, reason: 'Yes.' },
        },
        {
          type: 'dynamic-tool',
          toolName: 'other',
          toolCallId: 'c2',
          state: 'output-error',
          input: {},
          errorText: 'no',
        },
        { type: 'step-start' },
        { type: 'text', text: 'Done.' },
      ],
    },
  ])
  const written: object[] = events
  expect(
    written.map((event) =>
      Object.fromEntries(Object.entries(event).filter(([field]) => field !== '_meta')),
    ),
  ).toEqual([
    { type: 'configuration', values: { instructions: 'Be brief.' } },
    { type: 'turn_start', turn: 1 },
    {
      type: 'user_message',
      content: [
        { type: 'text', text: 'Look.' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
      ],
    },
    { type: 'assistant_message', reasoning: 'Hm.', content: [{ type: 'text', text: 'I look.' }] },
    { type: 'tool_call', call: { id: 'c1', name: 'look', arguments: { at: 'a' } } },
    { type: 'approval', callId: 'c1', decision: 'allowed', by: 'user', reason: 'Yes.' },
    { type: 'tool_call', call: { id: 'c2', name: 'other', arguments: {} } },
    { type: 'tool_result', result: { ...RESULT, id: 'c1' } },
    {
      type: 'tool_result',
      result: {
        id: 'c2',
        content: [{ type: 'text', text: 'no' }],
        isError: true,
        metadata: { outcome: 'failed' },
      },
    },
    { type: 'assistant_message', content: [{ type: 'text', text: 'Done.' }] },
  ])
})

test('the output of another tool is text for other readers of a store', () => {
  const counted = {
    type: 'tool-count',
    toolCallId: 'c1',
    state: 'output-available',
    input: {},
    output: { lines: 12 },
  } as const
  const events = toEvents([{ id: 'a', role: 'assistant', parts: [counted] }])
  expect(events.find(({ type }) => type === 'tool_result')).toMatchObject({
    result: {
      content: [{ type: 'text', text: '{"lines":12}' }],
      structuredContent: { lines: 12 },
    },
  })
})

test('bytes are stored once, in the block', () => {
  const [, event] = toEvents([
    {
      id: 'u',
      role: 'user',
      parts: [{ type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${PNG}` }],
    },
  ])
  expect(JSON.stringify(event).split(PNG)).toHaveLength(2)
})

test('turns are numbered from the given one', () => {
  const user: UIMessage = { id: 'u', role: 'user', parts: [] }
  const turns = toEvents([user, user], { turn: 7 }).flatMap((event) =>
    event.type === 'turn_start' ? [event.turn] : [],
  )
  expect(turns).toEqual([7, 8])
})

test('a denial by a rule has the rule as its reason', () => {
  const byRule = { type: 'approval', callId: 'c1', by: 'rule', rule: 'git*', source: 'settings' }
  const read = (more: Partial<ConversationEvent>) =>
    toUiMessages([
      { type: 'tool_call', call: { id: 'c1', name: 'git', arguments: {} } },
      { ...byRule, decision: 'denied', ...more } as ConversationEvent,
    ])[0]?.parts[0]
  expect(read({})).toMatchObject({ approval: { reason: 'by the rule git* (settings)' } })
  expect(read({ reason: 'No.' })).toMatchObject({ approval: { reason: 'No.' } })
  expect(read({ decision: 'allowed' })).not.toHaveProperty('approval.reason')
})

test('events of an agent become messages of a page, with complete results', () => {
  const events: ConversationEvent[] = [
    { type: 'turn_start', turn: 1 },
    { type: 'user_message', content: [{ type: 'text', text: 'Look.' }] },
    { type: 'assistant_message', reasoning: 'Hm.', content: [{ type: 'text', text: 'Yes.' }] },
    { type: 'tool_call', call: { id: 'c1', name: 'look', arguments: {} } },
    { type: 'approval', callId: 'c1', decision: 'allowed', by: 'rule' },
    { type: 'tool_call', call: { id: 'c2', name: 'remove', arguments: {} } },
    { type: 'approval', callId: 'c2', decision: 'denied', by: 'user', reason: 'No.' },
    { type: 'tool_result', result: { ...RESULT, id: 'c1' } },
    {
      type: 'tool_result',
      result: { id: 'c2', content: [], isError: true, metadata: { outcome: 'denied' } },
    },
    {
      type: 'assistant_message',
      content: [{ type: 'image', data: PNG, mimeType: 'image/png' }],
    },
  ]
  expect(toUiMessages(events)).toEqual([
    { id: 'message-1', role: 'user', parts: [{ type: 'text', text: 'Look.' }] },
    {
      id: 'message-2',
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'Yes.' },
        {
          type: 'dynamic-tool',
          toolName: 'look',
          toolCallId: 'c1',
          input: {},
          state: 'output-available',
          output: { ...RESULT, id: 'c1' },
          approval: { id: 'c1', approved: true, isAutomatic: true },
        },
        {
          type: 'dynamic-tool',
          toolName: 'remove',
          toolCallId: 'c2',
          input: {},
          state: 'output-denied',
          approval: { id: 'c2', approved: false, reason: 'No.' },
        },
        { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${PNG}` },
      ],
    },
  ])
})
