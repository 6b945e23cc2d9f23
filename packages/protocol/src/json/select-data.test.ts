import fc from 'fast-check'
import { expect, test } from 'vitest'
import { appendPointer, valueAtPointer } from './json-pointer.ts'
import { readDataPath, selectData } from './select-data.ts'

const ISSUES = {
  total: 2,
  items: [
    { number: 1, user: { login: 'ada', id: 7 }, labels: [{ name: 'bug', color: 'red' }] },
    { number: 2, user: { login: 'bob', id: 8 }, labels: [] },
  ],
}

test('objects keep the selected members, and arrays all items', () => {
  const paths = ['/items/*/number', '/items/*/user/login', '/items/*/labels/*/name']
  expect(selectData(ISSUES, paths)).toEqual({
    selected: {
      value: {
        items: [
          { number: 1, user: { login: 'ada' }, labels: [{ name: 'bug' }] },
          { number: 2, user: { login: 'bob' }, labels: [] },
        ],
      },
    },
    unmatched: [],
  })
})

test.for([
  ['the whole value', [''], ISSUES, []],
  ['an item by its index', ['/items/1/number'], { items: [{ number: 2 }] }, []],
  [
    'the first item, and one after the last',
    ['/items/0/number', '/items/2/number'],
    { items: [{ number: 1 }] },
    ['/items/2/number'],
  ],
  ['only items after the last', ['/total', '/items/2'], { total: 2 }, ['/items/2']],
  ['a path twice', ['/total', '/total'], { total: 2 }, []],
  [
    'a path inside another',
    ['/items/0/user', '/items/0/user/id'],
    { items: [{ user: ISSUES.items[0]?.user }] },
    [],
  ],
  ['paths without a value', ['/total', '/none', '/total/x'], { total: 2 }, ['/none', '/total/x']],
  ['no item with a value', ['/total', '/items/*/none'], { total: 2 }, ['/items/*/none']],
  [
    'only own members',
    ['/total', '/toString', '/__proto__'],
    { total: 2 },
    ['/toString', '/__proto__'],
  ],
] as const)('%s', ([, paths, value, unmatched]) => {
  expect(selectData(ISSUES, paths)).toEqual({ selected: { value }, unmatched })
})

test('nothing is selected if no path has a value', () => {
  expect(selectData(ISSUES, ['/a', '/b/*'])).toEqual({ unmatched: ['/a', '/b/*'] })
  expect(selectData('text', ['/a'])).toEqual({ unmatched: ['/a'] })
  expect(selectData(ISSUES, [])).toEqual({ unmatched: [] })
})

test('where a path has *, items keep their indexes', () => {
  const value = [{ a: 1 }, null, { b: 2 }, { a: 3 }]
  expect(selectData(value, ['/*/a']).selected).toEqual({ value: [{ a: 1 }, {}, {}, { a: 3 }] })
})

test('a list without items has all of them', () => {
  expect(selectData({ items: [], total: 0 }, ['/items/*/labels/*/name', '/items/*/id'])).toEqual({
    selected: { value: { items: [] } },
    unmatched: [],
  })
})

test('a member named __proto__ is selected as any other', () => {
  const value: unknown = JSON.parse('{"__proto__":{"a":1,"b":2},"c":3}')
  const { selected } = selectData(value, ['/__proto__/a'])
  expect(JSON.stringify(selected?.value)).toBe('{"__proto__":{"a":1}}')
})

/** Returns the leaves of a value by their paths: everything but objects and arrays with something in them. */
function listLeaves(value: unknown, path = ''): [path: string, leaf: unknown][] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return [[path, value]]
  return Object.entries(value).flatMap(([key, child]) =>
    listLeaves(child, appendPointer(path, key)),
  )
}

const step = fc.constantFrom('a', 'b', '0', '1', '__proto__', '~', '')
const wild = fc.oneof(fc.constant('*'), fc.constantFrom('a', 'b', '__proto__', '~', ''))
const data = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(step, tie('value'), { maxKeys: 4 }),
  ),
})).value

function isBelow(leaf: string, path: string): boolean {
  const steps = path.split('/')
  const own = leaf.split('/')
  return (
    own.length >= steps.length && steps.every((each, index) => each === '*' || each === own[index])
  )
}

