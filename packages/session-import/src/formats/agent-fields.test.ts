import { expect, test } from 'vitest'
import { getLines } from '../sources/make-source.support.ts'
import { getTime, readOne, text, whole } from '../complete-conversation.support.ts'

test('Claude Code: reads every known field of a record', () => {
  const line = (second: number, role: string, content: unknown, more: object = {}) => ({
    parentUuid: 'p',
    sessionId: 's1',
    uuid: `u${second}`,
    timestamp: getTime(second),
    type: role,
    message: { role, content },
    ...more,
  })
  const flags = { isMeta: true, isSidechain: true, isCompactSummary: true, isApiErrorMessage: true }
  const thinking = { type: 'thinking', thinking: 'hm', signature: 'sig' }
  const workspace = { cwd: '/w', gitBranch: 'main', version: '2.0.1' }
  const toolUseResult = { stderr: 'gone', interrupted: false }
  const records = [
    line(1, 'user', 'Look.', { ...flags, ...workspace, agentId: 'a7' }),
    line(2, 'assistant', [
      thinking,
      text('I look.'),
      { type: 'tool_use', id: 'c', name: 'look', input: { at: 'a' } },
    ]),
    line(
      3,
      'user',
      [{ type: 'tool_result', tool_use_id: 'c', content: [text('gone')], is_error: true }],
      { toolUseResult, isSidechain: false, parentUuid: null },
    ),
    { type: 'summary', summary: 'Old', sessionId: 's1' },
    { type: 'ai-title', aiTitle: 'Lamps', sessionId: 's1' },
  ]
  const path = '/x/log.jsonl'
  expect(whole(readOne(getLines(records), path))).toEqual({
    source: path,
    format: 'claude-code',
    id: 'claude-code-s1-a7',
    title: 'Lamps',
    events: [
      [
        getTime(1),
        {
          type: 'user_message',
          content: [text('Look.')],
          imported: {
            fields: { parentUuid: 'p', uuid: 'u1', ...flags, ...workspace, agentId: 'a7' },
            about: { title: 'Lamps', folder: '/w', gitBranch: 'main', version: '2.0.1' },
            agent: 'a7',
          },
        },
        records[0],
      ],
      [
        getTime(2),
        {
          type: 'assistant_message',
          content: [text('I look.')],
          reasoning: 'hm',
          _meta: { reasoning: [thinking] },
          imported: { fields: { parentUuid: 'p', uuid: 'u2' } },
        },
        records[1],
      ],
      [
        getTime(2),
        { type: 'tool_call', call: { id: 'c', name: 'look', arguments: { at: 'a' } } },
        undefined,
      ],
      [
        getTime(3),
        {
          type: 'tool_result',
          result: { id: 'c', content: [text('gone')], isError: true },
          imported: { fields: { uuid: 'u3', toolUseResult } },
        },
        records[2],
      ],
      // A record without a time has the time of the one before.
      [
        getTime(3),
        { type: 'imported_record', format: 'claude-code', record: records[3] },
        records[3],
      ],
      [
        getTime(3),
        { type: 'imported_record', format: 'claude-code', record: records[4] },
        records[4],
      ],
    ],
    problems: [],
  })
})

