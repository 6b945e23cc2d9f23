import { expect, test } from 'vitest'
import { prepareQuestion } from './prepare-question.ts'

const request = { id: 'a', text: 'Which?', default: 'a' }

test('a default that fits is offered', async () => {
  const prepared = await prepareQuestion({ ...request, schema: { type: 'string' } })
  expect(prepared).toMatchObject({ ok: true, question: { request, warnings: [] } })
})

test.for([
  ['does not fit', { type: 'integer' }],
  ['nobody can check', { pattern: '^(?=a)' }],
] as const)('a default that %s is dropped, and that is said', async ([, schema]) => {
  const prepared = await prepareQuestion({ ...request, schema })
  expect(prepared).toMatchObject({
    ok: true,
    question: { warnings: [{ path: '/default', code: 'invalid-default' }] },
  })
  expect(prepared.ok && 'default' in prepared.question.request).toBe(false)
})
