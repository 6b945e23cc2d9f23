import { textQuestion, type InputRequest } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { seatNear } from './person/at-streams.support.ts'
import { keys } from './person/keys.support.ts'

const next = { request: textQuestion({ id: 'z', text: 'Next?' }) }

const kinds: readonly [string, InputRequest, string, string][] = [
  ['text', { id: 'a', text: 'Which?', schema: { type: 'string', minLength: 3 } }, 'ab', 'ab'],
  [
    'a secret',
    { id: 'b', text: 'Which?', schema: { type: 'string', format: 'password', minLength: 3 } },
    'ab',
    '▪▪',
  ],
]

test.for(kinds)('an empty field for %s shows a cursor', async ([, request]) => {
  const person = seatNear([{ request }])
  expect(await person.sees('◆  Which?')).toMatch(
    /◆ {2}Which\?\n│ {2}at least 3 characters\n│ {2}_\n└$/,
  )
  expect([person.look('_'), person.look('└'), person.look('at least')]).toEqual([
    'inverse hidden',
    'cyan',
    'dim',
  ])
  person.types(keys.interrupt)
  await person.leaves()
})

test.for(kinds)(
  '%s that is being typed is beside the bar of an open prompt',
  async ([, request, typed, seen]) => {
    const person = seatNear([{ request }])
    await person.sees('◆  Which?')
    person.types(typed)
    expect(await person.sees(seen)).toMatch(
      new RegExp(`◆ {2}Which\\?\\n│ {2}at least 3 characters\\n│ {2}${seen}[█_]\\n└$`),
    )
    expect([person.look(`│  ${seen}`), person.look(seen), person.look('◆')]).toEqual([
      'cyan',
      'plain',
      'cyan',
    ])
    person.types(keys.interrupt)
    await person.leaves()
  },
)

test.for(kinds)(
  'an invalid %s is yellow, with the problem under it',
  async ([, request, typed, seen]) => {
    const person = seatNear([{ request }])
    await person.sees('◆  Which?')
    person.types(typed, keys.enter)
    expect(await person.sees('└  expected')).toMatch(
      new RegExp(
        `▲ {2}Which\\?\\n│ {2}at least 3 characters\\n│ {2}${seen}█?\\n└ {2}expected at least 3 characters(, got 2)?$`,
      ),
    )
    const looks = ['▲', `│  ${seen}`, seen, '└', 'expected'].map(person.look)
    expect(looks).toEqual(['yellow', 'yellow', 'plain', 'yellow', 'yellow'])
    person.types(keys.interrupt)
    await person.leaves()
  },
)

test.for(kinds)('%s that was sent is dim, beside a gray bar', async ([, request, typed, seen]) => {
  const person = seatNear([{ request }, next])
  await person.sees('◆  Which?')
  person.types(`${typed}c`, keys.enter)
  const sent = `${seen}${seen === typed ? 'c' : '▪'}`
  const screen = await person.sees('◆  Next?')
  expect(screen).toContain(`◇  Which?\n│  at least 3 characters\n│  ${sent}\n┌`)
  expect([person.look(sent), person.look(`│  ${sent}`), person.look('◇')]).toEqual([
    'dim',
    'gray',
    'green',
  ])
  person.types(keys.interrupt)
  await person.leaves()
})

test.for(kinds)(
  '%s that was left is struck through, and an empty field stays empty',
  async ([, request, typed, seen]) => {
    const person = seatNear([{ request }])
    await person.sees('◆  Which?')
    person.types(typed)
    await person.sees(seen)
    person.types(keys.escape)
    expect(await person.sees('◆  What do you want to do?')).toContain(
      `■  Which?\n│  at least 3 characters\n│  ${seen}\n│\n│\n◆  What do you want to do?`,
    )
    expect([person.look(seen), person.look(`│  ${seen}`), person.look('■')]).toEqual([
      'dim strikethrough',
      'gray',
      'red',
    ])
    person.types(keys.enter)
    await person.sees(/Back to the question\n│\n◆ {2}Which\?/)
    person.types(keys.escape)
    expect(await person.sees(/◆ {2}What do you want to do\?[^◇]*$/)).toMatch(
      /■ {2}Which\?\n│ {2}at least 3 characters\n│\n│\n◆ {2}What do you want to do\?/,
    )
    person.types(keys.interrupt)
    await person.leaves()
  },
)
