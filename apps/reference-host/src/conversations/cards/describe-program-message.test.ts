import { expect, test } from 'vitest'
import { describeProgramMessage } from './describe-program-message.ts'
import { describeRecords } from './describe-records.ts'

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
] as const)('%s is said as: %s', ([text, expected]) => {
  expect(describeProgramMessage({ type: 'user_message', content: [{ type: 'text', text }] })).toBe(
    expected,
  )
})

test('records are said by their own types, each with its number', () => {
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
