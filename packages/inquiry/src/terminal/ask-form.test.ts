import { expect, test } from 'vitest'
import { seatNear } from './person/at-streams.support.ts'
import { keys } from './person/keys.support.ts'
import { accepted } from './person/put-questions.support.ts'

const room = {
  id: 'room',
  text: 'Book a room',
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Your name', description: 'As on the badge.', minLength: 2 },
      size: { type: 'integer', minimum: 1, default: 3 },
      quiet: { type: 'boolean' },
      note: { type: 'string' },
    },
    required: ['name', 'quiet'],
  },
  default: { name: 'Ada' },
}

test('a flat object is a form: defaults are filled in, Esc goes back, and all values are shown and can be changed before the form is sent', async () => {
  const person = seatNear([{ request: room }])
  await person.sees(
    /Your name \(1 of 4\)\n│ {2}As on the badge\.\n│ {2}at least 2 characters\n│ {2}Ada█/,
  )
  person.types(keys.enter)
  await person.sees(/size \(2 of 4\)\n│ {2}at least 1 · optional\n│ {2}3█/)
  person.types(keys.escape)
  await person.sees('○ Back to Your name')
  person.types(keys.down, keys.enter)
  await person.sees(/◆ {2}Your name[^◆]*Ada█/)
  person.types(' L.', keys.enter)
  await person.sees(/Ada L\.\n│\n◆ {2}size \(2 of 4\)/)
  person.types(keys.enter)
  await person.sees('◆  quiet (3 of 4)')
  person.types('y', keys.enter)
  await person.sees('◆  note (4 of 4)')
  person.types(keys.enter)
  await person.sees(
    /● Send\n│ {2}○ Your name: Ada L\.\n│ {2}○ size: 3\n│ {2}○ quiet: Yes\n│ {2}○ note: \(omitted\)/,
  )
  person.types(keys.down, keys.down, keys.enter)
  await person.sees(/◆ {2}size[^◆]*3█/)
  person.types('0', keys.enter)
  await person.sees(/◆ {2}Send this[^◆]*size: 30/)
  person.types(keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([accepted({ name: 'Ada L.', size: 30, quiet: true })])
})

test('a form that is invalid as a whole is not sent: the problem is shown, and the form can be changed', async () => {
  const schema = {
    type: 'object',
    properties: { mail: { type: 'string' }, phone: { type: 'string' } },
    minProperties: 1,
  }
  const person = seatNear([{ request: { id: 'a', text: 'Reach you where?', schema } }])
  await person.sees('◆  mail (1 of 2)')
  person.types(keys.enter)
  await person.sees('◆  phone (2 of 2)')
  person.types(keys.enter)
  await person.sees('● Send')
  person.types(keys.enter)
  await person.sees(/▲ .*at least 1 propert[^]*◆ {2}Send this/)
  person.types(keys.down, keys.enter)
  await person.sees(/◆ {2}mail \(1 of 2\)/)
  person.types('a@b.de', keys.enter)
  await person.sees(/◆ {2}Send this[^◆]*mail: a@b\.de/)
  person.types(keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([accepted({ mail: 'a@b.de' })])
})

const mailOrPhone = {
  id: 'a',
  text: 'Reach you where?',
  schema: {
    type: 'object',
    properties: { mail: { type: 'string' }, phone: { type: 'string' } },
    minProperties: 1,
  },
}

test('the complete form is shown before it is sent, and Esc there goes back to its last field', async () => {
  const person = seatNear([{ request: mailOrPhone }])
  expect(await person.sees('◆  mail (1 of 2)')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    │  Reach you where?
    │
    ◆  mail (1 of 2)
    │  optional
    │  _
    └"
  `)
  person.types('m', keys.enter)
  await person.sees('◆  phone (2 of 2)')
  person.types(keys.enter)
  expect(await person.sees('● Send')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    │  Reach you where?
    │
    ◇  mail (1 of 2)
    │  optional
    │  m
    │
    ◇  phone (2 of 2)
    │  optional
    │
    │
    ◆  Send this, or choose what to change
    │  ● Send
    │  ○ mail: m
    │  ○ phone: (omitted)
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.escape)
  expect(await person.sees('○ Back to phone')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    │  Reach you where?
    │
    ◇  mail (1 of 2)
    │  optional
    │  m
    │
    ◇  phone (2 of 2)
    │  optional
    │
    │
    ■  Send this, or choose what to change
    │
    │
    ◆  What do you want to do?
    │  ● Back to the question
    │  ○ Back to phone
    │  ○ Decline
    │  ○ Cancel
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.down, keys.enter)
  await person.sees(
    /○ Back to phone[^]*◆ {2}phone \(2 of 2\)|Back to phone\n│\n◆ {2}phone \(2 of 2\)/,
  )
  person.types('1', keys.enter)
  await person.sees(/◆ {2}Send this[^◆]*phone: 1/)
  person.types(keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted({ mail: 'm', phone: '1' })])
})

test('Esc at the first field has no field to go back to', async () => {
  const person = seatNear([{ request: mailOrPhone }])
  await person.sees('◆  mail (1 of 2)')
  person.types(keys.escape)
  expect(await person.sees('● Back to the question')).not.toContain('Back to mail')
  person.types(keys.down, keys.enter)
  expect((await person.leaves()).answers).toEqual([{ action: 'decline', raw: false }])
})

test('a problem of the complete form names its place, and the form can be declined then', async () => {
  const person = seatNear([
    {
      request: {
        ...mailOrPhone,
        schema: { ...mailOrPhone.schema, dependentRequired: { mail: ['phone'] } },
      },
    },
  ])
  await person.sees('◆  mail (1 of 2)')
  person.types('m', keys.enter)
  await person.sees('◆  phone (2 of 2)')
  person.types(keys.enter)
  await person.sees('● Send')
  person.types(keys.enter)
  expect(await person.sees(/▲[^]*● Send/)).toMatchInlineSnapshot(`
    "│
    │  Reach you where?
    │
    ◇  mail (1 of 2)
    │  optional
    │  m
    │
    ◇  phone (2 of 2)
    │  optional
    │
    │
    ◇  Send this, or choose what to change
    │  Send
    │
    ▲  expected a value that matches the schema (must have property phone when
    │  property mail is present), got object with mail
    │
    ◆  Send this, or choose what to change
    │  ● Send
    │  ○ mail: m
    │  ○ phone: (omitted)
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.escape)
  await person.sees('● Back to the question')
  person.types(keys.down, keys.down, keys.enter)
  expect((await person.leaves()).answers).toEqual([{ action: 'decline', raw: false }])
})

test('an invalid value is reported under its field', async () => {
  const schema = { type: 'object', properties: { name: { type: 'string', minLength: 2 } } }
  const person = seatNear([{ request: { id: 'a', text: 'Sign in', schema } }])
  await person.sees('◆  name (1 of 1)')
  person.types('x', keys.enter)
  await person.sees('└  expected at least 2 characters, got 1')
  person.types(keys.interrupt)
  await person.leaves()
})
