import { FORMAT_NAMES, openStore, readHistory } from '@toolblocks/conversation-store'
import { findUnfinishedCall } from '@toolblocks/conversation-store/internal'
import { expect, onTestFinished, test } from 'vitest'
import { importConversation, readConversations } from '../import-conversation.ts'
import { getLines, getSource } from '../sources/make-source.support.ts'

const timestamp = '2026-02-03T04:05:06.000Z'

/** Ends of a call `c`, as a program records them. */
type End =
  | 'completed'
  | 'failed'
  | 'denied'
  | 'cancelled'
  | 'interrupted'
  | 'waiting'
  | 'unrecorded'

/** The records of a format around a call, and what it records after the call for each end. */
interface Program {
  /** The records up to the call. */
  call: readonly object[]
  ends: Partial<Readonly<Record<End, readonly (readonly object[])[]>>>
  /** Whether the document is an array. Default: lines. */
  isArray?: true
}

const claude = (type: string, content: unknown, more: object = {}): object => ({
  parentUuid: null,
  sessionId: 's',
  uuid: `u-${JSON.stringify(content)}`,
  timestamp,
  type,
  message: { role: type, content },
  ...more,
})
const claudeResult = (content: string, is_error: boolean): object =>
  claude('user', [{ type: 'tool_result', tool_use_id: 'c', content, is_error }])

const codex = (payload: object, type = 'response_item'): object => ({ timestamp, type, payload })
const codexOutput = (output: unknown): object =>
  codex({ type: 'function_call_output', call_id: 'c', output })

const gemini = (status: string, response?: object): readonly object[] => [
  {
    id: 'm2',
    timestamp,
    type: 'gemini',
    content: '',
    toolCalls: [
      {
        id: 'c',
        name: 'look',
        args: {},
        status,
        ...(response && { result: [{ functionResponse: { id: 'c', response } }] }),
      },
    ],
  },
]

const uiTool = (state: string, more: object = {}): readonly object[] => [
  {
    id: 'm',
    role: 'assistant',
    parts: [{ type: 'tool-look', toolCallId: 'c', state, input: {}, ...more }],
  },
]

const qwen = (status: string): readonly object[] => [
  {
    uuid: 'q2',
    parentUuid: 'q1',
    sessionId: 's',
    timestamp,
    type: 'tool_result',
    message: {
      role: 'user',
      parts: [{ functionResponse: { id: 'c', name: 'look', response: {} } }],
    },
    toolCallResult: { status },
  },
]

