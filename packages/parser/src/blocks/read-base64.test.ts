import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { startReading } from '../reading/reading.ts'
import { readBase64 } from './read-base64.ts'

/** Returns the repaired text and the repairs that the warning names. */
function repair(text: string) {
  const reading = { ...startReading('tool', 'value'), block: 0 }
  const read = readBase64(text, '/data', reading)
  const [, done] =
    /^The base64 was repaired: (.*)\.$/.exec(reading.warnings[0]?.message ?? '') ?? []
  return read && { ...read, repairs: done?.split(', ') ?? [] }
}

/** Whether a text is accepted unchanged, without a warning. */
function isBase64(text: string): boolean {
  const reading = { ...startReading('tool', 'value'), block: 0 }
  return readBase64(text, '/data', reading)?.base64 === text && reading.warnings.length === 0
}

/** RFC 4648 section 4 with zero unused bits, as a grammar. It is slow and correct. */
const grammar =
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/

test.for(['', 'QQ==', 'QUI=', 'QUJD', '////', '++++', 'QUJDRA=='])('%j is base64', (text) => {
  expect(isBase64(text)).toBe(true)
})

test.for([
  ['Q', 'a single character'],
  ['QQ', 'no padding'],
  ['QQ=', 'half the padding'],
  ['QQ===', 'too much padding'],
  ['====', 'nothing but padding'],
  ['Q===', 'one character and padding'],
  ['QR==', 'unused bits that are not zero'],
  ['QUJ=', 'unused bits that are not zero'],
  ['QQ==QQ==', 'padding in the middle'],
  ['QQ=Q', 'padding before the end'],
  ['=QQQ', 'padding at the start'],
  ['QUJD\n', 'a newline at the end'],
  ['QU\nJD==', 'a newline inside'],
  ['QU JD', 'a space'],
  ['-_-_', 'the URL alphabet'],
  ['QU*D', 'a stray character'],
  ['QUJD\0\0\0\0', 'NUL'],
  ['\u0141Q==', 'a wide character whose low byte is a letter'],
  ['QUJ\u0144', 'a wide character at the end'],
  ['data:,QQ', 'a data: URI'],
] as const)('%j is not: %s', ([text]) => {
  expect(isBase64(text)).toBe(false)
})

test('every character at every place of a group is checked by the grammar', () => {
  const misjudged: string[] = []
  for (const group of ['QUJD', 'QUI=', 'QQ==']) {
    for (let index = 0; index < 4; index += 1) {
      for (let code = 0; code <= 0xffff; code += 1) {
        const text = `QUJD${group.slice(0, index)}${String.fromCharCode(code)}${group.slice(index + 1)}`
        if (isBase64(text) !== grammar.test(text)) misjudged.push(text)
      }
    }
  }
  expect(misjudged).toEqual([])
})

test('output of the Node.js encoder is base64, and is not base64 with one wrong character', () => {
  const broken = fc.constantFrom('-', '_', ' ', '\n', '=', '*', '\0', 'é', 'Ł', '\u{1F600}')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), broken, fc.nat(), (bytes, wrong, position) => {
      const text = Buffer.from(bytes).toString('base64')
      expect(isBase64(text)).toBe(true)
      const index = position % (text.length + 1)
      for (const other of [
        text.slice(0, index) + wrong + text.slice(index + 1),
        `${text}${wrong}`,
      ]) {
        expect(isBase64(other)).toBe(grammar.test(other))
      }
    }),
  )
})

test('long text is checked in pieces, and a wrong character is found in each', () => {
  const text = 'QUJD'.repeat(100_000)
  expect(isBase64(text)).toBe(true)
  expect(isBase64(`${text}QQ==`)).toBe(true)
  for (const index of [0, 65_535, 65_536, 131_071, 200_000, 399_999]) {
    for (const wrong of ['*', '=', '\n', '-', 'Ł']) {
      expect(isBase64(text.slice(0, index) + wrong + text.slice(index + 1))).toBe(false)
    }
  }
})

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
] as const)('%j is repaired to %j', ([text, base64, repairs]) => {
  expect(repair(text)).toEqual({ base64, repairs })
})

test.for([
  ['data:image/png;base64,QUJD', 'image/png'],
  ['DATA:image/png;charset=x;BASE64,QUJD', 'image/png'],
  [' data:image/png;base64,QUJD\n', 'image/png'],
  ['data:;base64,QUJD', undefined],
] as const)('%j is extracted from its data: URI', ([text, mimeType]) => {
  const read = repair(text)
  expect(read?.base64).toBe('QUJD')
  expect(read?.mimeType).toBe(mimeType)
  expect(read?.repairs).toContain('extracted from a data: URI')
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
] as const)('%j is not repaired: %s', ([text]) => {
  expect(repair(text)).toBeUndefined()
})

test('white space, the URL alphabet and missing padding do not change the bytes', () => {
  const space = fc.constantFrom('', '\n', '\r\n', ' ')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), space, (bytes, between) => {
      const base64 = Buffer.from(bytes).toString('base64')
      const url = Buffer.from(bytes).toString('base64url')
      const spaced = (text: string): string => text.replaceAll(/.{1,7}/g, `$&${between}`)
      expect(repair(spaced(base64))?.base64).toBe(base64)
      expect(repair(spaced(url))?.base64).toBe(base64)
    }),
  )
})

test('clearing unused bits does not change the decoded bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.nat(15), (bytes, spare) => {
      const clean = Buffer.from(bytes).toString('base64')
      const index = clean.indexOf('=') - 1
      fc.pre(index >= 0)
      const bits = clean.endsWith('==') ? spare : spare % 4
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
      const set = alphabet.charAt(alphabet.indexOf(clean.charAt(index)) | bits)
      const dirty = `${clean.slice(0, index)}${set}${clean.slice(index + 1)}`
      expect(repair(dirty)?.base64).toBe(clean)
    }),
  )
})
