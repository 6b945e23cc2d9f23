import {
  type Answer,
  type AnswerQuestion,
  type ContentBlock,
  type InputRequest,
  type QuestionSource,
  booleanQuestion,
  textQuestion,
} from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { seatNear } from './person/at-streams.support.ts'
import { keys } from './person/keys.support.ts'
import { accepted } from './person/put-questions.support.ts'

const lines = (count: number, word: string): string =>
  Array.from({ length: count }, (_, index) => `${word} ${index + 1}.`).join('\n')

const block = (text: string): ContentBlock => ({ type: 'text', text })

test('a label of 61 lines is shown in full, and "yes" is not preselected for content beyond the screen', async () => {
  const person = seatNear([
    { request: booleanQuestion({ id: 'a', text: lines(61, 'Clause'), default: true }) },
    {
      request: booleanQuestion({ id: 'b', text: 'Short?', default: true }),
      blocks: [block(lines(30, 'Change'))],
    },
    {
      request: booleanQuestion({ id: 'c', text: 'Again?', default: true }),
      blocks: [block('One line.')],
    },
  ])
  await person.sees(/◆ {2}Clause 1\. …\n│ {2}○ Yes \/ ● No/)
  person.types(keys.enter)
  await person.sees(/◆ {2}Short\?\n│ {2}○ Yes \/ ● No/)
  person.types(keys.enter)
  await person.sees(/◆ {2}Again\?\n│ {2}● Yes \/ ○ No/)
  person.types(keys.enter)
  const { answers, written } = await person.leaves()
  expect(answers).toEqual([accepted(false), accepted(false), accepted(true)])
  for (let line = 1; line <= 61; line += 1) expect(written).toContain(`Clause ${line}.\n`)
})

test('words of a label and of the text above wrap unbroken, beside the bar', async () => {
  const text =
    'There are several words in this question, enough of them for two rows, all of which wrap.'
  const name = 'a_tool_whose_long_name_makes_the_line_that_says_who_asks_wrap'
  const source = { kind: 'question', call: { id: 'c', name, arguments: {} } } as const
  const schema = { type: 'string', description: 'word '.repeat(30), pattern: `^${'a'.repeat(60)}$` }
  const person = seatNear([{ request: { id: 'a', text, schema }, source }])
  const screen = await person.sees(/◆ {2}There are [^\n]*\n│ {2}[^\n]*which wrap\./)
  expect(screen).toMatch(/^┌ {2}a_tool[^\n]* asks · Esc:\n│ {2}back, decline, cancel\n/)
  expect(screen).toMatch(/(│ {2}(word ?){15}\n){2}/)
  person.types('x', keys.enter)
  await person.sees(/└ {2}expected a string [^\n]*\n {3}\S/)
  person.types(keys.interrupt)
  await person.leaves()
})

test('a terminal that reports no columns counts as 80 columns wide', async () => {
  const person = seatNear(
    [{ request: booleanQuestion({ id: 'a', text: 'A whole line of words?' }) }],
    {
      size: [0, 0],
    },
  )
  await person.sees(/◆ {2}A whole line of words\?\n│ {2}○ Yes \/ ● No/)
  person.types('y', keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted(true)])
})

