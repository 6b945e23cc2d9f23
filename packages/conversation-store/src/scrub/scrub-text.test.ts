import fc from 'fast-check'
import { encodeHTML } from 'entities'
import { expect, test } from 'vitest'
import {
  anyChain,
  anySecret,
  anySurrounding,
  decodings,
  getForms,
} from '../compliance/encodings.suite.ts'
import { createScrubber } from './scrub-text.ts'
import { countForms } from './secret-forms.ts'

const SECRET = 'p"ss/wörd-1'

const makeBytes = (text: string): Uint8Array => Buffer.from(text)

const getText = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

const scrubText = (text: string, value = SECRET): string =>
  getText(createScrubber(value, 'exact').text(makeBytes(text)))

const inHex = (text: string): string => Buffer.from(text).toString('hex')

const inBase64 = (text: string): string => Buffer.from(text).toString('base64')

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

const everyByte = (text: string): string => inHex(text).replaceAll(/../g, '%$&')

const everyUnit = (text: string): string =>
  text.replaceAll(
    /[^]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
  )

test.for([
  ['as it is', SECRET, 'as-is'],
  ['in JSON', inJson(SECRET), 'json-escapes'],
  ['in JSON in JSON', inJson(inJson(SECRET)), 'json-escapes'],
  ['in JSON of ASCII, in capitals', everyUnit(SECRET), 'json-escapes'],
  ['as Python writes bytes', 'p"ss/w\\xc3\\xb6rd-1', 'json-escapes'],
  ['as JavaScript may write it', '\\u{70}\\x22ss\\/w\\xf6rd-1', 'json-escapes'],
  ['in an address', encodeURIComponent(SECRET), 'percent-encoding'],
  ['in an address, every byte', everyByte(SECRET), 'percent-encoding'],
  ['in an address in an address', encodeURIComponent(everyByte(SECRET)), 'percent-encoding'],
  ['in HTML', encodeHTML(SECRET), 'html-entities'],
  ['in HTML, with numbers', 'p&#34;ss/w&#xF6;rd-&#0000049;', 'html-entities'],
  ['in a JSON Pointer', 'p"ss~1wörd-1', 'json-pointer'],
  ['decomposed', SECRET.normalize('NFD'), 'unicode-normalization'],
  ['in hexadecimal', inHex(SECRET).toUpperCase(), 'hexadecimal'],
  ['in hexadecimal with colons', inHex(SECRET).replaceAll(/..(?!$)/g, '$&:'), 'hexadecimal'],
  ['in hexadecimal as C has it', inHex(SECRET).replaceAll(/../g, '0x$&, '), 'hexadecimal'],
  ['in base64', inBase64(SECRET), 'base64'],
  ['in base64 twice', inBase64(inBase64(SECRET)), 'base64'],
  ['in base64 of lines', inBase64(SECRET).replaceAll(/..../g, '$&\r\n  '), 'base64'],
  ['in base64 in an address', encodeURIComponent(inBase64(SECRET)), 'base64'],
  ['in base64 of lines in JSON', inJson(inBase64(SECRET).replaceAll(/..../g, '$&\n')), 'base64'],
  ['across colours', 'p"s\u001b[1;31ms/wö\u001b[0mrd-1', 'color-codes'],
  ['across colours in JSON', inJson('p"s\u001b[1;31ms/wö\u001b[0mrd-1'), 'color-codes'],
  ['across a link', 'p"s\u001b]8;;https://a.b\u001b\\s/wörd\u001b]8;;\u0007-1', 'color-codes'],
  ['across lines', 'p"ss\n    /wör\r\nd-1', 'line-breaks'],
] as const)('a value is found %s, and its form is counted', ([, written, form]) => {
  const scrubber = createScrubber(SECRET, 'exact')
  const scrubbed = getText(scrubber.text(makeBytes(`https://x/?a=${written}&b=1`)))
  const counts = countForms(scrubber.removed, 'exact')
  expect(counts.find((count) => count.form === form)?.removed).toBe(1)
  expect(scrubbed.startsWith('https://x/?a=')).toBe(true)
  expect(scrubbed.endsWith('&b=1')).toBe(true)
  expect(scrubbed).not.toContain(written)
  expect(createScrubber(SECRET, 'exact').text(makeBytes(scrubbed))).toEqual(makeBytes(scrubbed))
})

test('a mark replaces the value, and what interrupted the value stays', () => {
  expect(scrubText(`a ${SECRET} b`)).toBe('a [scrubbed] b')
  expect(scrubText('a p"s\u001b[1ms/w\nörd-1 b')).toBe('a [scrubbed]\u001b[1m\n b')
})

test('texts that only resemble the value stay', () => {
  const text = 'p"ss/wörd-2, cGFzc3dvcmQ=, p"ss/w%F6rd-1, P"ss/wörd-1'
  expect(scrubText(text)).toBe(text)
})

test('ignores letter case if requested', () => {
  const scrub = (text: string): [string, readonly string[]] => {
    const scrubber = createScrubber('Straße-Token', 'ignored')
    const scrubbed = getText(scrubber.text(makeBytes(text)))
    const counts = countForms(scrubber.removed, 'ignored').filter(({ removed }) => removed > 0)
    return [scrubbed, counts.map(({ form }) => form)]
  }
  expect(scrub('a STRASSE-TOKEN b')).toEqual([
    'a [scrubbed] b',
    ['unicode-normalization', 'letter-case'],
  ])
  expect(scrub('a straße-token b')).toEqual(['a [scrubbed] b', ['letter-case']])
  expect(scrub(`a ${inHex('sTRAßE-tOKEN')} b`)[1]).toEqual(['hexadecimal', 'letter-case'])
})