test('Codex: reads every known field of a record', () => {
  const item = (second: number, payload: object) => ({
    timestamp: getTime(second),
    type: 'response_item',
    payload,
  })
  const reasoning = {
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'hm' }],
    content: [{ type: 'reasoning_text', text: 'so' }],
  }
  const payload = { id: 's2', cwd: '/w', cli_version: '0.65.0', git: { branch: 'main' } }
  const records = [
    { timestamp: getTime(1), type: 'session_meta', payload },
    item(2, reasoning),
    item(3, { type: 'function_call', call_id: 'c', name: 'look', arguments: '{"at":"a"}' }),
    item(4, {
      type: 'function_call_output',
      call_id: 'c',
      output: { content: 'gone', success: false },
    }),
    item(5, { type: 'local_shell_call', call_id: 'd', id: 'e', action: { command: ['ls'] } }),
    item(6, { type: 'custom_tool_call_output', call_id: 'd', output: { rows: 2 } }),
    item(7, {
      type: 'message',
      role: 'developer',
      content: [{ type: 'input_text', text: 'brief' }],
    }),
  ]
  const path = '/x/rollout.jsonl'
  const events = [
    [
      getTime(1),
      {
        type: 'configuration',
        values: payload,
        imported: { about: { folder: '/w', gitBranch: 'main', version: '0.65.0' } },
      },
    ],
    [
      getTime(2),
      {
        type: 'assistant_message',
        content: [],
        reasoning: 'hm\n\nso',
        _meta: { reasoning: [reasoning] },
      },
    ],
    [getTime(3), { type: 'tool_call', call: { id: 'c', name: 'look', arguments: { at: 'a' } } }],
    [
      getTime(4),
      { type: 'tool_result', result: { id: 'c', content: [text('gone')], isError: true } },
    ],
    [
      getTime(5),
      {
        type: 'tool_call',
        call: { id: 'd', name: 'local_shell', arguments: { command: ['ls'] } },
        imported: { fields: { id: 'e' } },
      },
    ],
    [
      getTime(6),
      { type: 'tool_result', result: { id: 'd', content: [text('{"rows":2}')], isError: false } },
    ],
    [
      getTime(7),
      {
        type: 'configuration',
        values: { role: 'developer', content: [{ type: 'input_text', text: 'brief' }] },
      },
    ],
  ]
  expect(whole(readOne(getLines(records), path))).toEqual({
    source: path,
    format: 'codex',
    id: 'codex-s2',
    title: undefined,
    events: events.map((event, index) => [...event, records[index]]),
    problems: [],
  })
})

test('Gemini CLI: reads every known field of a session', () => {
  const head = { sessionId: 's3', projectHash: 'h', summary: 'Lamps' }
  const thought = { subject: 'Look', description: 'at a', timestamp: getTime(2) }
  const call = { id: 'c', name: 'look', args: { at: 'a' }, timestamp: getTime(2) }
  const answer = (response: object) => ({ functionResponse: { id: 'c', response } })
  const messages = [
    {
      id: 'm1',
      timestamp: getTime(1),
      type: 'user',
      content: [text('Look.'), { inlineData: { mimeType: 'audio/wav', data: 'AA==' } }],
    },
    {
      id: 'm2',
      timestamp: getTime(2),
      type: 'gemini',
      content: 'I look.',
      model: 'm-1',
      tokens: { input: 10, output: 2, cached: 4, thoughts: 3, tool: 0, total: 15 },
      thoughts: [thought],
      toolCalls: [
        {
          ...call,
          status: 'success',
          resultDisplay: { fileDiff: '-a' },
          result: [answer({ output: 'there', error: 'careful' })],
        },
        { ...call, id: 'd', status: 'error', result: [answer({ error: 'gone' })] },
        { ...call, id: 'e', status: 'cancelled' },
      ],
    },
  ]
  const path = '/x/session.json'
  const made = (id: string) => ({
    type: 'tool_call',
    call: { id, name: 'look', arguments: { at: 'a' } },
  })
  expect(whole(readOne(JSON.stringify({ ...head, messages }), path))).toEqual({
    source: path,
    format: 'gemini-cli',
    id: 'gemini-cli-s3',
    title: 'Lamps',
    events: [
      [
        getTime(1),
        {
          type: 'user_message',
          content: [text('Look.'), { type: 'audio', mimeType: 'audio/wav', data: 'AA==' }],
          imported: { fields: { id: 'm1' }, about: { title: 'Lamps', ...head, model: 'm-1' } },
        },
        messages[0],
      ],
      [
        getTime(2),
        {
          type: 'assistant_message',
          content: [text('I look.')],
          reasoning: 'Look\nat a',
          _meta: { reasoning: [thought] },
          model: 'm-1',
          usage: { inputTokens: 10, cachedInputTokens: 4, outputTokens: 5, reasoningTokens: 3 },
          imported: { fields: { id: 'm2' } },
        },
        messages[1],
      ],
      [getTime(2), made('c'), undefined],
      [
        getTime(2),
        {
          type: 'tool_result',
          result: { id: 'c', content: [text('there')], isError: false },
          imported: { fields: { status: 'success', resultDisplay: { fileDiff: '-a' } } },
        },
        undefined,
      ],
      [getTime(2), made('d'), undefined],
      [
        getTime(2),
        {
          type: 'tool_result',
          result: { id: 'd', content: [text('gone')], isError: true },
          imported: { fields: { status: 'error' } },
        },
        undefined,
      ],
      [getTime(2), made('e'), undefined],
      [
        getTime(2),
        {
          type: 'tool_result',
          result: {
            id: 'e',
            content: [text('')],
            isError: true,
            metadata: { outcome: 'cancelled' },
          },
          imported: { fields: { status: 'cancelled' } },
        },
        undefined,
      ],
    ],
    problems: [],
  })
})

