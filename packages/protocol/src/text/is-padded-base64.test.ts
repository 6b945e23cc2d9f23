import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as anywhereBase64 from './is-padded-base64.ts'
import * as nodeBase64 from './is-padded-base64-node.ts'

describe.each([
  ['on any platform', anywhereBase64.isPaddedBase64],
  ['in Node', nodeBase64.isPaddedBase64],
] as const)('base64 is detected %s', (_place, isPaddedBase64) => {
  test.for(['', 'QQ==', 'QUI=', 'QUJD', '////', '++++', 'QUJDRA==', 'QR=='])(
    '%j is padded base64',
    (text) => {
      expect(isPaddedBase64(text)).toBe(true)
    },
  )

  test.for([
    'Q',
    'QQ',
    'QQ=',
    '=',
    '==',
    '===',
    '====',
    'A===',
    'QQ==\n',
    'Q Q=',
    '-_-_',
    'QQ=Q',
    'ŁUJD',
    'QUJ\0',
  ])('%j is not padded base64', (text) => {
    expect(isPaddedBase64(text)).toBe(false)
  })

  test('the check agrees with the grammar', () => {
    const grammar = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
    const text = fc.string({ unit: fc.constantFrom('A', 'z', '+', '/', '=', '-', '\n', 'é', 'Ł') })
    fc.assert(
      fc.property(fc.oneof(text, fc.base64String()), (any) => {
        expect(isPaddedBase64(any)).toBe(grammar.test(any) && !any.includes('\n'))
      }),
    )
  })

  test.for([65_535, 65_536, 65_540, 300_000])('one wrong character in %i is found', (length) => {
    const text = 'A'.repeat(length - (length % 4))
    expect(isPaddedBase64(text)).toBe(true)
    for (const index of [0, text.length / 2, text.length - 5])
      expect(isPaddedBase64(`${text.slice(0, index)}.${text.slice(index + 1)}`)).toBe(false)
  })
})
