import { expect, test } from 'vitest'
import { seatNear } from './person/at-streams.support.ts'
import { keys } from './person/keys.support.ts'
import { accepted } from './person/put-questions.support.ts'

test('a secret of a form is never shown, also not in the summary before it is sent', async () => {
  const schema = {
    type: 'object',
    properties: { user: { type: 'string' }, password: { type: 'string' } },
    required: ['user', 'password'],
  }
  const person = seatNear([{ request: { id: 'a', text: 'Sign in', schema } }])
  await person.sees('◆  user (1 of 2)')
  person.types('ada', keys.enter)
  await person.sees('◆  password (2 of 2)')
  person.types('hunter2', keys.enter)
  await person.sees(/○ user: ada\n│ {2}○ password: ▪▪▪\n/)
  person.types(keys.enter)
  const { answers, written } = await person.leaves()
  expect(answers).toEqual([accepted({ user: 'ada', password: 'hunter2' })])
  expect(written).not.toContain('hunter2')
})

test('values are shown as they were given: omitted, empty, a choice, or several', async () => {
  const days = { type: 'array', items: { enum: ['mon', 'tue', 3] } }
  const person = seatNear([
    {
      request: {
        id: 'a',
        text: 'Set up',
        schema: {
          type: 'object',
          properties: {
            out: { type: 'string', title: '' },
            none: { ...days, title: 'No days' },
            some: days,
            off: { type: 'boolean', title: 7 },
            on: { type: 'boolean', default: true },
            level: { enum: [1, 'two\n'] },
            size: { type: 'number', default: 2.5 },
            pin: { type: 'string', title: 'PIN code' },
          },
          required: ['none', 'off', 'pin'],
        },
        default: { none: [], some: ['mon', 3], off: false, level: 'two\n', pin: '1234' },
      },
    },
  ])
  for (const label of ['out', 'No days', 'some', 'off', 'on', 'level', 'size', 'PIN code']) {
    await person.sees(`◆  ${label} (`)
    person.types(...(label === 'PIN code' ? ['1234'] : []), keys.enter)
  }
  expect((await person.sees('● Send')).split('Send this').at(-1)).toMatchInlineSnapshot(`
    ", or choose what to change
    │  ● Send
    │  ○ out: (omitted)
    │  ○ No days: (empty)
    │  ○ some: mon, 3
    │  ○ off: No
    │  ○ on: Yes
    │  ○ level: two\\u{A}
    │  ○ size: 2.5
    │  ○ PIN code: ▪▪▪
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.escape)
  await person.sees('○ Back to PIN code')
  person.types(keys.enter)
  await person.sees(/Back to the question\n│\n◆ {2}Send this/)
  person.types(keys.enter)
  const { answers, written } = await person.leaves()
  expect(answers).toEqual([
    accepted({
      none: [],
      some: ['mon', 3],
      off: false,
      on: true,
      level: 'two\n',
      size: 2.5,
      pin: '1234',
    }),
  ])
  expect(written).not.toContain('1234')
})

test('a default that does not match its field, or is inherited, is not filled in', async () => {
  const person = seatNear([
    {
      request: {
        id: 'a',
        text: 'Set up',
        schema: {
          type: 'object',
          properties: {
            size: { type: 'integer', default: 'many' },
            floor: { type: 'integer', default: 4 },
            toString: { type: 'string' },
          },
        },
        default: { floor: 'x' },
      },
    },
  ])
  for (const label of ['size', 'floor', 'toString']) {
    expect(await person.sees(`◆  ${label} (`)).toMatch(/ optional\n│ {2}_\n└$/)
    person.types(keys.enter)
  }
  await person.sees('● Send')
  person.types(keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted({})])
})

test('a title longer than a line is shown in full above its field, and its beginning names it', async () => {
  const title = `${'word '.repeat(70)}END`
  const person = seatNear([
    {
      request: {
        id: 'a',
        text: 'Set up',
        schema: { type: 'object', properties: { x: { type: 'boolean', title } } },
      },
    },
  ])
  expect(await person.sees('(1 of 1)')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    │  Set up
    │
    │  word word word word word word word word word word word word word word word
    │  word word word word word word word word word word word word word word word
    │  word word word word word word word word word word word word word word word
    │  word word word word word word word word word word word word word word word
    │  word word word word word word word word word word END
    │
    ◆  word word word word word word word word word word word word  … (1 of 1)
    │  optional
    │  ● (omit)
    │  ○ Yes
    │  ○ No
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.down, keys.enter)
  expect((await person.sees('● Send')).split('Send this').at(-1)).toMatchInlineSnapshot(`
    ", or choose what to change
    │  ● Send
    │  ○ word word word word word word word word word word word word  …: Yes
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted({ x: true })])
})

const go = { request: { id: 'go', text: 'Go on?', schema: { type: 'boolean' } } }

const which = { request: { id: 'which', text: 'Which?', schema: { enum: ['this', 'that'] } } }

test('yes and no are beside each other, and the selected one stays visible', async () => {
  const person = seatNear([go])
  expect(await person.sees(/◆ {2}Go on\?[^]*└/)).toMatch(/│ {2}[●○] Yes \/ [●○] No\n└/)
  person.types('y', keys.enter)
  const { answers, screen } = await person.leaves()
  expect(answers).toEqual([accepted(true)])
  expect(screen).toMatch(/◇ {2}Go on\?\n│ {2}Yes/)
})

