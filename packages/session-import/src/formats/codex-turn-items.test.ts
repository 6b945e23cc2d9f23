import { type StoredEvent, projectHistory, readHistory } from '@toolblocks/conversation-store'
import { getText } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { readOne } from '../complete-conversation.support.ts'
import { getLines } from '../sources/make-source.support.ts'

const timestamp = '2026-09-03T04:05:06.000Z'
const item = (payload: object): object => ({ timestamp, type: 'response_item', payload })
const completed = (turnItem: object): object => ({
  timestamp,
  type: 'event_msg',
  payload: { type: 'item_completed', thread_id: 's', turn_id: 't', item: turnItem },
})
const meta = { timestamp, type: 'session_meta', payload: { id: 's', cli_version: '0.149.1' } }
const message = (role: string, text: string): object =>
  item({ type: 'message', role, content: [{ type: 'text', text }] })

function readLines(records: readonly object[]) {
  const read = readOne(getLines([meta, ...records]), '/x/rollout.jsonl')
  const events = read.events.map(({ event, at }, index) => ({
    seq: index + 1,
    at,
    event: event as StoredEvent['event'],
  }))
  const spoken = events.flatMap(({ event }) => {
    if (event.type === 'user_message' || event.type === 'assistant_message')
      return [event.content.map((block) => getText(block)).join('')]
    if (event.type === 'tool_call') return [`call ${event.call.name}`]
    if (event.type !== 'tool_result') return []
    const { content, isError, metadata } = event.result
    return [
      `${metadata?.outcome ?? (isError ? 'failed' : 'done')}: ${content.map((block) => getText(block)).join('')}`,
    ]
  })
  return { ...read, spoken, stored: events }
}

test('Codex: commentary that the model did not receive is a message, and what both records say is one', () => {
  const comment = {
    type: 'AgentMessage',
    id: 'm',
    phase: 'commentary',
    content: [{ type: 'Text', text: 'I look first.' }],
  }
  const { spoken, before } = readLines([
    message('user', 'Light it.'),
    completed({ type: 'UserMessage', id: 'u', content: [{ type: 'text', text: 'Light it.' }] }),
    completed(comment),
    message('assistant', 'It is lit.'),
    completed({ ...comment, id: 'n', content: [{ type: 'Text', text: 'It is lit.' }] }),
  ])
  expect(spoken).toEqual(['Light it.', 'I look first.', 'It is lit.'])
  expect(before).toMatchObject({ userMessages: 1, assistantMessages: 2, unknown: 2 })
})

test('Codex: a command that a person ran has its exit code, and so have changed files and commands of a script', () => {
  const command = {
    type: 'CommandExecution',
    command: ['sh', '-c', 'lamps'],
    cwd: '/x',
    status: 'completed',
    exit_code: 0,
    aggregated_output: 'lit',
  }
  const { spoken, events } = readLines([
    completed({ ...command, id: 'u', source: 'user_shell' }),
    completed({
      ...command,
      id: 'v',
      source: 'user_shell',
      exit_code: 3,
      status: 'failed',
      aggregated_output: 'dark',
    }),
    completed({
      type: 'FileChange',
      id: 'exec-1',
      changes: { 'a.txt': { type: 'add', content: 'x' } },
      status: 'completed',
      stdout: 'Success',
    }),
    completed({ type: 'FileChange', id: 'exec-2', changes: {}, status: 'declined' }),
    completed({
      type: 'McpToolCall',
      id: 'exec-3',
      server: 'lamps',
      tool: 'light',
      arguments: { at: 1 },
      status: 'failed',
      error: { message: 'no oil' },
    }),
    completed({ ...command, id: 'exec-4', status: 'in_progress', exit_code: undefined }),
  ])
  expect(spoken).toEqual([
    'call shell',
    'done: lit',
    'call shell',
    'failed: dark',
    'call apply_patch',
    'done: Success',
    'call apply_patch',
    'denied: ',
    'call mcp__lamps__light',
    'failed: no oil',
    'call shell',
  ])
  expect(events.map(({ event }) => event.imported?.fields)).toContainEqual({ exit_code: 3 })
})

test('Codex: the exit code of an item decides the outcome of the call that the model made', () => {
  const { spoken } = readLines([
    item({ type: 'function_call', name: 'exec_command', arguments: '{}', call_id: 'c' }),
    completed({
      type: 'CommandExecution',
      id: 'c',
      source: 'agent',
      status: 'completed',
      exit_code: 2,
    }),
    item({ type: 'function_call_output', call_id: 'c', output: 'dark' }),
  ])
  expect(spoken).toEqual(['call exec_command', 'failed: dark'])
})

test("Codex: a message of another agent is marked as its own, and is not the model's", () => {
  const { events, stored } = readLines([
    message('user', 'Light it.'),
    item({
      type: 'agent_message',
      author: '/root/keeper',
      recipient: '/root',
      content: [{ type: 'input_text', text: 'I lit it.' }],
    }),
    message('assistant', 'It is lit.'),
  ])
  expect(events.map(({ event }) => event.imported?.agent)).toContain('/root/keeper')
  const projected = JSON.stringify(projectHistory(readHistory(stored)))
  expect(projected).toContain('It is lit.')
  expect(projected).not.toContain('I lit it.')
})
