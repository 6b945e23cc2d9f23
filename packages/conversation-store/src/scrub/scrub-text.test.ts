import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scrubBytes, scrubJson, scrubText } from './scrub-text.ts'
import { formsOf } from './secret-forms.ts'

const SECRET = 'p"ss/wörd-1'
const forms = formsOf(SECRET)
const NONE = new Map<string, string>()

test.for([
  ['as it is', SECRET],
  ['in JSON', JSON.stringify(SECRET)],
  ['in JSON in JSON', JSON.stringify(JSON.stringify(SECRET))],
  ['in JSON of ASCII', '"p\\"ss/w\\u00f6rd-1"'],
  ['in an address', `https://x/?a=${encodeURIComponent(SECRET)}&b=1`],
  ['in a JSON Pointer', '/a/p"ss~1wörd-1/b'],
] as const)('a value is found %s, and a mark stands where it was', ([, text]) => {
  const scrubbed = scrubText(text, forms)
  expect(scrubbed).toContain('[scrubbed]')
  for (const form of forms.texts) expect(scrubbed).not.toContain(form)
})

test('what only looks like it stays', () => {
  expect(scrubText('p"ss/wörd-2, cGFzc3dvcmQ=', forms)).toBe('p"ss/wörd-2, cGFzc3dvcmQ=')
})

test('JSON keeps every character beside the value, which may be a name or a number', () => {
  const json = `{"a" : -0, "b":[1e999,  "\\u0041"], "c":"xx hunter2 yy", "hunter2":1}`
  expect(scrubJson(json, formsOf('hunter2'), NONE)).toBe(
    json.replace('xx hunter2 yy', 'xx [scrubbed] yy').replace('"hunter2"', '"[scrubbed]"'),
  )
  expect(scrubJson('{"pin":[123456,1234567,12345]}', formsOf('123456'), NONE)).toBe(
    '{"pin":[0,0,12345]}',
  )
})

test('law: of base64 nothing of the value is left, and all around it is', () => {
  const around = fc.uint8Array({ maxLength: 9 })
  const alphabets = fc.constantFrom('base64', 'base64url')
  fc.assert(
    fc.property(around, around, alphabets, (before, after, alphabet) => {
      const encoded = Buffer.concat([before, Buffer.from(SECRET), after]).toString(alphabet)
      const scrubbed = scrubText(`a ${encoded} b`, forms)
      expect(scrubbed).toHaveLength(encoded.length + 4)
      const fill = Buffer.from('*'.repeat(Buffer.from(SECRET).length))
      const decoded = Buffer.from(scrubbed.slice(2, -2), alphabet)
      expect(decoded).toEqual(Buffer.concat([before, fill, after]))
    }),
  )
})

test('law: bytes keep their number, and those around the value', () => {
  const around = fc.uint8Array({ maxLength: 20 })
  fc.assert(
    fc.property(around, around, (before, after) => {
      const bytes = Buffer.concat([before, Buffer.from(SECRET), after])
      const scrubbed = Buffer.from(scrubBytes(bytes, forms))
      const fill = Buffer.from('*'.repeat(Buffer.from(SECRET).length))
      expect(scrubbed).toEqual(Buffer.concat([before, fill, after]))
    }),
  )
})
