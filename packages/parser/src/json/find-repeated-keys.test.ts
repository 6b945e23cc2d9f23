import { findRepeatedKeys } from './find-repeated-keys.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseToolOutput } from '../parse-tool-output.ts'

/** JSON objects as text, with repeated keys and with strings that look like JSON. */
const { object: repeating } = fc.letrec<{
  object: { text: string; repeats: boolean }
  value: { text: string; repeats: boolean }
}>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc
      .constantFrom('1', '"a"', '":"', '" : "', '"\\":"', '"\\\\"', '"{\\"a\\":1,\\"a\\":2}"')
      .map((text) => ({ text, repeats: false })),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => ({
      text: `[${items.map(({ text }) => text).join(' , ')}]`,
      repeats: items.some(({ repeats }) => repeats),
    })),
  ),
  object: fc
    .array(
      fc.tuple(
        // No key with a backslash: V8 13.6 mistakes other escapes for it in later objects of the same shape.
        fc.constantFrom('a', 'b', '\\u0061', ':', '\\"', ''),
        fc.constantFrom('', ' ', '\n\t'),
        tie('value'),
      ),
      { maxLength: 4 },
    )
    .map((fields) => {
      const keys = fields.map(([key]) => String(JSON.parse(`"${key}"`)))
      return {
        text: `{${fields.map(([key, space, { text }]) => `"${key}"${space}:${text}`).join(',')}}`,
        repeats: new Set(keys).size < keys.length || fields.some(([, , { repeats }]) => repeats),
      }
    }),
}))

test('repeated keys are reported exactly if a document has them', () => {
  fc.assert(
    fc.property(repeating, ({ text, repeats }) => {
      const { warnings, reversible } = parseToolOutput(
        `{"content":[{"type":"text","text":"a"}],"x":${text}}`,
      )
      expect(warnings.some(({ code }) => code === 'repeated-key')).toBe(repeats)
      expect(reversible && repeats).toBe(false)
    }),
    { numRuns: 2000 },
  )
})

test.for([
  ['{"a":[0,{"b":1,"b":2},{"c":1},["x",{"d":1,"d":2}]],"a":0}', ['/a/1/b', '/a/3/1/d', '/a']],
  ['["a","a",{"a":"a"}]', []],
  ['[[],{"k":[1,2,{"k":1,"l":2,"k":3}]}]', ['/1/k/2/k']],
] as const)('the paths in %s include positions in arrays', ([text, places]) => {
  expect(findRepeatedKeys(text, 10)).toEqual(places)
})
