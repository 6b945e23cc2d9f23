import { booleanQuestion, selectQuestion, textQuestion } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { seatNear, type NearPerson } from '../person/at-streams.suite.ts'
import { keys } from '../person/keys.suite.ts'
import { accepted } from '../person/put-questions.suite.ts'

/** A person who pressed Esc at the only question. */
async function seatAtMenu(): Promise<NearPerson> {
  const person = seatNear([{ request: textQuestion({ id: 'a', text: 'First?' }) }])
  await person.sees('◆  First?')
  person.types(keys.escape)
  await person.sees('● Back to the question')
  return person
}

test('Esc offers the question again, declining and cancelling', async () => {
  const person = seatNear([
    { request: textQuestion({ id: 'a', text: 'First?' }) },
    { request: selectQuestion({ id: 'b', text: 'Second?', options: ['x'] }) },
    { request: booleanQuestion({ id: 'c', text: 'Third?', default: false }) },
  ])
  await person.sees('◆  First?')
  person.types(keys.escape)
  expect(await person.sees('● Back to the question')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    ■  First?
    │
    │
    ◆  What instead?
    │  ● Back to the question
    │  ○ Decline
    │  ○ Cancel
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.enter)
  await person.sees(/◇ {2}What instead\?[^◆]*◆ {2}First\?/)
  person.types('x', keys.enter)
  await person.sees('◆  Second?')
  person.types(keys.escape)
  await person.sees(/◆ {2}What instead\?/)
  person.types(keys.down)
  expect(await person.sees('● Decline')).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    ■  First?
    │
    │
    ◇  What instead?
    │  Back to the question
    │
    ◇  First?
    │  x
    ┌  edit_file asks · Esc: back, decline, cancel
    │
    ■  Second?
    │
    │
    │
    ◆  What instead?
    │  ○ Back to the question
    │  ● Decline (the answer is no answer)
    │  ○ Cancel
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.enter)
  await person.sees(/Declined[^]*◆ {2}Third\?/)
  person.types(keys.escape)
  await person.sees(/◆ {2}What instead\?/)
  person.types(keys.up)
  expect(await person.sees('● Cancel')).toMatchInlineSnapshot(`
    "◇  First?
    │  x
    ┌  edit_file asks · Esc: back, decline, cancel
    │
    ■  Second?
    │
    │
    │
    ◇  What instead?
    │  Decline
    └  Declined

    ┌  edit_file asks · Esc: back, decline, cancel
    │
    ■  Third?
    │
    │
    ◆  What instead?
    │  ○ Back to the question
    │  ○ Decline
    │  ● Cancel (stop asking)
    │  ↑/↓ to navigate • Enter: confirm
    └"
  `)
  person.types(keys.enter)
  const { answers, screen } = await person.leaves()
  expect(answers).toEqual([
    accepted('x'),
    { action: 'decline', raw: false },
    { action: 'cancel', reason: 'user', raw: false },
  ])
  expect(screen).toMatchInlineSnapshot(`
    "◇  First?
    │  x
    ┌  edit_file asks · Esc: back, decline, cancel
    │
    ■  Second?
    │
    │
    │
    ◇  What instead?
    │  Decline
    └  Declined

    ┌  edit_file asks · Esc: back, decline, cancel
    │
    ■  Third?
    │
    │
    ◇  What instead?
    │  Cancel
    └  Cancelled"
  `)
})

test('Esc there goes back to the question, drawn as left', async () => {
  const person = await seatAtMenu()
  person.types(keys.escape)
  expect(await person.sees(/What instead\?[^◆]*◆ {2}First\?/)).toMatchInlineSnapshot(`
    "┌  edit_file asks · Esc: back, decline, cancel
    │
    ■  First?
    │
    │
    ■  What instead?
    │
    │
    │
    ◆  First?
    │  _
    └"
  `)
  person.types('x', keys.enter)
  expect((await person.leaves()).answers).toEqual([accepted('x')])
})

test.for([
  [keys.interrupt, 'user', 1],
  [keys.endOfInput, 'end-of-input', 0],
] as const)('%j there cancels: %s', async ([key, reason, interrupts]) => {
  const person = await seatAtMenu()
  person.types(key)
  expect((await person.leaves()).answers).toEqual([{ action: 'cancel', reason, raw: false }])
  expect(person.interrupts()).toBe(interrupts)
})

test('an abort there cancels', async () => {
  const person = await seatAtMenu()
  person.aborts()
  expect((await person.leaves()).answers).toEqual([
    { action: 'cancel', reason: 'aborted', raw: false },
  ])
})
