import { expect, test, vi } from 'vitest'
import { booleanQuestion, selectQuestion, textQuestion } from '@toolblocks/protocol'
import { keys, seat } from './person.suite.ts'

vi.setConfig({ testTimeout: 20_000 })

function accepted(value: unknown): unknown {
  return { action: 'accept', value, raw: false }
}

test.concurrent('yes or no: the default is preselected, y and n answer, and without a default it is no', async () => {
  const person = seat([
    { request: booleanQuestion({ id: 'a', text: 'First?', default: true }) },
    { request: booleanQuestion({ id: 'b', text: 'Second?' }) },
    { request: booleanQuestion({ id: 'c', text: 'Third?' }) },
  ])
  await person.sees(/◆ {2}First\?\n│ {2}● Yes \/ ○ No/)
  person.types(keys.enter)
  await person.sees(/◆ {2}Second\?\n│ {2}○ Yes \/ ● No/)
  person.types('y')
  await person.sees('◆  Third?')
  person.types(keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([accepted(true), accepted(true), accepted(false)])
})

test.concurrent('a select shows its titles, with the value beside a title that differs', async () => {
  const person = seat([
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
  await person.sees('● Europe (eu)')
  person.types(keys.down)
  await person.sees('● America (us)')
  person.types(keys.enter)
  await person.sees('● Left (x)')
  person.types(keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([accepted('develop'), accepted('us'), accepted('x')])
})

test.concurrent('a long choice goes on under its first word, and its value stands behind it', async () => {
  const title = 'word '.repeat(20).trim()
  const person = seat([
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
  await person.sees(/Which\?\n│ {2}● (word )+word\n│ {4}(word )+\(x\)\n│ {2}○ y/)
  person.types(keys.enter)
  await person.sees(/And\?\n│ {2}◻ (word )+word\n│ {4}(word )+word\n│ {2}◻ z/)
  person.types(keys.space, keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([accepted('x'), accepted([title])])
})

test.concurrent('several choices: the default is chosen, too many are a problem, and the choice stays to be corrected', async () => {
  const schema = {
    type: 'array',
    items: { type: 'string', enum: ['mon', 'tue', 'wed'] },
    minItems: 1,
    maxItems: 2,
  }
  const person = seat([
    { request: { id: 'a', text: 'Which days?', schema, default: ['tue'] } },
    { request: { id: 'b', text: 'And then?', schema } },
  ])
  await person.sees(/Which days\?\n│ {2}choose 1 to 2\n│ {2}◻ mon\n│ {2}◼ tue\n│ {2}◻ wed/)
  person.types(keys.enter)
  await person.sees('◆  And then?')
  person.types('a', keys.enter)
  await person.sees(/▲ expected at most 2 items.*\n│ {2}◼ mon\n│ {2}◼ tue\n│ {2}◼ wed/)
  person.types(keys.space)
  await person.sees(/◻ mon\n│ {2}◼ tue\n│ {2}◼ wed/)
  person.types(keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([accepted(['tue']), accepted(['tue', 'wed'])])
})

test.concurrent('text: the default can be edited, and what does not fit is said while the prompt stays open', async () => {
  const person = seat([
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
  await person.sees('expected a string in the format "email", got string "a@b"')
  person.types('.org')
  await person.sees('│  a@b.org█')
  person.types(keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([accepted('Ada L.'), accepted('a@b.org')])
})

test.concurrent('numbers: the default is filled in, words and numbers out of range are problems', async () => {
  const person = seat([
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

test.concurrent('a secret is masked, and never written to the terminal, not even by its problem', async () => {
  const schema = { type: 'string', format: 'password', minLength: 8 }
  const person = seat([{ request: { id: 'a', text: 'Unlock with?', schema } }])
  await person.sees('◆  Unlock with?')
  person.types('hunter2', keys.enter)
  await person.sees(/▪{7}\n└ {2}expected at least 8 characters/)
  person.types('2', keys.enter)
  const { answers, written } = await person.leaves()
  expect(answers).toEqual([accepted('hunter22')])
  expect(written).not.toContain('hunter')
})

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

test.concurrent('a flat object is a form: defaults filled in, back, and all shown and changeable before it is sent', async () => {
  const person = seat([{ request: room }])
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
  person.types('y')
  await person.sees('◆  note (4 of 4)')
  person.types(keys.enter)
  await person.sees(
    /● Send\n│ {2}○ Your name: Ada L\.\n│ {2}○ size: 3\n│ {2}○ quiet: Yes\n│ {2}○ note: \(left out\)/,
  )
  person.types(keys.down, keys.down, keys.enter)
  await person.sees(/◆ {2}size[^◆]*3█/)
  person.types('0', keys.enter)
  await person.sees(/◆ {2}Send this[^◆]*size: 30/)
  person.types(keys.enter)
  const { answers } = await person.leaves()
  expect(answers).toEqual([accepted({ name: 'Ada L.', size: 30, quiet: true })])
})

test.concurrent('a form that does not fit as a whole is not sent: what is wrong is said, and it can be changed', async () => {
  const schema = {
    type: 'object',
    properties: { mail: { type: 'string' }, phone: { type: 'string' } },
    minProperties: 1,
  }
  const person = seat([{ request: { id: 'a', text: 'Reach you where?', schema } }])
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

test.concurrent('a secret of a form is shown nowhere, also not where all is shown before it is sent', async () => {
  const schema = {
    type: 'object',
    properties: { user: { type: 'string' }, password: { type: 'string' } },
    required: ['user', 'password'],
  }
  const person = seat([{ request: { id: 'a', text: 'Sign in', schema } }])
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

test.concurrent('a line longer than the terminal is wide keeps its bar while it is typed, and after', async () => {
  const person = seat([
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
