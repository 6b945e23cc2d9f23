import { expect, test } from 'vitest'
import { seatNear } from './person/at-streams.suite.ts'
import { keys } from './person/keys.suite.ts'
import { accepted } from './person/put-questions.suite.ts'

const go = { request: { id: 'go', text: 'Go on?', schema: { type: 'boolean' } } }
const which = { request: { id: 'which', text: 'Which?', schema: { enum: ['this', 'that'] } } }

test('yes and no stand beside each other, and the one that was chosen stays', async () => {
  const person = seatNear([go])
  expect(await person.sees(/◆ {2}Go on\?[^]*└/)).toMatch(/│ {2}[●○] Yes \/ [●○] No\n└/)
  person.types('y')
  const { answers, screen } = await person.leaves()
  expect(answers).toEqual([accepted(true)])
  expect(screen).toMatch(/◇ {2}Go on\?\n│ {2}Yes/)
})

test.for([
  ['Esc', keys.escape],
  ['Ctrl-C', keys.interrupt],
] as const)('%s leaves no choice behind that could be taken for an answer', async ([, key]) => {
  const person = seatNear([go, which])
  await person.sees(/◆ {2}Go on\?[^]*└/)
  person.types(key)
  if (key === keys.escape) {
    await person.sees(/What instead\?[^]*○ Cancel/)
    person.types(keys.down, keys.down, keys.enter)
  }
  await person.sees(/◆ {2}Which\?[^]*this/)
  person.types(keys.interrupt)
  const { screen } = await person.leaves()
  expect(screen).toMatch(/■ {2}Go on\?/)
  expect(screen).toMatch(/■ {2}Which\?/)
  expect(screen).not.toMatch(/Yes|No\b|this|that/)
})
