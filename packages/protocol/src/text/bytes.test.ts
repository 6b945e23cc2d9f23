import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as anywhere from './bytes.ts'
import * as node from './bytes-node.ts'

describe.each([
  ['on any platform', anywhere.decodeBase64],
  ['in Node', node.decodeBase64],
] as const)('base64 is decoded %s', (_place, decodeBase64) => {
  test.for([
    ['', []],
    ['QQ==', [65]],
    ['QUI=', [65, 66]],
    ['QUJD', [65, 66, 67]],
    ['/+8=', [255, 239]],
    ['_-8', [255, 239]],
    ['Q U\nJ\tD', [65, 66, 67]],
  ] as const)('%j decodes to the bytes %j', ([base64, bytes]) => {
    expect([...decodeBase64(base64)]).toEqual(bytes)
  })

  test('any bytes are restored', () => {
    fc.assert(
      fc.property(fc.uint8Array({ max: 255, maxLength: 100 }), (bytes) => {
        expect([...decodeBase64(Buffer.from(bytes).toString('base64'))]).toEqual([...bytes])
        expect([...decodeBase64(Buffer.from(bytes).toString('base64url'))]).toEqual([...bytes])
      }),
    )
  })

  test('a megabyte is restored', () => {
    const bytes = Uint8Array.from({ length: 2 ** 20 }, (_, index) => (index * 7919) % 256)
    expect(Buffer.from(decodeBase64(Buffer.from(bytes).toString('base64'))).equals(bytes)).toBe(
      true,
    )
  })
})

describe.each([
  ['on any platform', anywhere.countBytes],
  ['in Node', node.countBytes],
] as const)('bytes are counted %s', (_place, countBytes) => {
  test.for([
    ['', 0],
    ['a', 1],
    ['é', 2],
    ['€', 3],
    ['😀', 4],
    ['\ud83d', 3],
    ['\ude00\ud83d', 6],
  ] as const)('%j has %i bytes', ([text, count]) => {
    expect(countBytes(text)).toBe(count)
  })

  test('the count is the length of the encoded text', () => {
    const anyText = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(anyText, fc.nat(40_000), (text, before) => {
        const long = `${'a'.repeat(before)}${text.repeat(3)}`
        expect(countBytes(long)).toBe(new TextEncoder().encode(long).length)
      }),
    )
  })

  test.for(['é', '€', '😀', '\ud83d', '\ude00'])(
    '%j is counted across the pieces of a text',
    (character) => {
      for (let before = 8180; before <= 8200; before += 1) {
        const text = 'a'.repeat(before) + character.repeat(3)
        expect(countBytes(text)).toBe(new TextEncoder().encode(text).length)
      }
    },
  )
})
