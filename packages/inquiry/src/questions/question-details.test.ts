import { expect, test } from 'vitest'
import { getDetails } from './question-details.ts'

test.for([
  [{ minLength: 1 }, 'at least 1 character'],
  [{ maxLength: 1 }, 'at most 1 character'],
  [{ minLength: 1, maxLength: 1 }, '1 character'],
  [{ maxLength: 11 }, 'at most 11 characters'],
  [{ minLength: 1, maxLength: 11 }, '1 to 11 characters'],
  [{ minLength: 10 }, 'at least 10 characters'],
  [{ minItems: 2, maxItems: 2, items: { enum: [1, 2, 3] } }, 'choose 2'],
  [{ minItems: 0, items: { anyOf: [] } }, 'choose at least 0'],
  [{ maxItems: 3 }, 'at most 3 items'],
  [{ minItems: 1, items: { type: 'string' } }, 'at least 1 item'],
  [{ minimum: -1, maximum: 1 }, '-1 to 1'],
  [{ format: 'email', minLength: 6 }, 'email · at least 6 characters'],
  [
    { maxLength: 2, maximum: 3, maxItems: 4, format: 'f' },
    'f · at most 4 items · at most 3 · at most 2 characters',
  ],
] as const)('%j is described as "%s"', ([schema, detail]) => {
  expect(getDetails(schema)).toEqual([detail])
})

test.for([
  true,
  {},
  { format: 'password' },
  { format: 7, minLength: '1', maximum: null, description: '' },
  { description: 7 },
])('%j has no description', (schema) => {
  expect(getDetails(schema)).toEqual([])
})

test('the description is first, on its own line; a note about optional values is last', () => {
  const schema = { description: 'How many.', minimum: 1 }
  expect(getDetails(schema)).toEqual(['How many.', 'at least 1'])
  expect(getDetails(schema, 'optional')).toEqual(['How many.', 'at least 1 · optional'])
  expect(getDetails({ description: 'How many.' })).toEqual(['How many.'])
  expect(getDetails({}, 'optional')).toEqual(['optional'])
})