test.for([
  ['Esc', keys.escape],
  ['Ctrl-C', keys.interrupt],
] as const)('%s leaves no choice on the screen that could look like an answer', async ([, key]) => {
  const person = seatNear([go, which])
  await person.sees(/◆ {2}Go on\?[^]*└/)
  person.types(key)
  if (key === keys.escape) {
    await person.sees(/What do you want to do\?[^]*○ Cancel/)
    person.types(keys.down, keys.down, keys.enter)
  }
  await person.sees(/◆ {2}Which\?[^]*this/)
  person.types(keys.interrupt)
  const { screen } = await person.leaves()
  expect(screen).toMatch(/■ {2}Go on\?/)
  expect(screen).toMatch(/■ {2}Which\?/)
  expect(screen).not.toMatch(/Yes|No\b|this|that/)
})

test('an optional yes-or-no field of a form is a list of three; its current value is preselected', async () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'boolean' }, b: { type: 'boolean', default: true } },
  }
  const person = seatNear([{ request: { id: 'a', text: 'Set up', schema } }])
  expect(await person.sees('◆  a (1 of 2)')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    │  Set up
    │
    ◆  a (1 of 2)
    │  optional
    │  ● (omit)
    │  ○ Yes
    │  ○ No
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.down, keys.down, keys.enter)
  expect(await person.sees('◆  b (2 of 2)')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    │  Set up
    │
    ◇  a (1 of 2)
    │  optional
    │  No
    │
    ◆  b (2 of 2)
    │  optional
    │  ○ (omit)
    │  ● Yes
    │  ○ No
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.escape)
  await person.sees('○ Back to a\n')
  person.types(keys.down, keys.enter)
  await person.sees(/◆ {2}a \(1 of 2\)\n│ {2}optional\n│ {2}○ \(omit\)\n│ {2}○ Yes\n│ {2}● No\n/)
  person.types(keys.enter)
  await person.sees('◆  b (2 of 2)')
  person.types(keys.up, keys.enter)
  await person.sees('◆  Send this')
  person.types(keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted({ a: false })])
})

test('an optional choice is omitted unless something is selected; an earlier selection is preselected', async () => {
  const schema = {
    type: 'object',
    properties: { a: { enum: ['x', 'y'] }, b: { enum: ['x', 'y'], default: 'y' } },
  }
  const person = seatNear([{ request: { id: 'a', text: 'Set up', schema } }])
  expect(await person.sees('◆  a (1 of 2)')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    │  Set up
    │
    ◆  a (1 of 2)
    │  optional
    │  ● (omit)
    │  ○ x
    │  ○ y
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.enter)
  expect(await person.sees('◆  b (2 of 2)')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    │  Set up
    │
    ◇  a (1 of 2)
    │  optional
    │  (omit)
    │
    ◆  b (2 of 2)
    │  optional
    │  ○ (omit)
    │  ○ x
    │  ● y
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.enter)
  await person.sees('● Send')
  person.types(keys.down, keys.enter)
  await person.sees(/◆ {2}a \(1 of 2\)[^]*● \(omit\)/)
  person.types(keys.escape)
  await person.sees('● Back to the question')
  person.types(keys.up, keys.enter)
  expect((await person.leaves()).answers).toEqual([
    { action: 'cancel', reason: 'user', raw: false },
  ])
})

test('an empty selection of several optional choices is omitted if an empty list is invalid', async () => {
  const days = { type: 'array', items: { enum: ['mon', 'tue'] } }
  const schema = { type: 'object', properties: { a: { ...days, minItems: 1 }, b: days } }
  const person = seatNear([{ request: { id: 'a', text: 'Set up', schema } }])
  expect(await person.sees('◆  a (1 of 2)')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    │  Set up
    │
    ◆  a (1 of 2)
    │  choose at least 1 · optional
    │  ◻ mon
    │  ◻ tue
    │  ↑/↓ to navigate • Space: select • Enter: confirm
    └"
  `)
  person.types(keys.enter)
  await person.sees('◆  b (2 of 2)')
  person.types(keys.enter)
  await person.sees(/● Send\n│ {2}○ a: \(omitted\)\n│ {2}○ b: \(empty\)/)
  person.types(keys.down, keys.enter)
  await person.sees(/◆ {2}a \(1 of 2\)/)
  person.types(keys.escape)
  await person.sees('● Back to the question')
  person.types(keys.up, keys.enter)
  await person.leaves()
})

test('an optional "yes" is not preselected if its material is beyond the screen', async () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'boolean', default: true }, b: { type: 'boolean', default: false } },
  }
  const blocks = [{ type: 'text', text: 'A line.\n'.repeat(40) }] as const
  const person = seatNear([{ request: { id: 'a', text: 'Set up', schema }, blocks }])
  await person.sees(/◆ {2}a \(1 of 2\)\n│ {2}optional\n│ {2}● \(omit\)\n│ {2}○ Yes\n/)
  person.types(keys.enter)
  await person.sees(/◆ {2}b \(2 of 2\)\n│ {2}optional\n│ {2}○ \(omit\)\n│ {2}○ Yes\n│ {2}● No\n/)
  person.types(keys.enter)
  await person.sees('◆  Send this')
  person.types(keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted({ b: false })])
})

test('a nullable text and a reference to a boolean have the prompts of text and boolean; empty text is null', async () => {
  const schema = {
    type: 'object',
    properties: { note: { type: ['string', 'null'] }, sure: { $ref: '#/$defs/flag' } },
    required: ['note', 'sure'],
    $defs: { flag: { type: 'boolean' } },
  }
  const person = seatNear([
    { request: { id: 'a', text: 'Set up', schema } },
    { request: { id: 'b', text: 'Name it', schema: { type: ['string', 'null'] }, default: null } },
  ])
  await person.sees('◆  note (1 of 2)')
  person.types(keys.enter)
  await person.sees('◆  sure (2 of 2)')
  person.types('y', keys.enter)
  await person.sees('● Send')
  person.types(keys.enter)
  await person.sees('◆  Name it')
  person.types(keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([accepted({ note: null, sure: true }), accepted(null)])
})
