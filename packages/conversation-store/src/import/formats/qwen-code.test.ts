import { expect, test } from 'vitest'
import { readFixture } from '../fixtures.suite.ts'
import { readConversations } from '../import-conversation.ts'
import { linesOf, sourceOf } from '../sources/source-of.suite.ts'

const folder = '/home/user/lighthouse'

test('Qwen Code: calls without an id find their results, and what the program showed stands beside them', () => {
  const { id, said, before } = readFixture('qwen-code/qwen-1.jsonl')
  expect(id).toBe('qwen-code-qwen-1')
  expect(said).toMatchObject([
    {
      imported: {
        about: {
          title: 'Count the lamps',
          folder,
          model: 'model-one',
          gitBranch: 'trunk',
          version: '0.9.0',
        },
        fields: { uuid: 'uuid-1', cwd: folder },
      },
    },
    {
      content: [{ text: 'I look at the log.' }],
      reasoning: 'The log has a line for each lamp.',
      model: 'model-one',
      usage: { inputTokens: 30, cachedInputTokens: 10, outputTokens: 7, reasoningTokens: 2 },
    },
    { call: { id: 'call-1', name: 'read_file', arguments: { path: 'lamps.txt' } } },
    {
      result: { id: 'call-1', isError: false },
      imported: { fields: { resultDisplay: 'Read one line of lamps.txt' } },
    },
    { content: [], usage: { inputTokens: 40, outputTokens: 3 } },
    { call: { id: 'run_shell_command-2' } },
    { result: { id: 'run_shell_command-2', isError: true } },
    { content: [{ text: 'One lamp is lit.' }] },
    { type: 'imported_record' },
    { type: 'imported_record' },
  ])
  expect(before).toMatchObject({ calls: 2, results: 2, errors: 1, unknown: 2 })
})

test('Qwen Code: a call that was cancelled has a result that says so', () => {
  const line = (type: string, parts: object[], more: object = {}) => ({
    uuid: 'u',
    parentUuid: null,
    sessionId: 's',
    type,
    message: { role: 'user', parts },
    ...more,
  })
  const records = [
    line('assistant', [{ functionCall: { id: 'c', name: 'look', args: {} } }], { agentId: 'a' }),
    line('tool_result', [{ functionResponse: { id: 'c', name: 'look', response: {} } }], {
      toolCallResult: { status: 'cancelled' },
    }),
  ]
  const [conversation] = readConversations(sourceOf(linesOf(records), { path: '/x/a.jsonl' }))
  expect(conversation).toMatchObject({ format: 'qwen-code', id: 'qwen-code-s-a' })
  expect(conversation?.events[1]?.event).toMatchObject({
    result: { id: 'c', isError: true, metadata: { outcome: 'cancelled' } },
  })
})
