import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endOfValue } from './json-bytes.ts'
import { splitDocument } from './split-document.ts'

const makeBytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const makeValues = (text: string): unknown[] =>
  splitDocument(makeBytes(text)).records.map(({ value }) => value)

const records = [
  { type: 'a', text: 'line\n  {"x": 1},\n]' },
  { type: 'b', deep: [{ y: [1, { z: '}' }] }] },
  { type: 'c', quote: '\\"]}' },
]

const ways: [string, (values: readonly unknown[]) => string][] = [
  ['lines', (values) => values.map((value) => `${JSON.stringify(value)}\n`).join('')],
  ['lines of Windows', (values) => values.map((value) => `${JSON.stringify(value)}\r\n`).join('')],
  ['an array on one line', (values) => JSON.stringify(values)],
  ['an indented array', (values) => `${JSON.stringify(values, null, 2)}\n`],
  ['an object on one line', (values) => JSON.stringify({ id: 'c', messages: values })],
  [
    'an indented object',
    (values) => JSON.stringify({ id: 'c', messages: values, rest: [{ not: 'a record' }] }, null, 4),
  ],
]

test.for(ways)('%s gives each record, and the bytes from which it was read', ([, write]) => {
  const { records: read, problems } = splitDocument(makeBytes(write(records)))
  expect(read.map(({ value }) => value)).toEqual(records)
  expect(problems).toEqual([])
  for (const { value, bytes } of read)
    expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(value)
})

test.for(ways)('%s: cut off anywhere, gives every complete record', ([, write]) => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ t: fc.string(), v: fc.jsonValue({ maxDepth: 2 }) }), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.nat(),
      (values, offset) => {
        const whole = makeBytes(write(values))
        const cut = offset % whole.length
        const { records: read, problems } = splitDocument(whole.subarray(0, cut))
        const all = splitDocument(whole).records
        const intact = all.filter(({ bytes }) => bytes.byteOffset + bytes.byteLength <= cut)
        expect(read.map(({ value }) => value)).toEqual(intact.map(({ value }) => value))
        expect(problems.length).toBeLessThanOrEqual(1)
      },
    ),
  )
})

test.for<[string, string, unknown[]]>([
  ['NUL behind the end', '{"a":1}\n{"a":2}\n\0\0\0\0', [{ a: 1 }, { a: 2 }]],
  ['two records on a line', '{"a":1}{"a":2}\n{"a":3}\n', [{ a: 1 }, { a: 2 }, { a: 3 }]],
  [
    'a record behind a torn one',
    '{"a":1}\n{"a":"x{"a":3}\n{"a":4}\n',
    [{ a: 1 }, { a: 3 }, { a: 4 }],
  ],
  ['a line that is not JSON', '{"a":1}\noops\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
  [
    'NUL in the middle of an array',
    '[\n  {\n    "a": 1\n  },\n  {\n    "a\0\0\0\0},\n  {\n    "a": 3\n  }\n]',
    [{ a: 1 }, { a: 3 }],
  ],
  ['no comma between two', '[{"a":1}{"a":2}]', [{ a: 1 }, { a: 2 }]],
  ['a byte order mark', '\uFEFF{"a":1}\n', [{ a: 1 }]],
])('%s affects no complete record', ([, text, expected]) => {
  expect(makeValues(text)).toEqual(expected)
})

test('reports what is lost, with its position', () => {
  const { problems } = splitDocument(makeBytes('{"a":1}\noops\n'))
  expect(problems).toEqual([
    {
      path: '/1',
      code: 'torn-record',
      message: '4 bytes at 8 are not a complete record, and were not imported',
    },
  ])
})

test('reports what is after an array; reads objects after one another as lines', () => {
  const behind = splitDocument(makeBytes('[{"a":1}]\n[{"a":2}]\n'))
  expect(behind.problems).toMatchObject([{ code: 'torn-record' }])
  const lines = splitDocument(makeBytes('{"messages":[{"a":1}]}\n{"messages":[{"a":2}]}\n'))
  expect(lines).toMatchObject({ shape: 'lines', problems: [], records: [{}, {}] })
})

test('reads any number of records on one line', () => {
  const line = Array.from({ length: 50 }, (_, index) => ({ index }))
  expect(makeValues(`${line.map((value) => JSON.stringify(value)).join('')}\n`)).toEqual(line)
})

test('reports bytes that are not UTF-8, and keeps them', () => {
  const bytes = new Uint8Array([...makeBytes('{"a":"'), 0xff, ...makeBytes('"}\n')])
  const { records: read, problems } = splitDocument(bytes)
  expect(problems).toMatchObject([{ path: '/0', code: 'bad-utf-8' }])
  expect(read[0]?.bytes[6]).toBe(0xff)
})

test('skips blanks of JSON, and NUL, around records', () => {
  const around = [{ a: 1 }, { b: ' c ' }]
  expect(makeValues('\0 \t[ \r\0{"a":1}\0 ,, \n{"b":" c "}\t]\0 \n')).toEqual(around)
  expect(makeValues('\0 \t{"a":1}\0 \r\n \0\n\t{"b":" c "} \0')).toEqual(around)
})

describe('the end of a value', () => {
  test('is where its text ends, whatever follows it', () => {
    const behind = fc.constantFrom(',', ' ', '}', ']', '\n{"a":"]"}', ',"\\')
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 3), behind, (value, spaces, rest) => {
        const text = JSON.stringify(value, undefined, spaces)
        expect(endOfValue(makeBytes(`[${text}${rest}`), 1)).toBe(1 + makeBytes(text).length)
      }),
    )
  })

  test.for([
    ['""', 2],
    ['"a\\""', 5],
    ['"a\\\\"b', 5],
    ['"\\\\\\""', 6],
    ['\\"a" ', 4],
    ['["]"]', 5],
    ['{"a}":[{}]} ', 11],
    ['12 ', 2],
    ['null,', 4],
    ['true}', 4],
    ['1]', 1],
  ] as const)('of %s is %i', ([text, end]) => {
    expect(endOfValue(makeBytes(text), 0)).toBe(end)
  })

  test.for(['"', '"a\\"', '"\\\\\\"', '[', '["', '[[]', '{"a":1', '12', 'null', ''])(
    'of %s is missing',
    (text) => {
      expect(endOfValue(makeBytes(text), 0)).toBe(-1)
    },
  )
})
