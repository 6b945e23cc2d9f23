import type { StoredEvent } from '@toolblocks/conversation-store'
import { expect, test } from 'vitest'
import {
  describeStandaloneNote,
  describeNote,
  describeProgramMessage,
  describeRecords,
  getSpeaker,
} from './describe-note.ts'

const answer = { type: 'answer', id: 'a', callId: 'c' } as const

const approval = { type: 'approval', callId: 'c', decision: 'allowed' } as const

test.for<[string, StoredEvent['event'], object]>([
  [
    'an approval of other arguments',
    { ...approval, by: 'user', arguments: { a: 1 }, reason: 'fine' },
    { title: 'allowed', facts: ['by a person'], text: 'fine', values: { a: 1 } },
  ],
  ['an approval by a rule', { ...approval, by: 'rule' }, { facts: ['by a rule'], text: '' }],
  [
    'an approval by a rule that is known',
    { ...approval, by: 'rule', rule: 'git(command^=git log)', source: 'configuration' },
    { facts: ['by the rule git(command^=git log) (configuration)'], text: '' },
  ],
  [
    'an approval by a rule that is stored, with the command that lists it',
    { ...approval, by: 'rule', rule: 'git', source: 'stored' },
    { facts: ['by the rule git (stored, see "toolblocks approvals")'], text: '' },
  ],
  ['an answer', { ...answer, action: 'accept', value: 7 }, { values: { value: 7 } }],
  [
    'a secret answer',
    { ...answer, action: 'accept', redacted: true },
    { title: 'answer', facts: ['a secret, which is not recorded'], values: {} },
  ],
  ['a declined answer', { ...answer, action: 'decline' }, { facts: ['declined'] }],
  [
    'no answer',
    { ...answer, action: 'cancel', reason: 'nobody' },
    { facts: ['cancelled: nobody'] },
  ],
  [
    'a compaction',
    {
      type: 'compaction',
      fromTurn: 1,
      toTurn: 2,
      summary: 'short',
      reasoning: 'strip',
      toolCalls: 'omit',
    },
    {
      title: 'compaction',
      facts: ['turns 1–2', 'reasoning: strip', 'tool calls: omit'],
      text: 'short',
    },
  ],
  [
    'a configuration',
    { type: 'configuration', values: { model: 'm' } },
    { title: 'settings', values: { model: 'm' } },
  ],
  ['a rewind', { type: 'rewind', to: 3 }, { title: 'rewind', facts: ['to #3'] }],
  [
    'an event of another version',
    { type: 'unknown', value: { type: 'later', x: 1 } },
    { title: 'later', values: { type: 'later', x: 1 } },
  ],
])('%s', ([, event, expected]) => {
  expect(describeNote(event)).toMatchObject(expected)
})

test('an event without its call names its call', () => {
  expect(describeStandaloneNote({ ...approval, by: 'user' }).facts).toEqual([
    'by a person',
    'for call c',
  ])
  expect(describeStandaloneNote({ type: 'rewind', to: 3 }).facts).toEqual(['to #3'])
})

test.for([
  [
    '<command-message>init</command-message>\n<command-name>/init</command-name>\n<command-args>all</command-args>',
    '/init all',
  ],
  ['<command-name>/clear</command-name>', '/clear'],
  ['<bash-input>ls -l</bash-input>', '! ls -l'],
  ['[Request interrupted by user]', 'stopped by the person'],
  ['# AGENTS.md instructions for /w\n\nBe brief.', 'instructions of the folder'],
  ['<environment_context>\n<cwd>/w</cwd>', 'environment context'],
  ['<local-command-stdout>Done.</local-command-stdout>', 'local command stdout'],
  ['Caveat: do not answer.', 'note of the program'],
] as const)('%s is described as: %s', ([text, expected]) => {
  expect(describeProgramMessage({ type: 'user_message', content: [{ type: 'text', text }] })).toBe(
    expected,
  )
})

test('records are described by their own types, each with its number', () => {
  const imported = (record: object) =>
    ({ type: 'unknown', value: { type: 'imported_record', format: 'codex', record } }) as never
  expect(
    describeRecords([
      imported({ type: 'progress' }),
      imported({ type: 'event_msg', payload: { type: 'token_count' } }),
      imported({ type: 'progress' }),
      { type: 'unknown', value: { type: 'later' } },
      imported({}),
    ]),
  ).toBe('progress ×2, event_msg token_count, later, record')
})

test('a message in a side chain of a session is that of an agent', () => {
  const message: StoredEvent['event'] = { type: 'assistant_message', content: [] }
  const withSidechain = (isSidechain: boolean) => ({
    ...message,
    imported: { fields: { isSidechain } },
  })
  expect([message, withSidechain(false), withSidechain(true)].map(getSpeaker)).toEqual([
    'Model',
    'Model',
    'Agent',
  ])
})
