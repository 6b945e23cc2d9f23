import {
  type JsonValue,
  type RenderTerminalLine,
  type TerminalText,
  textQuestion,
} from '@toolblocks/protocol'
import { styleText } from 'node:util'
import { expect, test } from 'vitest'
import { readNumber } from '../form/question-form.ts'
import { longChoices, preType, toOptions } from './ask-value.ts'
import type { QuestionTerminal } from './open-prompt.ts'
import { seatNear } from './person/at-streams.support.ts'
import { keys } from './person/keys.support.ts'
import { accepted } from './person/put-questions.support.ts'

test('text: the default can be edited, and a problem is shown while the prompt stays open', async () => {
  const person = seatNear([
    { request: textQuestion({ id: 'a', text: 'What name?', default: 'Ada' }) },
    {
      request: {
        id: 'b',
        text: 'Which address?',
        schema: { type: 'string', format: 'email' },
        default: 'a@b.de',
      },
    },
  ])
  await person.sees('│  Ada█')
  person.types(' L.', keys.enter)
  await person.sees('│  a@b.de█')
  person.types(keys.backspace, keys.backspace, keys.backspace, keys.enter)
  await person.sees('not an e-mail address: "a@b"')
  person.types('.org')
  await person.sees('│  a@b.org█')
  person.types(keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([accepted('Ada L.'), accepted('a@b.org')])
})

test('numbers: the default is filled in; words and numbers out of range are problems', async () => {
  const person = seatNear([
    { request: { id: 'a', text: 'How much?', schema: { type: 'number' }, default: 2.5 } },
    { request: { id: 'b', text: 'How many?', schema: { type: 'integer', minimum: 3 } } },
  ])
  await person.sees('│  2.5█')
  person.types(keys.enter)
  await person.sees('◆  How many?')
  person.types('many', keys.enter)
  await person.sees(/expected a whole number, for example 3\n/)
  person.types(...Array<string>(4).fill(keys.backspace), '2', keys.enter)
  await person.sees('expected a number >= 3, got number 2')
  person.types(keys.backspace, '4.5', keys.enter)
  await person.sees('expected a whole number')
  person.types(keys.backspace, keys.backspace, keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([accepted(2.5), accepted(4)])
})

test('a secret is masked, and never written to the terminal, also not in its problem', async () => {
  const schema = { type: 'string', format: 'password', minLength: 8 }
  const person = seatNear([{ request: { id: 'a', text: 'Unlock with?', schema } }])
  await person.sees('◆  Unlock with?')
  person.types('hunter2', keys.enter)
  await person.sees(/▪{7}\n└ {2}expected at least 8 characters/)
  person.types('2', keys.enter)
  const { answers, written } = await person.leaves()
  expect(answers).toEqual([accepted('hunter22')])
  expect(written).not.toContain('hunter')
})

test('a line wider than the terminal keeps its bar while it is typed, and after', async () => {
  const person = seatNear([
    { request: textQuestion({ id: 'a', text: 'Why?' }) },
    {
      request: {
        id: 'b',
        text: 'Which token?',
        schema: { type: 'string', format: 'password' },
      },
    },
  ])
  await person.sees('◆  Why?')
  const long = 'word '.repeat(20).trim()
  person.types(long)
  await person.sees(/│ {2}(?:word ){15}wo\n│ {2}rd(?: word){4}█\n└/)
  person.types(keys.enter)
  await person.sees(/│ {2}(?:word ){15}wo\n│ {2}rd(?: word){4}\n/)
  await person.sees('◆  Which token?')
  person.types('x'.repeat(80))
  await person.sees(/│ {2}▪{77}\n│ {2}▪{3}/)
  person.types(keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([accepted(long), accepted('x'.repeat(80))])
})

test('a list of texts is typed one per line, sent with Tab and Enter, and corrected after a problem', async () => {
  const schema = { type: 'array', items: { type: 'string', minLength: 2 }, minItems: 2 }
  const person = seatNear([
    { request: { id: 'a', text: 'Which files?', schema } },
    { request: { id: 'b', text: 'And these?', schema, default: ['one', 'two'] } },
  ])
  await person.sees(
    /◆ {2}Which files\?\n│ {2}at least 2 items\n│ {2}one per line; Tab and Enter to send/,
  )
  person.types('a.txt', keys.tab, keys.enter)
  await person.sees('expected at least 2 items')
  person.types(keys.tab, keys.enter, 'b', keys.tab, keys.enter)
  await person.sees('"b": expected at least 2 characters, got 1')
  person.types(keys.tab, ' c.txt', keys.tab, keys.enter)
  await person.sees(/◆ {2}And these\?[^◆]*│ {2}one\n│ {2}two/)
  person.types(keys.tab, keys.enter)
  expect((await person.leaves()).answers).toEqual([
    accepted(['a.txt', 'b c.txt']),
    accepted(['one', 'two']),
  ])
})

test('an empty optional text is omitted, an empty required one is empty text', async () => {
  const schema = {
    type: 'object',
    properties: {
      out: { type: 'string', minLength: 2 },
      empty: { type: 'string' },
      size: { type: 'integer' },
      names: { type: 'array', items: { type: 'string' }, minItems: 1 },
    },
    required: ['empty'],
  }
  const person = seatNear([{ request: { id: 'a', text: 'Set up', schema } }])
  for (const label of ['out', 'empty', 'size']) {
    await person.sees(`◆  ${label} (`)
    person.types(keys.enter)
  }
  await person.sees('◆  names (')
  person.types(keys.tab, keys.enter)
  await person.sees('● Send')
  person.types(keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted({ empty: '' })])
})

test('a default that cannot be shown exactly is shown above an empty field', async () => {
  const items = { type: 'string' }
  const person = seatNear([
    { request: textQuestion({ id: 'a', text: 'Which?', default: 'a\u202Eb' }) },
    {
      request: {
        id: 'b',
        text: 'Which ones?',
        schema: { type: 'array', items, maxItems: 3 },
        default: ['x', 'a\nb'],
      },
    },
  ])
  expect(await person.sees('◆  Which?')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    ◆  Which?
    │  not filled in, because it cannot be shown unchanged: a\\u{202E}b
    │  _
    └"
  `)
  person.types('y', keys.enter)
  expect((await person.sees('◆  Which ones?')).split('asks').at(-1)).toMatchInlineSnapshot(`
    " · Esc: back, decline, cancel
    │
    ◆  Which ones?
    │  at most 3 items
    │  one per line; Tab and Enter to send
    │  not filled in, because it cannot be shown unchanged: a\\u{A}b
    │  _
    └
      [ submit ]"
  `)
  person.types('z', keys.tab, keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted('y'), accepted(['z'])])
})

test.for([
  ['text', { type: 'string', minLength: 2 }, 'expected at least 2 characters, got 1'],
  ['a number', { type: 'integer' }, 'expected a whole number, for example 3'],
  [
    'a secret',
    { type: 'string', format: 'password', minLength: 2 },
    'expected at least 2 characters',
  ],
] as const)(
  'a problem is shown under %s, in yellow, and disappears with the next key',
  async ([, schema, problem]) => {
    const person = seatNear([{ request: { id: 'a', text: 'Which?', schema } }])
    await person.sees('◆  Which?')
    person.types('x', keys.enter)
    await person.sees(`└  ${problem}`)
    person.types('y')
    expect(await person.sees(/[█_]\n└\s*$/)).not.toContain(problem)
    person.types(keys.interrupt)
    const { answers, written } = await person.leaves()
    expect(answers).toEqual([{ action: 'cancel', reason: 'user', raw: false }])
    expect(written).toContain(styleText('yellow', problem))
  },
)

test('Esc at a field goes back to the previous one, and the typed text stays', async () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'array', items: { type: 'string' } } },
  }
  const person = seatNear([{ request: { id: 'a', text: 'Set up', schema } }])
  await person.sees('◆  a (1 of 2)')
  person.types('Ada', keys.enter)
  await person.sees('◆  b (2 of 2)')
  person.types(keys.escape)
  await person.sees('○ Back to a\n')
  person.types(keys.down, keys.enter)
  await person.sees(/◆ {2}a \(1 of 2\)\n│ {2}optional\n│ {2}Ada█/)
  person.types(keys.interrupt)
  expect((await person.leaves()).answers).toEqual([
    { action: 'cancel', reason: 'user', raw: false },
  ])
})

test.for([
  ['3', 3],
  [' -2.5 ', -2.5],
  ['+.5', 0.5],
  ['1e3', 1000],
  ['9007199254740991', 9007199254740991],
  ['-9007199254740991', -9007199254740991],
] as const)('%j is a number', ([text, value]) => {
  expect(readNumber(text, 'any')).toEqual({ ok: true, value })
})

test.for(['9007199254740993', '-9007199254740993', '1e17', '1e400'])(
  '%s would not be read exactly',
  (text) => {
    expect(readNumber(text, 'any')).toEqual({
      ok: false,
      problem: 'the number is too large to be stored exactly',
    })
  },
)

test.for(['', 'x', '0x10', '1,5', 'NaN', 'Infinity', '.'])('%j is not a number', (text) => {
  expect(readNumber(text, 'any')).toMatchObject({ ok: false })
})

test('a whole number has no fraction', () => {
  expect(readNumber('2.0', 'whole')).toEqual({ ok: true, value: 2 })
  expect(readNumber('2.5', 'whole')).toMatchObject({
    problem: 'expected a whole number, for example 3',
  })
})

/** Shows a line up to its sixtieth character. */
const renderLine: RenderTerminalLine = (text) =>
  (text.length > 60 ? `${text.slice(0, 59)}…` : text) as TerminalText

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that is looked at
const terminal = { renderLine } as QuestionTerminal

test('a value is shown beside a title that differs', () => {
  expect(
    toOptions(
      [
        { value: 'eu', title: 'Europe' },
        { value: 'Main', title: 'main' },
        { value: 'straße', title: 'STRASSE' },
        { value: 7, title: '7' },
        { value: null, title: 'none' },
      ],
      terminal,
    ),
  ).toEqual([
    { value: 0, label: 'Europe', hint: 'eu' },
    { value: 1, label: 'main' },
    { value: 2, label: 'STRASSE', hint: 'straße' },
    { value: 3, label: '7' },
    { value: 4, label: 'none', hint: 'null' },
  ])
})

test('choices that a list truncates are shown in full, each text once', () => {
  const title = 'word '.repeat(20).trim()
  const value = 'x'.repeat(70)
  expect(
    longChoices(
      [
        { value: 'a', title: 'A' },
        { value: 'b', title },
        { value, title: value },
        { value, title: 'short' },
      ],
      terminal,
    ),
  ).toEqual([`○ ${title}`, `○ ${value}`, `○ ${value}`])
})

/** Like the sanitizer of a host: control characters by their number, and at most 200 characters. */
const asRendered = (text: string): TerminalText => {
  const line = text.replaceAll(/\p{C}/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
  return (
    line.length > 200 ? `${line.slice(0, 200)}…(+${line.length - 200})` : line
  ) as TerminalText
}

test.for<[string, string | number]>([
  ['text', 'Ada'],
  ['a number', 2.5],
  ['nothing, for nothing', ''],
  ['text longer than a line that is cut', 'a long default '.repeat(60)],
])('%s is filled in', ([, value]) => {
  expect(preType(value, asRendered)).toEqual({ initial: String(value), details: [] })
})

test.for<[string, string, string]>([
  ['a control sequence', 'a\u001B]52;c;YQ==\u0007', 'a\\u{1b}]52;c;YQ==\\u{7}'],
  ['a line end', 'a\nb', 'a\\u{a}b'],
  ['an eight-bit control far behind', `${'a'.repeat(230)}\u009B2J`, `${'a'.repeat(200)}…(+38)`],
  ['what hides', 'a\u202Eb', 'a\\u{202e}b'],
  ['text too long to be looked through', 'a'.repeat(4001), `${'a'.repeat(200)}…(+3801)`],
])('a default with %s is shown above an empty field', ([, value, rendered]) => {
  expect(preType(value, asRendered)).toEqual({
    details: [`not filled in, because it cannot be shown unchanged: ${rendered}`],
  })
})

test.for<[JsonValue | undefined]>([[undefined], [null], [true], [['a']]])(
  'nothing is filled in for %j',
  ([value]) => {
    expect(preType(value, asRendered)).toEqual({ details: [] })
  },
)
