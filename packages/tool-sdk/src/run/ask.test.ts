import type { Answers, InputRequest } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { QuestionAsked, createAsk } from './ask.ts'

const schema = { type: 'array', items: { type: 'number' } } as const

/** What a run asks of each kind, with these answers. */
function askAll(answers: Answers) {
  const asked: InputRequest[] = []
  const ask = createAsk(answers, ({ request }) => void asked.push(request))
  return {
    asked,
    questions: [
      () => ask.boolean('yes', 'Go on?', { default: true }),
      () => ask.select('one', 'Which?', ['a', 'b'], { default: 'b' }),
      () => ask.text('words', 'Say it', { default: 'hello' }),
      () => ask.json('all', 'How many?', schema, { default: [1] }),
    ],
  }
}

test('an existing answer is returned, and nothing is asked', () => {
  const answers = { yes: false, one: 'b', words: '', all: [1, 2] }
  const { asked, questions } = askAll(answers)
  expect(questions.map((question) => question())).toEqual([false, 'b', '', [1, 2]])
  expect(asked).toEqual([])
})

test('a question without an answer ends the run, with its schema and its default', () => {
  const { asked, questions } = askAll(Object.create({ yes: true }))
  for (const question of questions) expect(question).toThrow(QuestionAsked)
  expect(asked).toMatchObject([
    { id: 'yes', text: 'Go on?', schema: { type: 'boolean' }, default: true },
    { id: 'one', text: 'Which?', schema: { enum: ['a', 'b'] }, default: 'b' },
    { id: 'words', text: 'Say it', schema: { type: 'string' }, default: 'hello' },
    { id: 'all', text: 'How many?', schema, default: [1] },
  ])
})

test('an answer of another type is an error that names the question, the actual and the expected type', () => {
  const { questions } = askAll({ yes: 'yes', one: 'c', words: 1, all: null })
  const [yes, one, askText, all] = questions
  expect(yes).toThrow('the answer to "yes" is "yes"; expected true or false')
  expect(one).toThrow('the answer to "one" is "c"; expected one of a, b')
  expect(askText).toThrow('the answer to "words" is 1; expected a text')
  // The host has checked it by the schema.
  expect(all?.()).toBeNull()
})
