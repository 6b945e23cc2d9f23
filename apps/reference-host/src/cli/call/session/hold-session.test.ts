import { type ToolResult, createSuccessResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { holdSession, getNewScreenContent, getNewRows } from './hold-session.ts'
import { liveCall, says } from './live-tool.support.ts'
import type { TypedLine, TypedLines } from './read-lines.ts'

/** Creates a keyboard with these lines. */
function typing(typed: TypedLine[], close = (): void => {}): TypedLines {
  const rest = typed.values()
  return {
    next: async () => rest.next().value ?? { kind: 'end' },
    above: (print) => print(),
    lend: async (work) => await work(),
    close,
  }
}

async function hold(responses: ToolResult[], ...typed: TypedLine[]) {
  return await holdAs('messages', responses, ...typed)
}

async function holdAs(
  shows: 'messages' | 'screen',
  responses: ToolResult[],
  ...typed: TypedLine[]
) {
  const { live, received } = liveCall(responses)
  const printed: string[] = []
  const ended = await holdSession(live, {
    lines: typing(typed),
    shows,
    show: ({ content: [block] }) => printed.push(block?.type === 'text' ? block.text : ''),
    note: (text) => printed.push(`(${text})`),
    signal: new AbortController().signal,
  })
  return { ...ended, received, printed }
}

const HOW = '(Each line you type goes to the tool. Ctrl-D ends the call.)'

test('every line goes to the tool, and its output is shown until it ends', async () => {
  const { printed, received, cancelled } = await hold(
    [says('running', 'a'), says('running', 'b'), says('stopped', 'c')],
    { kind: 'line', text: 'x' },
    { kind: 'line', text: 'y' },
  )
  expect(printed).toEqual(['a', HOW, 'b', 'c', '(The tool has ended.)'])
  expect(received.slice(1)).toEqual(['x', 'y'])
  expect(cancelled).toBe(false)
})

test('new output is shown while no person types; no output and an unchanged screen are not shown', async () => {
  const silent = { ...says('running', ''), content: [] }
  const { printed } = await hold(
    [says('running', 'a'), says('running', 'a'), silent, says('running', 'b')],
    { kind: 'waiting' },
    { kind: 'waiting' },
    { kind: 'waiting' },
  )
  expect(printed).toEqual(['a', HOW, 'b', '(The call was aborted.)'])
})

test('only the new part of a screen is shown, also after typed text', async () => {
  const { printed } = await holdAs(
    'screen',
    [
      says('running', ''),
      says('running', 'a\n>'),
      says('running', 'a\n> x\n>'),
      says('running', 'a\n> x\n>'),
    ],
    { kind: 'waiting' },
    { kind: 'line', text: 'x' },
    { kind: 'line', text: '' },
    { kind: 'waiting' },
  )
  expect(printed).toEqual([HOW, 'a\n>', '> x\n>', '(The call was aborted.)'])
})

test('no notice is shown for a program without output at the start', async () => {
  const silent = { ...says('running', ''), content: [] }
  const { printed } = await hold([silent, says('stopped', 'a')], { kind: 'waiting' })
  expect(printed).toEqual([HOW, 'a', '(The tool has ended.)'])
})

test.for(['end', 'cancelled'] as const)('%s aborts the call', async (kind) => {
  const { received, cancelled } = await hold([says('running', 'a')], { kind })
  expect(received.at(-1)).toBe('abort')
  expect(cancelled).toBe(kind === 'cancelled')
})

test('an invalid answer is reported, and can be typed again', async () => {
  const go = { id: 'go', text: 'Go?', schema: { type: 'boolean' } }
  const { printed, received } = await hold(
    [says('waiting', 'a', go), says('stopped', 'b')],
    { kind: 'line', text: 'perhaps' },
    { kind: 'line', text: 'true' },
  )
  expect(printed).toContain('(the answer to "go": expected boolean, got string "perhaps")')
  expect(received.at(-1)).toEqual({ go: true })
})

test('a person is asked the questions of the tool, before and between their lines', async () => {
  const sure = { id: 'sure', text: 'Sure?', schema: { type: 'boolean' } }
  const answers = [true, false].values()
  const { live, received } = liveCall(
    [
      says('waiting', 'a', sure),
      says('running', 'b'),
      says('waiting', 'c', sure),
      says('stopped', 'd'),
    ],
    { user: async () => ({ action: 'accept', value: answers.next().value ?? null }) },
  )
  const printed: string[] = []
  const { last } = await holdSession(live, {
    lines: typing([{ kind: 'line', text: 'x' }]),
    shows: 'messages',
    show: ({ content: [block] }) => printed.push(block?.type === 'text' ? block.text : ''),
    note: (text) => printed.push(`(${text})`),
    signal: new AbortController().signal,
  })
  expect(printed).toEqual(['b', HOW, 'd', '(The tool has ended.)'])
  expect(received.slice(1)).toEqual([{ sure: true }, 'x', { sure: false }])
  expect(last.isError).toBe(false)
})

test('the line that is being typed is cleared before the end is reported', async () => {
  const { live } = liveCall([says('stopped', 'a')])
  const printed: string[] = []
  await holdSession(live, {
    lines: typing([], () => printed.push('closed')),
    shows: 'messages',
    show: () => {},
    note: (text) => printed.push(text),
    signal: new AbortController().signal,
  })
  expect(printed.slice(0, 2)).toEqual(['closed', 'The tool has ended.'])
})

test.for<[string, string, string, string]>([
  ['what was written behind', 'a\nb', 'a\nb\nc', 'c'],
  ['the row of a prompt with what was typed there', 'a\n>', 'a\n> 1\n1\n>', '> 1\n1\n>'],
  ['the same where all is one prompt', '>', '> 1\n1\n>', '> 1\n1\n>'],
  ['a last row that was drawn again', 'a\n50 %', 'a\n51 %', '51 %'],
  ['what follows rows that moved up', 'a\nb\nc\n>', 'b\nc\n> 1\n1\n>', '> 1\n1\n>'],
  ['what follows one row that stayed', 'a\nb\nc', 'c\nd\ne', 'd\ne'],
  ['all of a screen that was cleared', 'a\nb\nc', 'x\ny', 'x\ny'],
  ['all of a screen that changed in its middle', 'a\nb\nc\nd', 'a\nx\nc\nd', 'a\nx\nc\nd'],
  ['all of a screen that was empty', '', 'a\nb', 'a\nb'],
  ['nothing where it stands still', 'a\nb', 'a\nb', ''],
  ['nothing where its last rows were erased', 'a\nb\nc', '', ''],
])('shows %s', ([, before, now, expected]) => {
  expect(getNewRows(before, now)).toBe(expected)
})

const screen = (...texts: string[]): ReturnType<typeof createSuccessResult> =>
  createSuccessResult(texts.map((text) => ({ type: 'text', text })))

test('blocks beside a screen are shown; an unchanged screen alone is not', () => {
  expect(getNewScreenContent(screen('a'), screen('a'))).toBeUndefined()
  expect(getNewScreenContent(screen('a'), screen('a', 'It ended.'))).toEqual(screen('It ended.'))
  expect(getNewScreenContent(screen('a'), screen('a\nb', 'It ended.'))).toEqual(
    screen('b', 'It ended.'),
  )
  expect(getNewScreenContent(screen(), screen('a'))).toEqual(screen('a'))
  expect(getNewScreenContent(screen(), screen(''))).toBeUndefined()
})
