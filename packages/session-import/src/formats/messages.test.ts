import { expect, test } from 'vitest'
import { readConversations } from '../import-conversation.ts'
import { getLines, getSource } from '../sources/make-source.support.ts'
import { getTime, readOne, text, whole } from '../complete-conversation.support.ts'

function read(content: unknown) {
  const json = JSON.stringify(content)
  const [conversation] = readConversations(getSource(json, { path: '/x/chat.json' }))
  if (!conversation) throw new Error('expected a conversation')
  return { ...conversation, events: conversation.events.map(({ event }) => event) }
}

test('AI SDK 4: reads invocations beside the text, or as parts', () => {
  const invocation = {
    state: 'result',
    toolCallId: 'c',
    toolName: 'x',
    args: { a: 1 },
    result: { b: 2 },
  }
  expect(
    read([
      { role: 'user', content: 'hi', createdAt: '2026-01-02T03:04:05Z' },
      { role: 'assistant', content: 'done', toolInvocations: [invocation] },
      {
        role: 'assistant',
        content: '',
        parts: [{ type: 'tool-invocation', toolInvocation: invocation }],
      },
    ]),
  ).toMatchObject({
    format: 'ai-sdk',
    id: 'ai-sdk-chat',
    events: [
      { type: 'user_message' },
      { type: 'tool_call', call: { arguments: { a: 1 } } },
      { type: 'tool_result', result: { id: 'c', structuredContent: { b: 2 } } },
      { type: 'assistant_message' },
      { type: 'tool_call' },
      { type: 'tool_result' },
    ],
  })
})

test('AI SDK: a denied call has a result, a pending one has none', () => {
  const tool = { type: 'dynamic-tool', toolName: 'x', input: {} }
  const parts = [
    { ...tool, toolCallId: 'a', state: 'output-denied' },
    { ...tool, toolCallId: 'b', state: 'input-available' },
    { type: 'data-weather', data: { degrees: 20 } },
  ]
  expect(read([{ id: '1', role: 'assistant', parts }]).events).toMatchObject([
    { type: 'tool_call' },
    { result: { id: 'a', isError: true, metadata: { outcome: 'denied' } } },
    { type: 'tool_call', call: { id: 'b' } },
    {
      type: 'assistant_message',
      content: [{ text: '{"type":"data-weather","data":{"degrees":20}}' }],
    },
  ])
})

test('reads model messages of the AI SDK like those for OpenAI', () => {
  const output = { type: 'error-text', value: 'gone' }
  expect(
    read([
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'x', input: {} }],
      },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'x', output }] },
    ]).events,
  ).toMatchObject([
    { type: 'tool_call', call: { id: 'c', name: 'x' } },
    { result: { id: 'c', isError: true, content: [{ text: 'gone' }] } },
  ])
})

test('reads items of Responses as messages for OpenAI', () => {
  expect(
    read([
      { role: 'user', content: 'hi' },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
      { type: 'function_call', call_id: 'c', name: 'x', arguments: 'no JSON' },
      { type: 'function_call_output', call_id: 'c', output: 'a' },
    ]),
  ).toMatchObject({
    format: 'openai',
    events: [
      { type: 'user_message' },
      { type: 'assistant_message', reasoning: 'hm', content: [] },
      { type: 'tool_call', call: { arguments: { input: 'no JSON' } } },
      { type: 'tool_result' },
    ],
  })
})

test('adds the fields beside the messages of a request to its first event', () => {
  const request = { model: 'm', system: 'Be brief.', messages: [{ role: 'user', content: 'hi' }] }
  expect(read(request)).toMatchObject({
    format: 'anthropic',
    events: [{ imported: { about: { model: 'm', system: 'Be brief.' } } }],
  })
})

test('a picture without text is a message', () => {
  const source = { type: 'base64', media_type: 'image/png', data: 'AA==' }
  expect(read([{ role: 'user', content: [{ type: 'image', source }] }])).toMatchObject({
    format: 'anthropic',
    events: [{ type: 'user_message', content: [{ type: 'image', mimeType: 'image/png' }] }],
  })
})

test('OpenAI: reads function calls from before there were tools, one at a time, by name', () => {
  expect(
    read([
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: null,
        function_call: { name: 'look', arguments: '{"at":"a"}' },
      },
      { role: 'function', name: 'look', content: 'gone' },
    ]),
  ).toMatchObject({
    format: 'openai',
    events: [
      { type: 'user_message' },
      { call: { id: 'look', name: 'look', arguments: { at: 'a' } } },
      { result: { id: 'look', content: [{ text: 'gone' }], isError: false } },
    ],
    before: { userMessages: 1, calls: 1, results: 1, unknown: 0 },
  })
})

