import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as anywhere from './sha256.ts'
import * as node from './sha256-node.ts'

describe.each([
  ['on any platform', anywhere.sha256],
  ['in Node', node.sha256],
] as const)('SHA-256 %s', (_place, sha256) => {
  // The examples of FIPS 180-4.
  test.for([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ] as const)('of %.10s… is %s', ([text, digest]) => {
    expect(Buffer.from(sha256(text), 'base64').toString('hex')).toBe(digest)
  })

  test('is that of a text of any length, as UTF-8', () => {
    for (let length = 0; length < 200; length += 1) {
      const text = 'é'.repeat(length)
      expect(sha256(text)).toBe(createHash('sha256').update(text).digest('base64'))
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(sha256(text)).toBe(createHash('sha256').update(text).digest('base64'))
      }),
    )
  })
})
