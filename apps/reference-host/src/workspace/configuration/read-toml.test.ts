import fc from 'fast-check'
import { stringify } from 'smol-toml'
import { expect, test } from 'vitest'
import { type TomlDocument, findUnclosed, readToml } from './read-toml.ts'

function read(text: string): TomlDocument {
  const toml = readToml(text)
  if (!toml.ok) throw new Error(toml.problem.message)
  return toml.document
}

test('tables, arrays of tables, inline tables and dotted keys become one value', () => {
  const { value } = read(`
    a.b = 1
    [c.d]
    "e f" = { g = [1, { h = true }] }
    [[i]]
    j = 1
    [[i]]
    [i.k]
    l = "m"
  `)
  expect(structuredClone(value)).toEqual({
    a: { b: 1 },
    c: { d: { 'e f': { g: [1, { h: true }] } } },
    i: [{ j: 1 }, { k: { l: 'm' } }],
  })
})

test('dates and times are text, as written', () => {
  expect(read('a = 2026-01-02T03:04:05Z\nb = 07:32:00').value).toMatchObject({
    a: '2026-01-02T03:04:05Z',
    b: '07:32:00',
  })
})

test('the line of a value is that of the deepest key or element in the file', () => {
  const document = read('a = 1\n[b]\nc = { d = 1 }\n[[e]]\nf = 1\n[[e]]\nf = 2\n')
  expect(document.findLine(['b', 'c', 'd'])).toBe(3)
  expect(document.findLine(['b', 'missing'])).toBe(2)
  expect(document.findLine(['e', '1', 'f'])).toBe(7)
  expect(document.findLine(['missing'])).toBeUndefined()
  const list = read('a = [\n  { b = 1 },\n  { b = 2 },\n]\nb = 3')
  expect(list.findLine(['a', '1', 'b'])).toBe(3)
  expect(list.findLine(['b'])).toBe(5)
  const texts = read('a = [\n  "x",\n  # y\n  "z", [\n "u"],\n]')
  expect(texts.findLine(['a', '0'])).toBe(2)
  expect(texts.findLine(['a', '1'])).toBe(4)
  expect(texts.findLine(['a', '2', '0'])).toBe(5)
  expect(texts.findLine(['a', '7'])).toBe(1)
})

test.for([
  '\n[__proto__]\npolluted = 1',
  '\n[tools."__proto__"]',
  '\na.__proto__.polluted = 1',
  '\na = { __proto__ = { polluted = 1 } }',
  "\n[[a]]\n'__proto__' = 1".replace('\n[[a]]', '[[a]]'),
])('%j is refused with its line, and does not reach a prototype', (text) => {
  expect(readToml(text)).toEqual({
    ok: false,
    problem: { line: 2, message: 'the key "__proto__" is not allowed' },
  })
  expect(Object.keys(Object.prototype)).toEqual([])
  expect('polluted' in {}).toBe(false)
})

test('no table has a prototype', () => {
  const { value } = read('constructor = 1\n[a]\n[[b]]\n[c]\nd = { toString = 1 }')
  const { a, b, c } = value as { a: object; b: object[]; c: { d: object } }
  for (const table of [value, a, b[0], c, c.d]) expect(Object.getPrototypeOf(table)).toBeNull()
})

test('the output of another library is parsed back to the same value', () => {
  const key = fc.string({ minLength: 1, maxLength: 5 }).filter((name) => name !== '__proto__')
  const leaf = fc.oneof(fc.boolean(), fc.maxSafeInteger(), fc.string({ maxLength: 8 }))
  const { table } = fc.letrec((tie) => ({
    table: fc.dictionary(
      key,
      fc.oneof({ maxDepth: 3 }, leaf, tie('table'), fc.array(tie('table'), { maxLength: 3 })),
      { maxKeys: 5 },
    ),
  }))
  fc.assert(
    fc.property(table, (value) => {
      expect(structuredClone(read(stringify(value as object)).value)).toEqual(
        structuredClone(value),
      )
    }),
  )
})

test.for<[string, string, string]>([
  ['lists', `\na = ${'['.repeat(70)}${']'.repeat(70)}`, 'at most 64 levels'],
  ['keys', `\n${'a.'.repeat(70)}a = 1`, 'at most 64 levels'],
  ['tables', `\n[${'a.'.repeat(70)}a]`, 'at most 64 levels'],
  [
    'more lists than can be read',
    `a = ${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    'nested too deeply',
  ],
  ['a text that is too long', `a = "${'x'.repeat(250_000)}"`, 'a text is too long'],
])('%s without end are refused', ([, text, message]) => {
  const toml = readToml(text)
  expect(toml).toMatchObject({ ok: false, problem: { message: expect.stringContaining(message) } })
  expect(!toml.ok && toml.problem.line).toBe(text.startsWith('\n') ? 2 : undefined)
})

test('the maximum number of levels is accepted', () => {
  expect(readToml(`${'a.'.repeat(63)}a = 1`).ok).toBe(true)
})

test.for([
  ['[tools.x\nsource = "local"', 2, { line: 1, what: 'header' }],
  ['a = [1,\n2\n\n[tools.x]', 4, { line: 1, what: 'list' }],
  ['a = { b = 1\n[x]', 2, { line: 1, what: 'table' }],
  ['[x] # [\na = "[" # {\nb = \'{\'\nc = = 1', 4, undefined],
  ['a = [\n  [1],\n  [2]\nb = 2', 4, { line: 1, what: 'list' }],
  ['a = = 1', 1, undefined],
] as const)('the unclosed bracket of %j until line %d is %j', ([text, until, unclosed]) => {
  expect(findUnclosed(text, until)).toEqual(unclosed)
})
