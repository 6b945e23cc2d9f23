import { expect, test } from 'vitest'
import { prepareQuestion } from './prepare-question.ts'

const request = { id: 'a', text: 'Which?', default: 'a' }

test('a valid default is offered', async () => {
  const prepared = await prepareQuestion({ ...request, schema: { type: 'string' } })
  expect(prepared).toMatchObject({ ok: true, question: { request, warnings: [] } })
})

test.for([
  ['does not fit', { type: 'integer' }, 'expected integer, got string "a"'],
  [
    'nobody can check',
    { pattern: '^(?=a)' },
    'the pattern cannot be checked in linear time: it has look-around',
  ],
] as const)('a default that %s is removed, and a warning says so', async ([, schema, reason]) => {
  const prepared = await prepareQuestion({ ...request, schema })
  const message = `the default of the question "a" is not used: ${reason}`
  expect(prepared.ok && prepared.question.warnings).toEqual([
    { path: '/default', message, code: 'invalid-default' },
  ])
  expect(prepared.ok && 'default' in prepared.question.request).toBe(false)
})

test.for([
  ['one line', ' Which? ', 'Which?', []],
  ['several', ' \nWhich?  \n one ', 'Which?', ['Which?  \n one']],
  ['lines of another system', 'Which?\r\none', 'Which?', ['Which?\r\none']],
  ['lines that are overwritten', 'Which?\rone', 'Which?', ['Which?\rone']],
] as const)(
  'the first line of %s is the label, and several lines are shown completely',
  async ([, text, label, material]) => {
    const prepared = await prepareQuestion({ id: 'a', text, schema: true })
    expect(prepared).toMatchObject({
      ok: true,
      question: {
        request: { id: 'a', text: label, schema: true },
        material: material.map((whole) => ({ type: 'text', text: whole })),
      },
    })
  },
)

test('a question with an invalid schema is not asked', async () => {
  expect(await prepareQuestion({ ...request, schema: { type: 'odd' } })).toMatchObject({
    ok: false,
    problems: [{ path: '/type' }],
  })
})
