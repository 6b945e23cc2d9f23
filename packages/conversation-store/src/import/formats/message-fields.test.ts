import { expect, test } from 'vitest'
import { at, readOne, text, whole } from '../whole-conversation.suite.ts'

/** When the file was last written. */
const WRITTEN = '2026-01-01T00:00:00.000Z'

test.for<[string, object, readonly object[], readonly object[]]>([
  [
    'anthropic',
    { id: 'x5', system: 'Be brief.' },
    [{ role: 'user', content: 'Look.', created_at: at(1) }],
    [{ type: 'user_message', content: [text('Look.')] }],
  ],
  [
    'openai',
    { id: 'x5', model: 'm' },
    [
      {
        role: 'assistant',
        created_at: at(1),
        reasoning_content: 'hm',
        content: 'I look.',
        tool_calls: [
          { id: 'c', function: { name: 'look', arguments: '{"at":"a"}' } },
          { id: 'd', custom: { name: 'grep', input: '{"at":"b"}' } },
        ],
      },
    ],
    [
      {
        type: 'assistant_message',
        content: [text('I look.')],
        reasoning: 'hm',
        _meta: { reasoning: [{ text: 'hm' }] },
      },
      { type: 'tool_call', call: { id: 'c', name: 'look', arguments: { at: 'a' } } },
      { type: 'tool_call', call: { id: 'd', name: 'grep', arguments: { at: 'b' } } },
    ],
  ],
  [
    'ai-sdk',
    { id: 'x5', chatId: 'other' },
    [
      {
        role: 'assistant',
        createdAt: at(1),
        parts: [
          { type: 'reasoning', text: 'hm' },
          {
            type: 'tool-look',
            toolCallId: 'c',
            input: { at: 'a' },
            state: 'output-error',
            errorText: 'gone',
          },
          {
            type: 'dynamic-tool',
            toolName: 'find',
            toolCallId: 'd',
            input: {},
            state: 'output-available',
            output: 'there',
          },
        ],
      },
    ],
    [
      {
        type: 'assistant_message',
        content: [],
        reasoning: 'hm',
        _meta: { reasoning: [{ type: 'reasoning', text: 'hm' }] },
      },
      { type: 'tool_call', call: { id: 'c', name: 'look', arguments: { at: 'a' } } },
      { type: 'tool_result', result: { id: 'c', content: [text('gone')], isError: true } },
      { type: 'tool_call', call: { id: 'd', name: 'find', arguments: {} } },
      { type: 'tool_result', result: { id: 'd', content: [text('there')], isError: false } },
    ],
  ],
])(
  '%s: a request is called by its id, and what it says stands with its first event',
  ([format, about, messages, events]) => {
    const path = '/x/request.json'
    const [first, ...rest] = events
    expect(whole(readOne(JSON.stringify({ ...about, messages }), path))).toEqual({
      source: path,
      format,
      id: `${format}-x5`,
      title: undefined,
      events: [
        [at(1), { ...first, imported: { about } }, messages[0]],
        ...rest.map((event) => [at(1), event, undefined]),
      ],
      problems: [],
    })
  },
)

test('the AI SDK: settings, calls of version 4, and an id under another name', () => {
  const messages = [
    { role: 'system', content: 'Be brief.', parts: [text('Be brief.')] },
    {
      role: 'assistant',
      content: 'I looked.',
      toolInvocations: [
        { state: 'result', toolCallId: 'c', toolName: 'look', args: { at: 'a' }, result: 'there' },
      ],
    },
  ]
  expect(whole(readOne(JSON.stringify({ chatId: 'x6', messages }), '/x/chat.json'))).toMatchObject({
    id: 'ai-sdk-x6',
    events: [
      // Nothing says when: the time at which the file was written.
      [WRITTEN, { type: 'configuration', values: messages[0] }, messages[0]],
      [WRITTEN, { call: { id: 'c', name: 'look', arguments: { at: 'a' } } }, messages[1]],
      [WRITTEN, { result: { id: 'c', content: [text('there')], isError: false } }, undefined],
      [WRITTEN, { type: 'assistant_message', content: [text('I looked.')] }, undefined],
    ],
  })
})

test.for<[object, object]>([
  [
    {
      type: 'tool-result',
      toolCallId: 'c',
      output: { type: 'content', value: [text('x')] },
      result: 1,
    },
    { id: 'c', content: [text('x')], isError: false },
  ],
  [
    { type: 'tool-result', toolCallId: 'c', result: 'x', isError: true },
    { id: 'c', content: [text('x')], isError: true },
  ],
  [
    { type: 'tool-result', toolCallId: 'c', output: { type: 'json', value: { n: 1 } } },
    {
      id: 'c',
      content: [{ ...text('{"n":1}'), mimeType: 'application/json' }],
      isError: false,
      structuredContent: { n: 1 },
    },
  ],
])('a part of a model message, %j, is the result of its call', ([part, result]) => {
  const { events } = readOne(JSON.stringify([{ role: 'tool', content: [part] }]), '/x/a.json')
  expect(events.map(({ event }) => event)).toEqual([{ type: 'tool_result', result }])
})

test.for<[object, object]>([
  [
    { role: 'assistant', content: null, reasoning_content: 'hm', reasoning: 'other' },
    { type: 'assistant_message', content: [], reasoning: 'hm' },
  ],
  [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'c', function: { name: 'look', arguments: { at: 1 }, input: { at: 2 } }, custom: {} },
      ],
    },
    { type: 'tool_call', call: { id: 'c', name: 'look', arguments: { at: 1 } } },
  ],
  [
    {
      role: 'assistant',
      parts: [
        {
          type: 'dynamic-tool',
          toolCallId: 'c',
          toolName: 'look',
          input: { at: 1 },
          args: { at: 2 },
        },
      ],
    },
    { type: 'tool_call', call: { id: 'c', name: 'look', arguments: { at: 1 } } },
  ],
])('where %j says one thing in two ways, the first counts', ([message, event]) => {
  const { events } = readOne(JSON.stringify([message]), '/x/a.json')
  expect(events.map((each) => each.event)).toMatchObject([event])
})
