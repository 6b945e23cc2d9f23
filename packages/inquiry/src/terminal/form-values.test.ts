import { expect, test } from 'vitest'
import { seatNear } from './person/at-streams.suite.ts'
import { keys } from './person/keys.suite.ts'
import { accepted } from './person/put-questions.suite.ts'

test('a secret of a form is shown nowhere, also not where all is shown before it is sent', async () => {
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

test('values are shown as they were given: what is left out, empty, a choice, or several', async () => {
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
    │  ○ out: (left out)
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

test('a default that does not fit its field, or is not its own, is not filled in', async () => {
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

test('a title longer than a line is told whole above its field, and named by its beginning', async () => {
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
    │  ● (leave out)
    │  ○ Yes
    │  ○ No
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.down, keys.enter)
  expect((await person.sees('● Send')).split('Send this').at(-1)).toMatchInlineSnapshot(`
    ", or choose what to change
    │  ● Send
    │  ○ word word word word word word word word word word word word  …:
    │    Yes
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted({ x: true })])
})
