import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createShortIds } from './short-ids.ts'

test('a random id is shown by its first eight characters, or by as many as make it unique', () => {
  const ids = [
    '5e551011-0000-4000-8000-000000000000',
    'claude-code-0a1b2c3d-0000-4000-8000-000000000000',
    'codex-01990000-1111-7000-8000-000000000000',
    'codex-01990000-1222-7000-8000-000000000000',
    'lamps',
    'the-lamps-of-the-hall',
  ]
  expect(ids.map(createShortIds(ids))).toEqual([
    '5e551011',
    '0a1b2c3d',
    '01990000-11',
    '01990000-12',
    'lamps',
    'the-lamps-of-the-hall',
  ])
})

test('the short form of one id is not the beginning of another', () => {
  const id = fc.oneof(fc.uuid(), fc.string({ maxLength: 40 }), fc.constantFrom('a', 'a'.repeat(30)))
  fc.assert(
    fc.property(fc.uniqueArray(id, { minLength: 1 }), (ids) => {
      const shorten = createShortIds(ids)
      const long = ids.filter(({ length }) => length > 24)
      for (const one of long)
        expect(long.filter((other) => other.startsWith(shorten(one)))).toEqual([one])
    }),
  )
})