test('pi: reads every known field of a record', () => {
  const line = (second: number, more: object) => ({
    id: `m${second}`,
    parentId: null,
    timestamp: getTime(second),
    ...more,
  })
  const records = [
    { type: 'session', id: 's4', timestamp: getTime(1), cwd: '/w' },
    line(2, { type: 'thinking_level_change', thinkingLevel: 'high' }),
    line(3, { type: 'message', message: { role: 'user', content: 'Look.' } }),
    line(4, {
      type: 'message',
      message: {
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'c', name: 'look', arguments: { at: 'a' } }],
        model: 'm-1',
        usage: { input: 3, output: 2, cacheRead: 4, cacheWrite: 0, totalTokens: 9 },
        stopReason: 'toolUse',
      },
    }),
    line(5, {
      type: 'message',
      message: {
        role: 'toolResult',
        toolCallId: 'c',
        content: [text('gone')],
        isError: true,
        details: { exit: 1 },
      },
    }),
    line(6, { type: 'session_info', name: 'Old' }),
    line(7, { type: 'session_info', name: 'Lamps' }),
  ]
  const path = '/x/pi.jsonl'
  const record = (index: number) => ({
    type: 'imported_record',
    format: 'pi',
    record: records[index],
  })
  const events = [
    [
      getTime(1),
      { ...record(0), imported: { about: { title: 'Lamps', folder: '/w', model: 'm-1' } } },
    ],
    [getTime(2), { type: 'configuration', values: { thinkingLevel: 'high' } }],
    [
      getTime(3),
      {
        type: 'user_message',
        content: [text('Look.')],
        imported: { fields: { id: 'm3' } },
      },
    ],
    [
      getTime(4),
      // The usage of calls alone is recorded with a message without content.
      {
        type: 'assistant_message',
        content: [],
        model: 'm-1',
        usage: {
          inputTokens: 7,
          cachedInputTokens: 4,
          cacheWriteTokens: 0,
          outputTokens: 2,
        },
        imported: { fields: { id: 'm4', stopReason: 'toolUse' } },
      },
    ],
    [getTime(4), { type: 'tool_call', call: { id: 'c', name: 'look', arguments: { at: 'a' } } }],
    [
      getTime(5),
      {
        type: 'tool_result',
        result: { id: 'c', content: [text('gone')], isError: true, _meta: { exit: 1 } },
        imported: { fields: { id: 'm5' } },
      },
    ],
    [getTime(6), record(5)],
    [getTime(7), record(6)],
  ]
  expect(whole(readOne(getLines(records), path))).toEqual({
    source: path,
    format: 'pi',
    id: 'pi-s4',
    title: 'Lamps',
    events: [0, 1, 2, 3, undefined, 4, 5, 6].map((index, position) => [
      ...(events[position] ?? []).slice(0, 2),
      index === undefined ? undefined : records[index],
    ]),
    problems: [],
  })
})
