import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyForm, anySecret, anySurrounding, decodings } from '../compliance/encodings.support.ts'
import { createScrubber, joinScrubbers } from './scrub-text.ts'
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
  ['in JSON of ASCII in JSON', inJson(everyUnit(SECRET)), 'json-escapes'],
  ['in JSON with escaped slashes', inJson(SECRET).replaceAll('/', '\\/'), 'json-escapes'],
  ['in an address', encodeURIComponent(SECRET), 'percent-encoding'],
  ['in an address, every byte', everyByte(SECRET), 'percent-encoding'],
  ['in an address in JSON', inJson(encodeURIComponent(SECRET)), 'percent-encoding'],
  ['in hexadecimal', inHex(SECRET), 'hexadecimal'],
  ['in hexadecimal, in capitals', inHex(SECRET).toUpperCase(), 'hexadecimal'],
  ['in base64', inBase64(SECRET), 'base64'],
  ['in base64 after one byte', inBase64(`a${SECRET}`), 'base64'],
  ['in base64 after two bytes', inBase64(`ab${SECRET}cd`), 'base64'],
  ['in base64url', Buffer.from(`??${SECRET}`).toString('base64url'), 'base64'],
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

test('a mark replaces the value', () => {
  expect(scrubText(`a ${SECRET} b`)).toBe('a [scrubbed] b')
})

test.for([
  ['characters that are numbers of HTML', 'p&#34;ss/w&#xF6;rd-1'],
  ['base64 of base64', inBase64(inBase64(SECRET))],
  ['base64 with line breaks', inBase64(SECRET).replaceAll(/..../g, '$&\n')],
  ['hexadecimal with colons', inHex(SECRET).replaceAll(/..(?!$)/g, '$&:')],
  ['colours inside', 'p"s\u001b[1ms/wörd-1'],
  ['decomposed characters', SECRET.normalize('NFD')],
] as const)('a value as %s is not found', ([, written]) => {
  expect(scrubText(written)).toBe(written)
})

test('texts that only resemble the value stay', () => {
  const text = 'p"ss/wörd-2, cGFzc3dvcmQ=, p"ss/w%F6rd-1, P"ss/wörd-1'
  expect(scrubText(text)).toBe(text)
})

test('ignores letter case if requested, in base64 and hexadecimal only of the whole value', () => {
  const scrub = (text: string): [string, readonly string[]] => {
    const scrubber = createScrubber('Straße-Token', 'ignored')
    const scrubbed = getText(scrubber.text(makeBytes(text)))
    const counts = countForms(scrubber.removed, 'ignored').filter(({ removed }) => removed > 0)
    return [scrubbed, counts.map(({ form }) => form)]
  }
  expect(scrub('a straße-TOKEN b')).toEqual(['a [scrubbed] b', ['letter-case']])
  expect(scrub('a Straße-Token b')).toEqual(['a [scrubbed] b', ['as-is']])
  expect(scrub('a STRA%C3%9FE-TOKEN b')).toEqual([
    'a [scrubbed] b',
    ['percent-encoding', 'letter-case'],
  ])
  expect(scrub(`a ${inHex('straße-token')} b`)[1]).toEqual(['hexadecimal'])
  expect(scrub(`a ${inBase64('sTrAßE-Token')} b`)[1]).toEqual([])
})

test('finds a value of several lines', () => {
  const key = '-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END KEY-----\n'
  for (const written of [
    key,
    inJson(key),
    inJson(inJson(key)),
    encodeURIComponent(key),
    inBase64(key),
  ])
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

test('law: no decoder finds a secret after a scrub, and everything else stays', () => {
  fc.assert(
    fc.property(
      anySecret,
      anyForm,
      anySurrounding,
      anySurrounding,
      (secret, write, before, after) => {
        const text = `${before}${SEAM}${write(secret)}${SEAM}${after}`
        const bytes = createScrubber(secret, 'exact').text(Buffer.from(text))
        const scrubbed = Buffer.from(bytes).toString()
        expect(scrubbed.startsWith(before + SEAM)).toBe(true)
        expect(scrubbed.endsWith(SEAM + after)).toBe(true)
        expect(decodings(scrubbed).filter((each) => each.includes(secret))).toEqual([])
      },
    ),
    { numRuns: 500 },
  )
})

test('a text that repeats the value 200,000 times loses it everywhere', () => {
  const scrubber = createScrubber('hunter2x', 'exact')
  const scrubbed = getText(scrubber.text(makeBytes('hunter2x '.repeat(200_000))))
  expect(scrubbed).toBe('[scrubbed] '.repeat(200_000))
  expect(scrubber.removed).toHaveLength(200_000)
})

test.for([
  ['token-1', 'token-2', ''],
  ['token-1', 'token-2', 'a'],
  ['secret-A', 'secret-B', 'ab'],
  ['Password', 'password', 'a'],
] as const)('scrubbing %s keeps %s, whose base64 is almost the same', ([value, other, before]) => {
  for (const after of ['', '!', '!!']) {
    const text = inBase64(before + other + after)
    expect(scrubText(text, value)).toBe(text)
    expect(scrubText(inBase64(before + value + after), value)).not.toBe(text)
  }
})

test('slashes and plus signs are found escaped once and twice, also in base64', () => {
  for (const slash of ['/', '\\/', '\\\\/', '\\\\\\/'])
    expect(scrubText(`"pass${slash}word-1"`, 'pass/word-1')).toBe('"[scrubbed]"')
  const value = '~~~>>>???key'
  for (const before of ['', 'a', 'ab']) {
    const coded = inBase64(before + value)
    const forms = [
      coded.replaceAll('/', '\\/'),
      coded.replaceAll('/', '\\\\/'),
      coded.replaceAll('+', '\\u002B').replaceAll('/', '\\u002F'),
      coded.replaceAll('+', '\\\\u002b').replaceAll('/', '\\\\u002f'),
    ]
    for (const form of forms) {
      const scrubbed = scrubText(form, value)
      expect(getText(Buffer.from(scrubbed, 'base64'))).toBe(before + '*'.repeat(value.length))
    }
  }
})

test('names that become equal are numbered, so that each keeps its value', () => {
  const json = '{"users":{"tok-aaaa":"a","TOK-AAAA":"b","tok-aaaa x":"c"},"tok-aaaa":1}'
  const scrubbed = getText(createScrubber('tok-aaaa', 'ignored').json(makeBytes(json)))
  expect(JSON.parse(scrubbed)).toEqual({
    users: { '[scrubbed]': 'a', '[scrubbed] 2': 'b', '[scrubbed] x': 'c' },
    '[scrubbed]': 1,
  })
  const both = joinScrubbers(['tok-aaaa', 'tok-bbbb'].map((each) => createScrubber(each, 'exact')))
  expect(JSON.parse(getText(both.json(makeBytes('{"tok-aaaa":1,"tok-bbbb" : 2}'))))).toEqual({
    '[scrubbed]': 1,
    '[scrubbed] 2': 2,
  })
})

test.for([
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE', ['-', '%2d', '\\u002d', '%2D-']],
  ['\\\\server\\share%7', ['\\', '\\\\', '%', '%5', '\\u005c', '%5c']],
  ['$$$$$$$$pass', ['$', '%24']],
  ['%%%%%%%%%%%%%%%%x', ['%', '%25']],
] as const)('a long text that repeats how %j begins is searched, and stays', ([value, pieces]) => {
  const scrubber = createScrubber(value, 'exact')
  for (const piece of pieces) {
    const text = makeBytes(piece.repeat(100_000))
    expect(scrubber.text(text)).toBe(text)
  }
})