test('every block is shown once: new ones before the question, and those after the last question below it', async () => {
  const text = (value: string): ContentBlock => ({ type: 'text', text: value })
  const person = seatNear([
    {
      request: booleanQuestion({ id: 'a', text: 'Apply?\u001B[2J\nReally?', default: false }),
      blocks: [text('SEEN BEFORE'), text('THE DIFF')],
      shown: 1,
      after: [text('THE END')],
      problems: [{ path: '', message: 'the last answer was odd' }],
    },
  ])
  const screen = await person.sees('◆  Apply?')
  expect(screen).toMatch(
    /^THE DIFF\nApply\?\?\[2J\nReally\?\n┌ {2}edit_file asks.*\n│\n▲ {2}the last answer was odd\n/,
  )
  expect(screen).toContain('◆  Apply?\\u{1B}[2J …')
  person.types('y', keys.enter)
  const { answers, written } = await person.leaves()
  expect(answers).toEqual([accepted(true)])
  expect(written).not.toContain('SEEN BEFORE')
  expect(written).toMatch(/Apply\?[^]*Yes[^]*THE END\n$/)
})

test('a server that asks for a secret in a form is declined without asking', async () => {
  const schema = { type: 'object', properties: { api_key: { type: 'string' } } }
  const person = seatNear([
    { request: { id: 'a', text: 'Sign in', schema }, source: { kind: 'elicitation', server: 'x' } },
  ])
  const { answers, written } = await person.leaves()
  expect(answers).toEqual([{ action: 'decline', raw: false }])
  expect(written).toContain('asks for a secret')
})

const call = { id: 'call-1', name: 'edit_file', arguments: {} }

test.for<[QuestionSource, string]>([
  [{ kind: 'question', call }, 'edit_file'],
  [{ kind: 'handle', call, handle: 'h1' }, 'edit_file (h1)'],
  [{ kind: 'elicitation', server: 'books\n' }, 'Server books\\u{A}'],
])('the source of a question is shown above it: %j', async ([source, who]) => {
  const person = seatNear([{ request: textQuestion({ id: 'a', text: 'Which?' }), source }])
  expect(await person.sees('◆  Which?')).toBe(
    `┌  ${who} asks · Esc: back, decline, cancel\n│\n◆  Which?\n│  _\n└`,
  )
  person.types(keys.interrupt)
  await person.leaves()
})

test('the problem of the last answer is shown above the question', async () => {
  const problems = [
    { path: '', message: 'expected less' },
    { path: '/a', message: 'expected\tmore' },
  ]
  const person = seatNear([{ request: textQuestion({ id: 'a', text: 'Which?' }), problems }])
  expect(await person.sees('◆  Which?')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    ▲  expected less
    │
    ▲  expected\\u{9}more
    │
    ◆  Which?
    │  _
    └"
  `)
  person.types('x', keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted('x')])
})

test('a server may not ask for a secret in a form, and a tool may', async () => {
  const schema = { type: 'object', properties: { api_key: { type: 'string' } } }
  const request = { id: 'a', text: 'Sign in', schema }
  const source = { kind: 'elicitation', server: 'books' } as const
  const person = seatNear([
    { request, source },
    // A sentence about passwords alone does not make a field secret, because servers mention passwords often.
    { request: textQuestion({ id: 'password', text: 'Password?' }), source },
    { request },
  ])
  expect(await person.sees('◆  Password?')).toMatchInlineSnapshot(`
    "┌  Server books asks · Esc: back, decline, cancel
    │
    ■  This server asks for a secret in a form. It was declined without asking.
    └  Declined

    ┌  Server books asks · Esc: back, decline, cancel
    │
    ◆  Password?
    │  _
    └"
  `)
  person.types('x', keys.enter)
  expect(await person.sees('◆  api_key (1 of 1)')).toMatchInlineSnapshot(`
    "┌  Server books asks · Esc: back, decline, cancel
    │
    ■  This server asks for a secret in a form. It was declined without asking.
    └  Declined

    ┌  Server books asks · Esc: back, decline, cancel
    │
    ◇  Password?
    │  ▪
    ┌  edit_file asks · Esc: back, decline, cancel
    │
    │  Sign in
    │
    ◆  api_key (1 of 1)
    │  optional
    │  _
    └"
  `)
  person.types(keys.interrupt)
  expect((await person.leaves()).answers).toEqual([
    { action: 'decline', raw: false },
    accepted('x'),
    { action: 'cancel', reason: 'user', raw: false },
  ])
})

test.for<[Answer, string]>([
  [{ action: 'decline' }, '└  Declined'],
  [{ action: 'cancel', reason: 'user' }, '└  Cancelled'],
  [{ action: 'cancel', reason: 'expired' }, '└  Cancelled: no answer in time'],
  [{ action: 'cancel', reason: 'nobody' }, '└  Cancelled: no person can answer this here'],
  [{ action: 'cancel', reason: 'end-of-input' }, '└  Cancelled: the input has ended'],
  [{ action: 'cancel', reason: 'aborted' }, '└  Cancelled: the call was stopped'],
  [{ action: 'cancel', reason: 'wrong-answer' }, '└  Cancelled: the answers were invalid'],
  [{ action: 'cancel', reason: 'failed' }, '└  Cancelled: asking failed'],
  [{ action: 'accept', value: 1 }, '│  Answer in the editor'],
])('the last line of %j is "%s"', async ([answer, last]) => {
  const person = seatNear([{ request: { id: 'a', text: 'Which?', schema: true } }], {
    editor: async () => answer,
  })
  await person.sees('● Answer in the editor')
  person.types(keys.enter)
  const { answers, screen } = await person.leaves()
  expect(answers).toEqual([{ ...answer, raw: false }])
  expect(screen.split('\n').at(-1)).toBe(last)
})

test('a question that fits the screen with all its material keeps its preselected answer', async () => {
  const request = booleanQuestion({ id: 'a', text: 'Apply?', default: true })
  const person = seatNear([
    { request, blocks: [block(lines(15, 'Change'))] },
    { request, blocks: [block(lines(16, 'Change'))] },
  ])
  await person.sees('● Yes / ○ No')
  person.types(keys.enter)
  await person.sees('○ Yes / ● No')
  person.types(keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted(true), accepted(false)])
})

test('without a keyboard no person is asked, and nothing is written', async () => {
  const request = textQuestion({ id: 'a', text: 'Which?' })
  const { answers, written } = await seatNear([{ request }], { keyboard: false }).leaves()
  expect(answers).toEqual([{ action: 'cancel', reason: 'nobody', raw: false }])
  expect(written).toBe('')
})

test('after an abort nothing is asked or written', async () => {
  const request = textQuestion({ id: 'a', text: 'Which?' })
  const person = seatNear([{ request, signal: AbortSignal.abort() }])
  const { answers, written } = await person.leaves()
  expect(answers).toEqual([{ action: 'cancel', reason: 'aborted', raw: false }])
  expect(written).toBe('')
})

const list: InputRequest = {
  id: 'a',
  text: 'Which rows?',
  schema: { type: 'array', items: { type: 'object' } },
}

const form: InputRequest = {
  id: 'b',
  text: 'Which x?',
  schema: { type: 'object', properties: { x: { type: 'integer' } } },
}

/** An editor in which the person always writes the same. */
function getEditor(value: number): AnswerQuestion & { opened: InputRequest[] } {
  const opened: InputRequest[] = []
  const editor: AnswerQuestion = async (request) => {
    opened.push(request)
    return { action: 'accept', value }
  }
  return Object.assign(editor, { opened })
}

test('a question that no prompt can ask is answered in the editor, which opens after the person agrees', async () => {
  const editor = getEditor(7)
  const person = seatNear([{ request: list }], { editor })
  expect(await person.sees('● Answer in the editor')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    ◆  Which rows?
    │  ● Answer in the editor
    │  ○ Decline
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  expect(editor.opened).toEqual([])
  person.types(keys.enter)
  expect((await person.leaves()).answers).toEqual([{ action: 'accept', value: 7, raw: false }])
  expect(editor.opened).toEqual([list])
})

test('a form is answered in the editor only if the host wants that', async () => {
  const editor = getEditor(7)
  const edited = seatNear([{ request: form }], { editor, forms: 'edit' })
  await edited.sees(/Which x\?\n│ {2}● Answer in the editor/)
  edited.types(keys.enter)
  await edited.leaves()
  expect(editor.opened).toEqual([form])
  const asked = seatNear([{ request: form }], { editor })
  await asked.sees('◆  x (1 of 1)')
  asked.types(keys.interrupt)
  await asked.leaves()
  expect(editor.opened).toHaveLength(1)
})

test.for([
  ['declining', keys.down + keys.enter, { action: 'decline', raw: false }],
  ['Ctrl-C', keys.interrupt, { action: 'cancel', reason: 'user', raw: false }],
] as const)('with %s it does not open', async ([, typed, answer]) => {
  const editor = getEditor(7)
  const person = seatNear([{ request: list }], { editor })
  await person.sees('● Answer in the editor')
  person.types(typed)
  expect((await person.leaves()).answers).toEqual([answer])
  expect(editor.opened).toEqual([])
})

test.for([list, { ...list, schema: true }, { ...list, schema: { type: 'null' } }])(
  'without an editor a question for it gets no answer, and the person sees why: %j',
  async (request) => {
    const { answers, screen } = await seatNear([{ request }]).leaves()
    expect(answers).toEqual([{ action: 'cancel', reason: 'nobody', raw: false }])
    expect(screen).toMatchInlineSnapshot(`
      "┌  edit_file asks · Esc: back, decline, cancel
      │
      │  Which rows?
      │  This needs an editor, but no editor is configured.
      └  Cancelled: no person can answer this here"
    `)
  },
)
