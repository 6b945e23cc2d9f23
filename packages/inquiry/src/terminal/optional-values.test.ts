import { expect, test } from 'vitest'
import { seatNear } from './person/at-streams.suite.ts'
import { keys } from './person/keys.suite.ts'
import { accepted } from './person/put-questions.suite.ts'

test('a yes or no of a form that may be left out is a list of three; what it has is preselected', async () => {
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
    │  ● (leave out)
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
    │  ○ (leave out)
    │  ● Yes
    │  ○ No
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.escape)
  await person.sees('○ Back to a\n')
  person.types(keys.down, keys.enter)
  await person.sees(
    /◆ {2}a \(1 of 2\)\n│ {2}optional\n│ {2}○ \(leave out\)\n│ {2}○ Yes\n│ {2}● No\n/,
  )
  person.types(keys.enter)
  await person.sees('◆  b (2 of 2)')
  person.types(keys.up, keys.enter)
  await person.sees('◆  Send this')
  person.types(keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted({ a: false })])
})

test('a choice that may be left out is left out unless something is chosen; what was chosen is preselected', async () => {
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
    │  ● (leave out)
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
    │  (leave out)
    │
    ◆  b (2 of 2)
    │  optional
    │  ○ (leave out)
    │  ○ x
    │  ● y
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.enter)
  await person.sees('● Send')
  person.types(keys.down, keys.enter)
  await person.sees(/◆ {2}a \(1 of 2\)[^]*● \(leave out\)/)
  person.types(keys.escape)
  await person.sees('● Back to the question')
  person.types(keys.up, keys.enter)
  expect((await person.leaves()).answers).toEqual([
    { action: 'cancel', reason: 'user', raw: false },
  ])
})

test('several choices that may be left out are left out with none chosen, where none does not fit', async () => {
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
  await person.sees(/● Send\n│ {2}○ a: \(left out\)\n│ {2}○ b: \(empty\)/)
  person.types(keys.down, keys.enter)
  await person.sees(/◆ {2}a \(1 of 2\)/)
  person.types(keys.escape)
  await person.sees('● Back to the question')
  person.types(keys.up, keys.enter)
  await person.leaves()
})

test('an optional yes is not preselected where what it is about is beyond the screen', async () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'boolean', default: true }, b: { type: 'boolean', default: false } },
  }
  const blocks = [{ type: 'text', text: 'A line.\n'.repeat(40) }] as const
  const person = seatNear([{ request: { id: 'a', text: 'Set up', schema }, blocks }])
  await person.sees(/◆ {2}a \(1 of 2\)\n│ {2}optional\n│ {2}● \(leave out\)\n│ {2}○ Yes\n/)
  person.types(keys.enter)
  await person.sees(
    /◆ {2}b \(2 of 2\)\n│ {2}optional\n│ {2}○ \(leave out\)\n│ {2}○ Yes\n│ {2}● No\n/,
  )
  person.types(keys.enter)
  await person.sees('◆  Send this')
  person.types(keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted({ b: false })])
})

test('of a text or null, and a reference to a yes or no, a person is asked as of those; nothing typed is null', async () => {
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
  person.types('y')
  await person.sees('● Send')
  person.types(keys.enter)
  await person.sees('◆  Name it')
  person.types(keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([accepted({ note: null, sure: true }), accepted(null)])
})
