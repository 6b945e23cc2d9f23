import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { repairBase64 } from './repair-base64.ts'

test.for([
  ['QU\r\nJD\n', 'QUJD', ['white space removed']],
  [' QQ = =\t', 'QQ==', ['white space removed']],
  ['QQ', 'QQ==', ['padding added']],
  ['QUI', 'QUI=', ['padding added']],
  ['QR==', 'QQ==', ['unused bits cleared']],
  ['QUJ=', 'QUI=', ['unused bits cleared']],
  ['QR', 'QQ==', ['padding added', 'unused bits cleared']],
  ['-_-_', '+/+/', ['URL alphabet replaced']],
  ['-w', '+w==', ['URL alphabet replaced', 'padding added']],
  ['-w==\n', '+w==', ['white space removed', 'URL alphabet replaced']],
] as const)('%j becomes %j', ([text, base64, repairs]) => {
  expect(repairBase64(text)).toEqual({ base64, repairs })
})

test.for([
  ['data:image/png;base64,QUJD', 'image/png'],
  ['DATA:image/png;charset=x;BASE64,QUJD', 'image/png'],
  [' data:image/png;base64,QUJD\n', 'image/png'],
  ['data:;base64,QUJD', undefined],
] as const)('%j is taken out of its data: URI', ([text, mimeType]) => {
  const read = repairBase64(text)
  expect(read?.base64).toBe('QUJD')
  expect(read?.mimeType).toBe(mimeType)
  expect(read?.repairs).toContain('taken out of a data: URI')
})

test.for([
  ['Q', 'a single character cannot be padded'],
  ['QQ=', 'half the padding'],
  ['QQ==QQ==', 'two texts in one'],
  ['+/-_', 'both alphabets'],
  ['QU*D', 'a stray character'],
  ['data:image/png,QUJD', 'a data: URI that is not base64'],
  ['data:image/png;base64', 'a data: URI without data'],
  ['https://example.com/a.png', 'an address'],
  ['{"a":1}', 'JSON'],
] as const)('%j stays broken: %s', ([text]) => {
  expect(repairBase64(text)).toBeUndefined()
})

test('white space, the URL alphabet and missing padding never change the bytes', () => {
  const space = fc.constantFrom('', '\n', '\r\n', ' ')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), space, (bytes, between) => {
      const base64 = Buffer.from(bytes).toString('base64')
      const url = Buffer.from(bytes).toString('base64url')
      const spaced = (text: string): string => text.replaceAll(/.{1,7}/g, `$&${between}`)
      expect(repairBase64(spaced(base64))?.base64).toBe(base64)
      expect(repairBase64(spaced(url))?.base64).toBe(base64)
    }),
  )
})

test('cleared bits are bits of no byte: what is decoded stays', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.nat(15), (bytes, spare) => {
      const clean = Buffer.from(bytes).toString('base64')
      const at = clean.indexOf('=') - 1
      fc.pre(at >= 0)
      const bits = clean.endsWith('==') ? spare : spare % 4
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
      const set = alphabet.charAt(alphabet.indexOf(clean.charAt(at)) | bits)
      const dirty = `${clean.slice(0, at)}${set}${clean.slice(at + 1)}`
      expect(repairBase64(dirty)?.base64).toBe(clean)
    }),
  )
})
