import { expect, test } from 'vitest'
import { createHeaders, NOT_SENT } from './not-sent.ts'

test('a later header replaces an earlier one of the same name', () => {
  const headers = createHeaders([
    ['Accept', 'text/html'],
    ['x-own', ' 1 '],
    ['accept', 'application/json'],
  ])
  expect([...headers]).toEqual([
    ['accept', 'application/json'],
    ['x-own', '1'],
  ])
})

test.for(['a\nb', '\u0142'])(
  'the header %j cannot be sent, and the error does not quote it',
  (value) => {
    const send = (): Headers => createHeaders([['x-own', value]])
    expect(send).toThrow(
      expect.objectContaining({
        message: 'fetch failed',
        cause: expect.objectContaining({
          code: NOT_SENT,
          message: expect.stringContaining('the header "x-own"'),
        }),
      }),
    )
  },
)
