import { expect, test } from 'vitest'
import type { AnswerQuestion, JsonSchema, QuestionContext } from '@toolblocks/protocol'
import { createTypedAnswers } from './demo-script.ts'

const context: QuestionContext = {
  blocks: [],
  source: { kind: 'question', call: { id: 'c', name: 't', arguments: {} } },
  signal: new AbortController().signal,
}
const ask = (
  typed: string,
  schema: JsonSchema,
  extra: Partial<QuestionContext> = {},
  otherwise?: AnswerQuestion,
) =>
  createTypedAnswers(new Map([['q', typed]]), otherwise)(
    { id: 'q', text: 'Q?', schema },
    { ...context, ...extra },
  )

test.for<[string, JsonSchema, unknown]>([
  ['true', { type: 'boolean' }, true],
  ['3', { type: 'integer' }, 3],
  ['3', { type: 'string' }, '3'],
  ['main', { enum: ['main'] }, 'main'],
  ['["a"]', { type: 'array' }, ['a']],
  ['yes', { type: 'boolean' }, 'yes'],
])('%s is parsed by the schema %j', async ([typed, schema, value]) => {
  expect(await ask(typed, schema)).toEqual({ action: 'accept', value })
})

test('a person is asked a question without a typed answer, or with an invalid one', async () => {
  const otherwise: AnswerQuestion = async () => ({ action: 'decline' })
  expect(
    await createTypedAnswers(new Map(), otherwise)({ id: 'q', text: 'Q?', schema: {} }, context),
  ).toEqual({
    action: 'decline',
  })
  const problems = [{ path: '', message: 'wrong' }]
  expect(await ask('yes', {}, { problems }, otherwise)).toEqual({ action: 'decline' })
  expect(await ask('yes', {}, { problems })).toEqual({ action: 'cancel', reason: 'nobody' })
})
