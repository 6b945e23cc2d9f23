import { type StoredEvent, readHistory } from '@toolblocks/conversation-store'
import type { JsonObject, ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { type DescribedCall, describeCall } from './describe-call.ts'
import { type CallCard, readCards } from './read-cards.ts'

const START = '2026-05-06T07:00:00.000Z'

/** A call with its result after some milliseconds, and fields of its record. */
function describe(
  callArguments: JsonObject,
  result?: Partial<ToolResult>,
  {
    took = 0,
    fields,
    root,
    steps = [],
  }: { took?: number; fields?: object; root?: string; steps?: CallCard['steps'] } = {},
): DescribedCall {
  const resultEvent: StoredEvent['event'] = {
    type: 'tool_result',
    result: { content: [], isError: false, ...result },
    ...(fields && { imported: { fields } }),
  }
  const time = new Date(Date.parse(START) + took).toISOString()
  const card: CallCard = {
    kind: 'call',
    call: {
      seq: 1,
      at: START,
      event: { type: 'tool_call', call: { id: 'a', name: 'tool', arguments: callArguments } },
    },
    steps,
    pending: [],
    ...(result && { result: { seq: 2, at: time, event: resultEvent } }),
  }
  return describeCall(card, root)
}

const text = (content: string): Pick<ToolResult, 'content'> => ({
  content: [{ type: 'text', text: content }],
})

const after = (milliseconds: number): string =>
  new Date(Date.parse(START) + milliseconds).toISOString()

test('the duration of a call is without the time that people took to approve and to answer, and is never negative', () => {
  const call = { id: 'a', name: 'tool', arguments: {} }
  const approval = {
    seq: 2,
    at: after(60_000),
    event: { type: 'approval', call: 'a', decision: 'allowed' },
  }
  const question = {
    seq: 3,
    at: after(61_000),
    event: { type: 'question', call: 'a', tool: 'tool', request: { id: 'q', text: 'Go?' } },
  }
  const answer = {
    seq: 4,
    at: after(121_000),
    event: { type: 'answer', call: 'a', id: 'q', action: 'accept', value: true },
  }
  const steps = [approval, question, answer] as unknown as CallCard['steps']
  expect(describe(call.arguments, text('ok'), { took: 123_500, steps }).took).toBe('3.5 s')
  expect(describe({}, text('ok'), { took: -5000 }).took).toBeUndefined()
})

test('one line describes a call, its outcome and its duration', () => {
  expect(
    describe({ command: 'npm test', description: 'Run the tests' }, text('ok\nok\nok\n'), {
      took: 1240,
    }),
  ).toMatchObject({
    name: 'tool',
    telling: 'npm test',
    outcome: 'completed',
    summary: '3 lines',
    took: '1.2 s',
  })
  expect(
    describe({ path: '/w/src/a.ts', limit: 3 }, text('one line'), { root: '/w' }),
  ).toMatchObject({
    telling: 'src/a.ts',
    summary: 'one line',
  })
  expect(describe({ limit: 3 })).toEqual({
    name: 'tool',
    outcome: 'none',
    parts: [{ kind: 'arguments', values: { limit: 3 } }],
    rest: [],
  })
})

test('an error is described by the text of the tool', () => {
  expect(describe({ command: 'x' }, { ...text('No such lamp.'), isError: true })).toMatchObject({
    outcome: 'failed',
    summary: 'No such lamp.',
  })
})

test.for<[string, JsonObject]>([
  ['as text', { command: 'ls -l' }],
  ['as a script of a shell', { command: ['bash', '-lc', 'ls -l'] }],
  ['as words', { command: ['ls', '-l'] }],
])('a command is shown %s', ([, callArguments]) => {
  expect(describe(callArguments).parts).toEqual([{ kind: 'command', text: 'ls -l' }])
})

const EDIT = { file_path: '/w/a.ts', old_string: 'let a = 1', new_string: 'let a = 2' }

test('an edit is a diff of its replacement, followed by its arguments and answer', () => {
  const { telling, summary, parts, rest } = describe(EDIT, text('Done.'), { root: '/w' })
  expect([telling, summary]).toEqual(['a.ts', '+1 −1 lines'])
  expect(parts).toMatchObject([
    {
      kind: 'edit',
      edit: {
        lines: 'of-part',
        value: { data: { path: '/w/a.ts', original: 'let a = 1', modified: 'let a = 2' } },
      },
    },
  ])
  expect(rest.map(({ kind }) => kind)).toEqual(['arguments', 'result'])
})

test('an edit whose result has hunks is shown by them', () => {
  const hunk = { oldStart: 7, oldLines: 1, newStart: 7, newLines: 1, lines: ['-a', '+b'] }
  const fields = { toolUseResult: { filePath: '/w/a.ts', structuredPatch: [hunk] } }
  expect(describe(EDIT, text('Done.'), { fields }).parts).toMatchObject([
    { edit: { lines: 'of-file', value: { data: { path: '/w/a.ts', hunks: [hunk] } } } },
  ])
  const odd = { toolUseResult: { filePath: '/w/a.ts', structuredPatch: [{ lines: 'x' }] } }
  expect(describe(EDIT, text('Done.'), { fields: odd }).parts).toMatchObject([
    { edit: { lines: 'of-part' } },
  ])
})

test('several edits of one file, a complete file before and after, and a patch as text are diffs', () => {
  const edits = [
    { old_string: 'a', new_string: 'b' },
    { old_string: 'c', new_string: 'd' },
  ]
  expect(describe({ file_path: '/w/a', edits }, text('')).summary).toBe('2 changes')
  const display = { fileName: 'a.ts', originalContent: 'a\n', newContent: 'b\n' }
  expect(
    describe({ path: 'a.ts' }, text('ok'), { fields: { resultDisplay: display } }).parts,
  ).toMatchObject([{ edit: { value: { data: { original: 'a\n', modified: 'b\n' } } } }])
  const input =
    '*** Begin Patch\n*** Update File: a.ts\n@@ fn\n kept\n-old\n+new\n*** Add File: b.ts\n+one\n*** End Patch\n'
  expect(describe({ input }, text('ok')).telling).toBe('a.ts, b.ts')
  expect(describe({ input }, text('ok')).parts).toMatchObject([
    {
      edit: {
        value: {
          data: { path: 'a.ts', isNew: false, hunks: [{ lines: [' kept', '-old', '+new'] }] },
        },
      },
    },
    { edit: { value: { data: { path: 'b.ts', isNew: true, hunks: [{ lines: ['+one'] }] } } } },
  ])
})

test('a failed edit is shown as the attempted change', () => {
  const { parts } = describe(EDIT, { ...text('Not found.'), isError: true })
  expect(parts.map(({ kind }) => kind)).toEqual(['arguments', 'result'])
})

test('to-do items are a list, with the text of each program', () => {
  const todos = [
    { content: 'Look', status: 'completed', activeForm: 'Looking' },
    { content: 'Mend', status: 'in_progress' },
    { content: 'Test', status: 'pending' },
  ]
  expect(describe({ todos }, text('ok'))).toMatchObject({
    summary: '1 of 3 done',
    parts: [
      {
        kind: 'todos',
        todos: [
          { text: 'Look', state: 'done' },
          { text: 'Mend', state: 'doing' },
          { text: 'Test', state: 'open' },
        ],
      },
    ],
  })
  expect(describe({ plan: [{ step: 'Look', status: 'pending' }] }).parts).toMatchObject([
    { todos: [{ text: 'Look', state: 'open' }] },
  ])
  expect(describe({ todos: [1, { content: 'x' }] }).parts).toMatchObject([{ kind: 'arguments' }])
})

test('a written file is shown as a file', () => {
  expect(describe({ file_path: '/w/a.ts', content: 'let a' }, text('ok')).parts).toEqual([
    { kind: 'file', path: '/w/a.ts', content: 'let a' },
  ])
})

test.for([
  ['unrecorded', { outcome: 'unrecorded', summary: 'no result is recorded' }],
  ['waiting', { outcome: 'waiting', summary: 'waited for approval when it was imported' }],
  ['interrupted', { outcome: 'cancelled' }],
] as const)('an imported call without a result is described as %s', ([unfinished, expected]) => {
  const imported = { imported: { unfinished } }
  const event: StoredEvent['event'] = {
    type: 'tool_call',
    call: { id: 'a', name: 'tool', arguments: {} },
    ...imported,
  }
  const { entries } = readHistory([{ seq: 1, at: START, event }])
  const ofHistory = readCards(entries)[0]
  const ofStore = readCards([{ seq: 1, at: START, event }])[0]
  if (ofHistory?.kind !== 'call' || ofStore?.kind !== 'call') throw new Error('expected calls')
  expect(describeCall(ofHistory)).toMatchObject(expected)
  expect(describeCall(ofStore)).toMatchObject({ outcome: expected.outcome })
})
