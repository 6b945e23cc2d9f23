import { expect, test } from 'vitest'
import { readAnswer } from './read-answer.ts'

const schema = {
  type: 'object',
  properties: {
    list: { type: 'array', items: { type: 'integer' } },
    '1a': { type: 'integer' },
    a1: { type: 'integer' },
    deep: { type: 'object', properties: { b: {} }, required: ['b'] },
  },
}

test.for(['', ' \n', '// only a remark\n', '/* nothing */'])('%j is not an answer', (text) => {
  expect(readAnswer(text, schema)).toEqual({ kind: 'nothing' })
})

test('comments and trailing commas are removed from a value', () => {
  expect(readAnswer('{ /* a */ "list": [1, 2,], // b\n}', schema)).toEqual({
    kind: 'value',
    value: { list: [1, 2] },
  })
})

test.for<[string, string]>([
  ['7', '// ✗ expected object, got number 7\n7'],
  ['  {"list": 7}', '  // ✗ /list expected array, got number 7\n  {"list": 7}'],
  [
    '{\n  "list": [\n\t0,1,2,3,4,5,6,7,8,9,\n    "x"\n  ]\n}',
    '{\n  "list": [\n\t0,1,2,3,4,5,6,7,8,9,\n    // ✗ /list/10 expected integer, got string "x"\n    "x"\n  ]\n}',
  ],
  ['{\n"1a":\n"x"}', '{\n"1a":\n// ✗ /1a expected integer, got string "x"\n"x"}'],
  ['{\n"a1":\n"x"}', '{\n"a1":\n// ✗ /a1 expected integer, got string "x"\n"x"}'],
  [
    '{\n "deep":\n {}\n}',
    '{\n "deep":\n // ✗ /deep/b is required and missing; expected a value\n {}\n}',
  ],
  ['// ✗ old remark\n[]', '// ✗ expected object, got array of 0\n[]'],
  ['{\n  "list"', '{\n  // ✗ colon expected\n  // ✗ close brace expected\n  "list"'],
])('a problem is shown above its line, with the same indent: %j', ([text, remarked]) => {
  expect(readAnswer(text, schema)).toEqual({ kind: 'problems', text: remarked })
})