test('finds a value of several lines, however its lines are broken', () => {
  const key = '-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END KEY-----\n'
  for (const written of [key, key.replaceAll('\n', '\r\n    '), inJson(key), inBase64(key)])
    expect(scrubText(`a ${written}`, key)).not.toMatch(/MIIE|hkiG|TUlJ|aGtp/)
})

test('a value that the mark would create again gets another mark', () => {
  for (const value of ['scrubbed', '[scrub', 'bed]] [', 'x[scrubbed]', '******', 'ab****'])
    for (const written of [value, value + value, inBase64(value), inBase64(value + value)]) {
      const scrubbed = scrubText(`${written}${written}`, value)
      expect(scrubbed).not.toContain(value)
      expect(scrubText(scrubbed, value)).toBe(scrubbed)
    }
})

test('JSON keeps every byte beside the value, which may be a name or a number', () => {
  const scrub = (json: string, value: string, names?: ReadonlyMap<string, string>): string =>
    getText(createScrubber(value, 'exact').json(makeBytes(json), names))
  const json = `{"a" : -0, "b":[1e999,  "\\u0041\\ud800"], "c":"\\u00e9 xx hunter2 yy\\/", "hunter2":1}`
  expect(scrub(json, 'hunter2')).toBe(
    json.replace('xx hunter2 yy', 'xx [scrubbed] yy').replace('"hunter2"', '"[scrubbed]"'),
  )
  expect(scrub('{"pin":[123456,1234567,12345]}', '123456')).toBe('{"pin":[0,0,12345]}')
  const name = 'ab'.repeat(32)
  expect(scrub(`["${name}"]`, 'abababab', new Map([[name, name]]))).toBe(`["${name}"]`)
})

test('base64 whose characters spell the value stays base64', () => {
  const bytes = Buffer.from('aaaaSECRETkeyaaa', 'base64')
  const scrubbed = Buffer.from(createScrubber('SECRETkey', 'exact').base64(bytes))
  expect(scrubbed.toString('base64')).toBe('aaaaAAAAAAAAAaaa')
})

const anyBytes = fc.uint8Array({ maxLength: 9 })

test('law: in base64 and hexadecimal only the bits of the value change', () => {
  const encodings = fc.constantFrom('base64', 'base64url', 'hex')
  fc.assert(
    fc.property(anyBytes, anyBytes, encodings, (before, after, encoding) => {
      const encoded = Buffer.concat([before, Buffer.from(SECRET), after]).toString(encoding)
      const scrubbed = scrubText(`a ${encoded} b`)
      expect(scrubbed).toHaveLength(encoded.length + 4)
      const fill = Buffer.from('*'.repeat(Buffer.from(SECRET).length))
      const decoded = Buffer.from(scrubbed.slice(2, -2), encoding)
      expect(decoded).toEqual(Buffer.concat([before, fill, after]))
    }),
  )
})

test('law: the number of bytes, and the bytes around the value, stay the same', () => {
  const around = fc.uint8Array({ maxLength: 20 })
  fc.assert(
    fc.property(around, around, (before, after) => {
      const bytes = Buffer.concat([before, Buffer.from(SECRET), after])
      const scrubbed = Buffer.from(createScrubber(SECRET, 'exact').bytes(bytes))
      const fill = Buffer.from('*'.repeat(Buffer.from(SECRET).length))
      expect(scrubbed).toEqual(Buffer.concat([before, fill, after]))
    }),
  )
})

/** Separates a value from the text beside it, so that they are not read together. */
const SEAM = ' ! '

test('law: no decoder finds a secret in any two encodings after a scrub, and everything else stays', () => {
  fc.assert(
    fc.property(
      anySecret,
      anyChain,
      anySurrounding,
      anySurrounding,
      (secret, write, before, after) => {
        const text = `${before}${SEAM}${write(secret)}${SEAM}${after}`
        const bytes = createScrubber(secret, 'exact').text(Buffer.from(text))
        const scrubbed = Buffer.from(bytes).toString()
        expect(scrubbed.startsWith(before + SEAM)).toBe(true)
        expect(scrubbed.endsWith(SEAM + after)).toBe(true)
        const read = decodings(scrubbed)
        for (const form of getForms(secret))
          expect(read.filter((each) => each.includes(form))).toEqual([])
      },
    ),
    { numRuns: 300 },
  )
})

test('law: a secret is found in no letter case if letter case is ignored', () => {
  const anyCase = fc.constantFrom('toUpperCase', 'toLowerCase')
  fc.assert(
    fc.property(anySecret, anyChain, anyCase, (secret, write, change) => {
      const text = `a ${write(secret[change]())} b`
      const bytes = createScrubber(secret, 'ignored').text(Buffer.from(text))
      const read = decodings(Buffer.from(bytes).toString())
      const lower = new Set(
        getForms(secret).flatMap((form) =>
          [form, form.toUpperCase()].map((each) => each.toLowerCase()),
        ),
      )
      for (const form of lower)
        expect(read.filter((each) => each.toLowerCase().includes(form))).toEqual([])
    }),
    { numRuns: 100 },
  )
})