test('every selected leaf is at the same path in the value and below a selected path, and no leaf below one is missing', () => {
  const paths = fc.array(fc.array(wild, { maxLength: 4 }), { maxLength: 4 })
  fc.assert(
    fc.property(data, paths, (value, chosen) => {
      // A step by index moves items forward, so these paths have none.
      const pointers = chosen.map((steps) => steps.reduce<string>(appendPointer, ''))
      const { selected, unmatched } = selectData(value, pointers)
      const wanted = listLeaves(value).filter(([leaf]) =>
        pointers.some((each) => isBelow(leaf, each)),
      )
      const got = selected ? listLeaves(selected.value) : []
      for (const [leaf, leafValue] of got) {
        const original = valueAtPointer(value, leaf)
        // The place of an item without a selected part.
        if (JSON.stringify(leafValue) === '{}' || JSON.stringify(leafValue) === '[]') continue
        expect([leaf, leafValue]).toEqual([leaf, original])
        expect(pointers.some((each) => isBelow(leaf, each))).toBe(true)
      }
      const leaves = new Map(got)
      for (const [leaf, leafValue] of wanted) expect(leaves.get(leaf)).toEqual(leafValue)
      for (const pointer of unmatched)
        expect(listLeaves(value).some(([leaf]) => isBelow(leaf, pointer))).toBe(false)
    }),
    { numRuns: 500 },
  )
})

test('items by index are in the order of the value', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer(), { maxLength: 20 }),
      fc.array(fc.nat(25)),
      (items, indexes) => {
        const { selected } = selectData(
          items,
          indexes.map((index) => `/${index}`),
        )
        const wanted = items.filter((_, index) => indexes.includes(index))
        expect(selected?.value ?? []).toEqual(wanted)
      },
    ),
  )
})

test('a large value takes time in proportion', () => {
  const items = Array.from({ length: 100_000 }, (_, id) => ({ id, name: `n${id}`, more: [id] }))
  const paths = Array.from(
    { length: 50 },
    (_, index) => `/items/*/${index % 2 === 0 ? 'id' : 'no'}`,
  )
  const start = performance.now()
  const { selected, unmatched } = selectData({ items }, paths)
  expect(performance.now() - start).toBeLessThan(5000)
  expect(selected).toEqual({ value: { items: items.map(({ id }) => ({ id })) } })
  expect(unmatched).toEqual(['/items/*/no'])
})

test('values and paths of any depth are selected', () => {
  const depth = 100
  const path = readDataPath(Array.from({ length: depth }, () => 'a').join('/')) ?? 'none'
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = { a: value, b: 2 }
  const { selected } = selectData(value, [path])
  expect(valueAtPointer(selected?.value, path)).toBe(1)
  expect(readDataPath('a/'.repeat(101))).toBeUndefined()
})

test.for([
  ['items/*/name', '/items/*/name'],
  ['/items', '/items'],
  ['', ''],
] as const)('%j is the path %j', ([text, path]) => {
  expect(readDataPath(text)).toBe(path)
})

test('only the named items of a long list are read, and what paths say is found once for all items', () => {
  let reads = 0
  const countReads = (items: readonly unknown[]): readonly unknown[] =>
    new Proxy(items, {
      get: (target, key, receiver) => {
        reads += 1
        return Reflect.get(target, key, receiver) as unknown
      },
    })
  const row = Array.from({ length: 1000 }, (_, index) => index)
  const rows = { rows: Array.from({ length: 20 }, () => countReads(row)) }
  expect(selectData(rows, ['/rows/*/7']).selected).toEqual({
    value: { rows: Array.from({ length: 20 }, () => [7]) },
  })
  // The length and the item of each row.
  expect(reads).toBeLessThan(20 * 5)
})

test('many paths with * and names at different steps need no more work than the value is large', () => {
  const count = 60
  const paths = Array.from(
    { length: count },
    (_, index) =>
      `/${Array.from({ length: count }, (__, level) => (level === index ? 'a' : '*')).join('/')}`,
  )
  let value: unknown = 1
  for (let level = 0; level < count; level += 1) value = { a: value }
  expect(selectData(value, paths)).toEqual({ selected: { value }, unmatched: [] })
})
