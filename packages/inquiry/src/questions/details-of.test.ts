import { expect, test } from 'vitest'
import { detailsOf } from './details-of.ts'

test.for([
  [{ minLength: 1 }, 'at least 1 character'],
  [{ maxLength: 1 }, 'at most 1 character'],
  [{ minLength: 1, maxLength: 1 }, '1 character'],
  [{ maxLength: 11 }, 'at most 11 characters'],
  [{ minLength: 1, maxLength: 11 }, '1 to 11 characters'],
  [{ format: 'email', minLength: 6 }, 'email · at least 6 characters'],
] as const)('%j is told as "%s"', ([schema, told]) => {
  expect(detailsOf(schema)).toEqual([told])
})