test('Gemini: pairs calls without an id with their responses by name, in order', () => {
  const look = (where: string) => ({ functionCall: { name: 'look', args: { at: where } } })
  const saw = (response: object) => ({ functionResponse: { name: 'look', response } })
  expect(
    read({
      contents: [
        {
          role: 'user',
          parts: [{ text: 'hi' }, { fileData: { mimeType: 'a/b', fileUri: 'gs://a' } }],
        },
        { role: 'model', parts: [look('a'), look('b')] },
        { role: 'user', parts: [saw({ output: 'there' }), saw({ error: 'gone' }), saw({})] },
      ],
    }),
  ).toMatchObject({
    format: 'gemini',
    events: [
      { content: [{ text: 'hi' }, { type: 'resource_link', uri: 'gs://a' }] },
      { call: { id: 'look-1', arguments: { at: 'a' } } },
      { call: { id: 'look-2', arguments: { at: 'b' } } },
      { result: { id: 'look-1', isError: false, content: [{ text: 'there' }] } },
      { result: { id: 'look-2', isError: true, content: [{ text: 'gone' }] } },
      { type: 'tool_result' },
    ],
  })
})

test('lines are the messages of one conversation, or a conversation each', () => {
  const line = (value: object) => `${JSON.stringify(value)}\n`
  const says = (content: string) => ({ role: 'user', content })
  const path = '/x/lamps.jsonl'
  const one = readConversations(getSource(line(says('a')) + line(says('b')), { path }))
  expect(one).toMatchObject([{ id: 'message-lines-lamps', before: { userMessages: 2 } }])
  const lines =
    line({ messages: [says('a')], weight: 1 }) + line({ messages: [says('b'), says('c')] })
  const many = readConversations(getSource(lines, { path }))
  expect(many).toMatchObject([
    { id: 'message-lines-lamps-1', before: { userMessages: 1 } },
    { id: 'message-lines-lamps-2', before: { userMessages: 2 } },
  ])
  expect(many[0]?.events[0]?.event).toMatchObject({ imported: { about: { weight: 1 } } })
})

/** The time at which the file was last written. */
const WRITTEN = '2026-01-01T00:00:00.000Z'

test.for<[string, object, readonly object[], readonly object[]]>([
  [
    'anthropic',
    { id: 'x5', system: 'Be brief.' },
    [{ role: 'user', content: 'Look.', created_at: getTime(1) }],
    [{ type: 'user_message', content: [text('Look.')] }],
  ],
  [
    'openai',
    { id: 'x5', model: 'm' },
    [
      {
        role: 'assistant',
        created_at: getTime(1),
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
      {
        type: 'tool_call',
        call: { id: 'c', name: 'look', arguments: { at: 'a' } },
        imported: { unfinished: 'unrecorded' },
      },
      {
        type: 'tool_call',
        call: { id: 'd', name: 'grep', arguments: { at: 'b' } },
        imported: { unfinished: 'unrecorded' },
      },
    ],
  ],
  [
    'ai-sdk',
    { id: 'x5', chatId: 'other' },
    [
      {
        role: 'assistant',
        createdAt: getTime(1),
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
  '%s: a request has its own id, and its other fields are added to its first event',
  ([format, about, messages, events]) => {
    const path = '/x/request.json'
    const [first, ...rest] = events
    expect(whole(readOne(JSON.stringify({ ...about, messages }), path))).toEqual({
      source: path,
      format,
      id: `${format}-x5`,
      title: undefined,
      events: [
        [getTime(1), { ...first, imported: { about } }, messages[0]],
        ...rest.map((event) => [getTime(1), event, undefined]),
      ],
      problems: [],
    })
  },
)

test('the AI SDK: reads settings, calls of version 4, and an id under another name', () => {
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
      // No record has a time, so the time at which the file was written is used.
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
])('if %j has a value under two names, the first one counts', ([message, event]) => {
  const { events } = readOne(JSON.stringify([message]), '/x/a.json')
  expect(events.map((each) => each.event)).toMatchObject([event])
})

test('JSON lines of Goose are not messages: their calls and results would become text', () => {
  const message = { role: 'user', created: 1748772610, content: [text('Look.')] }
  const request = { type: 'toolRequest', id: 'c', toolCall: { status: 'success', value: {} } }
  const lines = [
    ...Array.from({ length: 30 }, () => message),
    { role: 'assistant', content: [request] },
  ]
  const source = getSource(getLines(lines), { path: '/x/20250601_101010.jsonl' })
  expect(readConversations(source)).toEqual([])
})
