import { booleanQuestion, selectQuestion, textQuestion } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { seatNear } from './person/at-streams.support.ts'
import { keys, type PutQuestion } from './person/keys.support.ts'
import { accepted } from './person/put-questions.support.ts'

test('yes or no: the default is preselected, y and n answer, and without a default "no" is preselected', async () => {
  const person = seatNear([
    { request: booleanQuestion({ id: 'a', text: 'First?', default: true }) },
    { request: booleanQuestion({ id: 'b', text: 'Second?' }) },
    { request: booleanQuestion({ id: 'c', text: 'Third?' }) },
  ])
  await person.sees(/◆ {2}First\?\n│ {2}● Yes \/ ○ No/)
  person.types(keys.enter)
  await person.sees(/◆ {2}Second\?\n│ {2}○ Yes \/ ● No/)
  person.types('y', keys.enter)
  await person.sees('◆  Third?')
  person.types(keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([accepted(true), accepted(true), accepted(false)])
})

test('a select shows its titles, with the value beside a title that differs', async () => {
  const person = seatNear([
    {
      request: {
        ...selectQuestion({ id: 'a', text: 'Which branch?', options: ['main', 'develop'] }),
        default: 'develop',
      },
    },
    {
      request: {
        id: 'b',
        text: 'Where?',
        schema: {
          type: 'string',
          oneOf: [
            { const: 'eu', title: 'Europe' },
            { const: 'us', title: 'America' },
          ],
        },
      },
    },
    {
      request: {
        id: 'c',
        text: 'Old style?',
        schema: { type: 'string', enum: ['x', 'y'], enumNames: ['Left', 'Right'] },
      },
    },
  ])
  await person.sees(/Which branch\?\n│ {2}○ main\n│ {2}● develop/)
  person.types(keys.enter)
  await person.sees('○ Europe')
  person.types(keys.down)
  await person.sees('● Europe (eu)')
  person.types(keys.down)
  await person.sees('● America (us)')
  person.types(keys.enter)
  await person.sees('○ Left')
  person.types(keys.down)
  await person.sees('● Left (x)')
  person.types(keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([accepted('develop'), accepted('us'), accepted('x')])
})

test('a long choice continues under its first word, and its value follows it', async () => {
  const title = 'word '.repeat(20).trim()
  const person = seatNear([
    {
      request: {
        id: 'a',
        text: 'Which?',
        schema: { type: 'string', oneOf: [{ const: 'x', title }, { const: 'y' }] },
      },
    },
    {
      request: { id: 'b', text: 'And?', schema: { type: 'array', items: { enum: [title, 'z'] } } },
    },
  ])
  await person.sees('Which?')
  person.types(keys.down)
  await person.sees(/Which\?\n│ {2}● (word )+word\n│ {4}(word )+\(x\)\n│ {2}○ y/)
  person.types(keys.enter)
  await person.sees(/And\?\n│ {2}◻ (word )+word\n│ {4}(word )+word\n│ {2}◻ z/)
  person.types(keys.space, keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([accepted('x'), accepted([title])])
})

test('several choices: the default is selected, too many are a problem, and the selection stays to be corrected', async () => {
  const schema = {
    type: 'array',
    items: { type: 'string', enum: ['mon', 'tue', 'wed'] },
    minItems: 1,
    maxItems: 2,
  }
  const person = seatNear([
    { request: { id: 'a', text: 'Which days?', schema, default: ['tue'] } },
    { request: { id: 'b', text: 'And then?', schema } },
  ])
  await person.sees(/Which days\?\n│ {2}choose 1 to 2\n│ {2}◻ mon\n│ {2}◼ tue\n│ {2}◻ wed/)
  person.types(keys.enter)
  await person.sees('◆  And then?')
  person.types(keys.space, 't', keys.enter, 'Wed', keys.enter, keys.enter)
  await person.sees(/▲ expected at most 2 items.*\n│ {2}◼ mon\n│ {2}◼ tue\n│ {2}◼ wed/)
  person.types(keys.space)
  await person.sees(/◻ mon\n│ {2}◼ tue\n│ {2}◼ wed/)
  person.types(keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([accepted(['tue']), accepted(['tue', 'wed'])])
})

test('the problem of an answer disappears with the next answer', async () => {
  const schema = { type: 'array', items: { enum: ['mon', 'tue'] }, maxItems: 1 }
  const person = seatNear([
    { request: { id: 'a', text: 'Which day?', schema, default: ['mon', 'tue'] } },
    { request: textQuestion({ id: 'b', text: 'And then?' }) },
  ])
  await person.sees('◆  Which day?')
  person.types(keys.enter)
  await person.sees(/▲ expected at most 1/)
  person.types(keys.space)
  await person.sees(/◆ {2}Which day\?\n│ {2}choose at most 1\n│ {2}◻ mon/)
  person.types(keys.enter)
  await person.sees(/◇ {2}Which day\?\n│ {2}choose at most 1\n│ {2}tue\n[^▲]*◆ {2}And then\?/)
  person.types('x', keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted(['tue']), accepted('x')])
})

test('values are returned in the order of the choices, whatever order they were selected in', async () => {
  const items = { enum: Array.from({ length: 12 }, (_, index) => index) }
  const person = seatNear([
    {
      request: { id: 'a', text: 'Which?', schema: { type: 'array', items }, default: [10, 9, 99] },
    },
  ])
  await person.sees(/◼ 9\n[^]*◼ 10\n/)
  person.types(keys.down, keys.down, keys.space, keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted([2, 9, 10])])
})

test('Esc at several choices offers the question again, with the preselected values', async () => {
  const schema = { type: 'array', items: { enum: ['mon', 'tue'] }, minItems: 1 }
  const person = seatNear([{ request: { id: 'a', text: 'Which?', schema, default: ['tue'] } }])
  await person.sees('◼ tue')
  person.types(keys.escape)
  await person.sees('● Back to the question')
  person.types(keys.enter)
  await person.sees(
    /Back to the question\n│\n◆ {2}Which\?\n│ {2}choose at least 1\n│ {2}◻ mon\n│ {2}◼ tue/,
  )
  person.types(keys.interrupt)
  expect((await person.leaves()).answers).toEqual([
    { action: 'cancel', reason: 'user', raw: false },
  ])
})

test('a line of 200 characters is in the prompt, a longer one above it', async () => {
  const asked = (text: string, length: number): PutQuestion => ({
    request: { id: 'a', text, schema: { type: 'boolean', description: 'x'.repeat(length) } },
  })
  const person = seatNear([asked('Apply?', 200), asked('Again?', 201)])
  expect(await person.sees('● No')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    ◆  Apply?
    │  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    │  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    │  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    │  ○ Yes / ● No
    └"
  `)
  person.types('y', keys.enter)
  expect((await person.sees('◆  Again?')).split('asks').at(-1)).toMatchInlineSnapshot(`
    " · Esc: back, decline, cancel
    │
    │  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    │  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    │  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    │
    ◆  Again?
    │  ○ Yes / ● No
    └"
  `)
  person.types('n', keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted(true), accepted(false)])
})

test('choices that a list truncates are shown in full above it', async () => {
  const schema = { enum: ['short', `${'word '.repeat(70)}END`] }
  const person = seatNear([{ request: { id: 'a', text: 'Which?', schema } }])
  expect(await person.sees('○ short')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    │  ○ word word word word word word word word word word word word word word word
    │  word word word word word word word word word word word word word word word
    │  word word word word word word word word word word word word word word word
    │  word word word word word word word word word word word word word word word
    │  word word word word word word word word word word END
    │
    ◆  Which?
    │  ○ short
    │  ○ word word word word word word word word word word word word word word word
    │    word word word word word word word word word word word word word word word
    │    word word word word word word word word word word word word word word word
    │    word word word word word word word word word word word word word word word
    │    …(+53)
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types('short', keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted('short')])
})
