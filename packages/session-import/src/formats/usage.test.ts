import { expect, test } from 'vitest'
import type { ImportedEvent } from '../convert/imported-event.ts'
import { readConversations } from '../import-conversation.ts'
import { readGeminiUsage, readUsage } from '../convert/read-usage.ts'
import { getLines, getSource } from '../sources/make-source.support.ts'

function makeEvents(records: readonly unknown[]): readonly ImportedEvent[] {
  const [read] = readConversations(getSource(getLines(records), { path: '/x/a.jsonl' }))
  return (read?.events ?? []).map(({ event }) => event)
}

/** Returns the type of each event, and its token usage. */
const took = (events: readonly ImportedEvent[]): readonly unknown[] =>
  events.map((event) => [event.type, 'usage' in event ? event.usage : undefined])

const timestamp = '2026-02-03T04:05:06.000Z'

test.for<[string, object, object | undefined]>([
  [
    'Anthropic counts what a cache had and took beside the input',
    {
      input_tokens: 3,
      cache_read_input_tokens: 10,
      cache_creation_input_tokens: 4,
      output_tokens: 7,
    },
    { inputTokens: 17, cachedInputTokens: 10, cacheWriteTokens: 4, outputTokens: 7 },
  ],
  [
    'OpenAI counts what a cache had within the input',
    {
      prompt_tokens: 13,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 2 },
    },
    { inputTokens: 13, cachedInputTokens: 10, outputTokens: 7, reasoningTokens: 2 },
  ],
  [
    'Responses have names of their own',
    {
      input_tokens: 13,
      output_tokens: 7,
      input_tokens_details: { cached_tokens: 10 },
      output_tokens_details: { reasoning_tokens: 2 },
    },
    { inputTokens: 13, cachedInputTokens: 10, outputTokens: 7, reasoningTokens: 2 },
  ],
  [
    'the AI SDK has its own',
    {
      inputTokens: 13,
      cachedInputTokens: 10,
      outputTokens: 7,
      reasoningTokens: 2,
      totalTokens: 20,
    },
    { inputTokens: 13, cachedInputTokens: 10, outputTokens: 7, reasoningTokens: 2 },
  ],
  [
    'what is no count is left out',
    { input_tokens: '3', cache_read_input_tokens: 2.5, output_tokens: -1 },
    undefined,
  ],
])('%s', ([, usage, read]) => {
  expect(readUsage(usage)).toEqual(read)
})

test('Gemini: output of tools is input, and reasoning is part of the answer if the total includes it', () => {
  const usage = { prompt: 5, tool: 2, cached: 1, candidates: 4, thoughts: 3 }
  expect(readGeminiUsage({ ...usage, total: 14 })).toEqual({
    inputTokens: 7,
    cachedInputTokens: 1,
    outputTokens: 7,
    reasoningTokens: 3,
  })
  expect(readGeminiUsage({ ...usage, total: 11 })).toMatchObject({ outputTokens: 4 })
})

test('Claude Code: a message in several records has the tokens of its last record, counted once', () => {
  const part = (uuid: string, content: object, output: number) => ({
    parentUuid: null,
    sessionId: 's',
    uuid,
    timestamp,
    type: 'assistant',
    requestId: 'r',
    message: {
      id: 'm',
      role: 'assistant',
      model: 'm-1',
      content: [content],
      usage: { input_tokens: 3, output_tokens: output },
    },
  })
  const events = makeEvents([
    part('1', { type: 'thinking', thinking: 'hm' }, 1),
    part('2', { type: 'text', text: 'I look.' }, 1),
    part('3', { type: 'tool_use', id: 'c', name: 'look', input: {} }, 9),
  ])
  expect(took(events)).toEqual([
    ['assistant_message', { inputTokens: 3, outputTokens: 9 }],
    ['assistant_message', undefined],
    ['tool_call', undefined],
  ])
  expect(events).toMatchObject([
    { model: 'm-1', imported: { about: { model: 'm-1' } } },
    { model: 'm-1' },
    {},
  ])
})

test('Codex: counts the tokens of an answer once, from after its items', () => {
  const item = (payload: object) => ({ timestamp, type: 'response_item', payload })
  const count = (input: number, total: number) => ({
    timestamp,
    type: 'event_msg',
    payload: {
      type: 'token_count',
      info: {
        last_token_usage: {
          input_tokens: input,
          cached_input_tokens: 1,
          output_tokens: 2,
          reasoning_output_tokens: 1,
        },
        total_token_usage: { total_tokens: total },
      },
    },
  })
  const call = item({ type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' })
  const events = makeEvents([
    { timestamp, type: 'session_meta', payload: { id: 's' } },
    { timestamp, type: 'turn_context', payload: { model: 'm-1' } },
    item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] }),
    call,
    count(5, 7),
    count(5, 7),
    item({ type: 'function_call_output', call_id: 'c', output: 'a' }),
    call,
    count(9, 18),
  ])
  const counts = { cachedInputTokens: 1, outputTokens: 2, reasoningTokens: 1 }
  expect(took(events)).toEqual([
    ['configuration', undefined],
    ['configuration', undefined],
    ['assistant_message', { inputTokens: 5, ...counts }],
    ['tool_call', undefined],
    ['imported_record', undefined],
    ['imported_record', undefined],
    ['tool_result', undefined],
    ['assistant_message', { inputTokens: 9, ...counts }],
    ['tool_call', undefined],
    ['imported_record', undefined],
  ])
  expect(events[7]).toMatchObject({ content: [], model: 'm-1' })
})

test('Gemini CLI: counts the tokens of a repeated message once', () => {
  const message = { id: 'm', timestamp, type: 'gemini', model: 'm-1', content: 'I look.' }
  const tokens = { input: 5, output: 2, cached: 1, thoughts: 1, total: 8 }
  const events = makeEvents([{ sessionId: 's', projectHash: 'h' }, message, { ...message, tokens }])
  expect(took(events)).toEqual([
    ['imported_record', undefined],
    ['imported_record', undefined],
    [
      'assistant_message',
      { inputTokens: 5, cachedInputTokens: 1, outputTokens: 3, reasoningTokens: 1 },
    ],
  ])
})

test('pi: the cost of a message is kept where the source has it', () => {
  const cost = { input: 0.1, output: 0.2, total: 0.3 }
  const usage = { input: 5, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 7, cost }
  const [, event] = makeEvents([
    { type: 'session', id: 's', timestamp },
    {
      type: 'message',
      id: '1',
      timestamp,
      message: { role: 'assistant', content: 'Yes.', usage },
    },
  ])
  expect(event).toMatchObject({ usage: { inputTokens: 5 }, imported: { fields: { id: '1' } } })
  expect(event?.imported?.fields?.['message']).toEqual({ usage: { cost } })
})
