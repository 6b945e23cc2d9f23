import fc from 'fast-check'
import { expect, test } from 'vitest'
import { putPayloads, takePayloads } from './payloads.ts'

const take = (value: unknown, limit = 4) => {
  const copy: unknown = JSON.parse(JSON.stringify(value))
  return { rest: copy, ...takePayloads(copy, limit) }
}

test('stores strings over the limit apart, with their place and how their bytes are decoded', () => {
  const { rest, payloads, blobs } = take({ a: 'four', b: ['twelve chars', { 'c/d': 'AAECAwQF' }] })
  expect(rest).toEqual({ a: 'four', b: ['', { 'c/d': '' }] })
  expect(new Set(payloads.map(({ path, as }) => `${path} ${as}`))).toEqual(
    new Set(['/b/0 text', '/b/1/c~1d base64']),
  )
  expect(blobs.map(({ bytes }) => bytes.length).toSorted((a, b) => a - b)).toEqual([6, 12])
})

test.for(['AAECAwQ', 'AAECAwQFB===', 'AAEC AwQF', 'AAECAwR='])(
  'base64 that is not in its canonical form is stored as text: %s',
  (text) => {
    expect(take([text]).payloads).toMatchObject([{ as: 'text' }])
  },
)

test('a string with half a surrogate pair has no bytes, so it stays in its event', () => {
  expect(take(['\ud800 and more'])).toMatchObject({ rest: ['\ud800 and more'], payloads: [] })
})

test('law: strings that were stored apart are restored', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.base64String({ maxLength: 12 }),
    fc.constant('😀'.repeat(4)),
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(text, fc.constant('__proto__')), tie('value'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(value, (original) => {
      const { rest, payloads, blobs } = take([original])
      const known = new Map(blobs.map(({ sha256, bytes }) => [sha256, bytes]))
      expect(putPayloads(rest, payloads, (sha256) => known.get(sha256))).toBeUndefined()
      expect(JSON.stringify(rest)).toBe(JSON.stringify([original]))
    }),
  )
})

test('returns the payload whose bytes or place are missing', () => {
  const { rest, payloads } = take({ a: 'twelve chars' })
  const [payload] = payloads
  expect(putPayloads(rest, payloads, () => undefined)).toBe(payload)
  expect(putPayloads({}, payloads, () => Buffer.from('x'))).toBe(payload)
  expect(
    putPayloads(rest, [{ path: '', sha256: '', as: 'text' }], () => Buffer.from('')),
  ).toBeDefined()
})