const PROGRAMS: Readonly<Record<string, Program>> = {
  'claude-code': {
    call: [claude('assistant', [{ type: 'tool_use', id: 'c', name: 'look', input: {} }])],
    ends: {
      completed: [[claudeResult('a', false)]],
      failed: [[claudeResult('no such file', true)]],
      denied: [
        [
          claudeResult(
            "The user doesn't want to proceed with this tool use. The tool use was rejected.",
            true,
          ),
        ],
      ],
      interrupted: [
        [claude('user', [{ type: 'text', text: '[Request interrupted by user]' }])],
        [claude('user', '[Request interrupted by user for tool use]')],
      ],
      unrecorded: [
        [],
        // The next turn was interrupted, not the call.
        [claude('user', 'Go on.'), claude('user', '[Request interrupted by user]')],
      ],
    },
  },
  codex: {
    call: [
      codex({ id: 's' }, 'session_meta'),
      codex({ type: 'function_call', call_id: 'c', name: 'exec_command', arguments: '{}' }),
    ],
    ends: {
      completed: [
        [codexOutput('Wall time: 1 seconds\nProcess exited with code 0\nOutput:\nExit code: 1')],
        [codexOutput('{"output":"a","metadata":{"exit_code":0}}')],
        [codexOutput('Process running with session ID 5\nOutput:\nProcess exited with code 1')],
        [codexOutput('Exit code: 1')],
      ],
      failed: [
        [codexOutput('Wall time: 1 seconds\nProcess exited with code 101\nOutput:\na')],
        [codexOutput('Exit code: 2\nWall time: 1 seconds\nOutput:\na')],
        [codexOutput('{"output":"a","metadata":{"exit_code":1}}')],
        [codexOutput({ content: 'a', success: false })],
        [
          codex({ type: 'exec_command_end', call_id: 'c', exit_code: 101 }, 'event_msg'),
          codexOutput('a'),
        ],
        [
          codexOutput('a'),
          codex({ type: 'patch_apply_end', call_id: 'c', success: false }, 'event_msg'),
        ],
        [
          codexOutput('a'),
          codex(
            { type: 'mcp_tool_call_end', call_id: 'c', result: { Ok: { isError: true } } },
            'event_msg',
          ),
        ],
      ],
      denied: [
        [codexOutput('exec command rejected by user')],
        [
          codex({ type: 'exec_command_end', call_id: 'c', status: 'declined' }, 'event_msg'),
          codexOutput('a'),
        ],
      ],
      cancelled: [
        [codexOutput('aborted by user after 1.2s')],
        [codexOutput('Wall time: 1.2 seconds\naborted by user')],
      ],
      interrupted: [[codex({ type: 'turn_aborted', reason: 'interrupted' }, 'event_msg')]],
      unrecorded: [[]],
    },
  },
  'gemini-cli': {
    call: [{ sessionId: 's', projectHash: 'h', startTime: timestamp }],
    ends: {
      completed: [gemini('success', { output: 'a' })],
      failed: [gemini('error', { error: 'gone' })],
      cancelled: [gemini('cancelled', { error: 'stopped' })],
      waiting: [gemini('awaiting_approval')],
      unrecorded: [gemini('executing')],
    },
  },
  'qwen-code': {
    call: [
      {
        uuid: 'q1',
        parentUuid: null,
        sessionId: 's',
        timestamp,
        type: 'assistant',
        message: { role: 'model', parts: [{ functionCall: { id: 'c', name: 'look', args: {} } }] },
      },
    ],
    ends: {
      completed: [qwen('success')],
      failed: [qwen('error')],
      cancelled: [qwen('cancelled')],
      unrecorded: [[]],
    },
  },
  cursor: {
    call: [
      {
        role: 'assistant',
        message: { content: [{ type: 'tool_use', id: 'c', name: 'look', input: {} }] },
      },
    ],
    ends: { unrecorded: [[]] },
  },
  pi: {
    call: [
      { type: 'session', version: 3, id: 's', timestamp },
      {
        type: 'message',
        id: '1',
        parentId: null,
        timestamp,
        message: {
          role: 'assistant',
          content: [{ type: 'toolCall', id: 'c', name: 'look', arguments: {} }],
        },
      },
    ],
    ends: {
      failed: [
        [
          {
            type: 'message',
            id: '2',
            parentId: '1',
            timestamp,
            message: { role: 'toolResult', toolCallId: 'c', content: [], isError: true },
          },
        ],
      ],
      unrecorded: [[]],
    },
  },
  'ai-sdk': {
    isArray: true,
    call: [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Look.' }] }],
    ends: {
      completed: [
        uiTool('output-available', { output: 'a', approval: { id: 'ap', approved: true } }),
      ],
      failed: [uiTool('output-error', { errorText: 'gone' })],
      denied: [
        uiTool('approval-responded', { approval: { id: 'ap', approved: false } }),
        uiTool('output-denied', { approval: { id: 'ap', approved: false } }),
        uiTool('output-denied'),
      ],
      waiting: [uiTool('approval-requested', { approval: { id: 'ap' } })],
      unrecorded: [
        uiTool('input-available'),
        uiTool('approval-responded', { approval: { id: 'ap', approved: true } }),
      ],
    },
  },
}

/** Why the other formats are not in the table. */
const OTHERS: Readonly<Record<string, string>> = {
  jp: 'is_error alone; see jp.test.ts',
  lace: 'outcome, status and decisions on approvals; see lace.test.ts',
  'lace-sqlite': 'outcome, status and decisions on approvals; see lace.test.ts',
  toolblocks: 'an export contains the results with their outcomes',
  'toolblocks-sqlite': 'a store contains the results with their outcomes',
  'copilot-cli': 'success alone; see copilot-cli.test.ts',
  opencode: 'the status of the tool; see opencode.test.ts',
  'opencode-sqlite': 'the status of the tool; see opencode.test.ts',
  cline: 'is_error alone; a denial is a text in a result',
  chatgpt: 'a result has no outcome, unless its metadata says so',
  'claude-ai': 'is_error alone; see exports.test.ts',
  openai: 'a result has no outcome',
  anthropic: 'is_error alone',
  gemini: 'a response with an error; see messages.test.ts',
  'message-lines': 'a result has no outcome',
}

test('the table says for every format how it records outcomes', () => {
  expect([...Object.keys(PROGRAMS), ...Object.keys(OTHERS)].toSorted()).toEqual(
    FORMAT_NAMES.toSorted(),
  )
})

const CASES = Object.entries(PROGRAMS).flatMap(([format, { call, ends, isArray }]) =>
  Object.entries(ends).flatMap(([end, variants]) =>
    variants.map((after, index) => ({
      format,
      end,
      variant: index + 1,
      source: getSource(
        isArray ? JSON.stringify([...call, ...after]) : getLines([...call, ...after]),
        {
          path: isArray ? '/x/chat.json' : '/x/session.jsonl',
        },
      ),
    })),
  ),
)

/** Imports a conversation and returns its history. */
async function importHistory(source: ReturnType<typeof getSource>) {
  const store = await openStore('memory:')
  onTestFinished(() => store.close())
  const [read] = readConversations(source)
  if (!read) throw new Error('expected a conversation')
  const { conversation } = await importConversation(store, read)
  return readHistory((await store.read(conversation, { limit: Infinity })).events).entries
}

test.for(CASES)('$format: a call is $end ($variant)', async ({ format, end, source }) => {
  const entries = await importHistory(source)
  const call = entries.find(({ event }) => event.type === 'tool_call')
  const results = entries.filter(({ event }) => event.type === 'tool_result')
  expect([readConversations(source)[0]?.format, results.length]).toEqual([format, 1])
  const [entry] = results
  if (!call || entry?.event.type !== 'tool_result') throw new Error('expected a call and a result')
  const { result } = entry.event
  const unfinished = findUnfinishedCall(call.event)
  const outcome = result.metadata?.outcome ?? (result.isError ? 'failed' : 'completed')
  expect(unfinished ?? outcome).toBe(end)
  expect(entry.synthetic === true).toBe(unfinished !== undefined)
  const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  expect(/interrupted|part of the work/.test(text)).toBe(unfinished === 'interrupted')
})

test('AI SDK: a denial keeps its reason and the id of the request, and what decided', async () => {
  const approval = { id: 'ap', approved: false, reason: 'keep it' }
  const source = (more: object) =>
    getSource(
      JSON.stringify(uiTool('approval-responded', { approval: { ...approval, ...more } })),
      { path: '/x/chat.json' },
    )
  expect((await importHistory(source({}))).map(({ event }) => event)).toMatchObject([
    { type: 'tool_call' },
    {
      type: 'approval',
      callId: 'c',
      decision: 'denied',
      by: 'user',
      reason: 'keep it',
      imported: { fields: { id: 'ap' } },
    },
    {
      result: {
        content: [{ type: 'text', text: 'keep it' }],
        isError: true,
        metadata: { outcome: 'denied' },
      },
    },
  ])
  expect((await importHistory(source({ isAutomatic: true })))[1]?.event).toMatchObject({
    by: 'rule',
  })
})

test('a result in a later part of a session replaces what was known of its call', async () => {
  const store = await openStore('memory:')
  onTestFinished(() => store.close())
  const { call = [] } = PROGRAMS['claude-code'] ?? {}
  for (const records of [call, [...call, claudeResult('a', false)]]) {
    const [read] = readConversations(getSource(getLines(records), { path: '/x/session.jsonl' }))
    if (read) await importConversation(store, read)
  }
  const { entries } = readHistory((await store.read('claude-code-s')).events)
  expect(entries.map(({ event, synthetic }) => [event.type, synthetic])).toEqual([
    ['tool_call', undefined],
    ['tool_result', undefined],
  ])
})
