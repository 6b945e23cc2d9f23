import { expect, test } from 'vitest'
import { readArguments } from './read-arguments.ts'

const schema = { properties: { paths: { type: 'array' }, limit: { type: 'integer' } } }
const files = new Map([
  ['call.json', '{"limit":1}'],
  ['-', '{"limit":2}'],
])
const read = (arg: string[], json?: string) =>
  readArguments(
    { arg, ...(json !== undefined && { arguments: json }) },
    {
      schema,
      readText: async (name) => {
        const text = files.get(name)
        if (text === undefined) throw new Error('no such file')
        return text
      },
    },
  )

test('key=value is what the schema wants, else text, also with further equals signs or nothing behind the first', async () => {
  expect(await read(['limit=3', 'q=a=b', 'empty='])).toEqual({
    ok: true,
    values: { limit: 3, q: 'a=b', empty: '' },
  })
})

test('a key that is repeated is a list', async () => {
  expect(await read(['x=a', 'x=b'])).toEqual({ ok: true, values: { x: ['a', 'b'] } })
})

test('a key that the schema wants as a list is one, also when it is typed as JSON', async () => {
  expect(await read(['paths=a'])).toEqual({ ok: true, values: { paths: ['a'] } })
  expect(await read(['paths=["a"]'])).toEqual({ ok: true, values: { paths: ['a'] } })
})

test('a schema that says nothing of a key leaves it as it was typed', async () => {
  for (const odd of [
    true,
    {},
    { properties: null },
    { properties: { a: null } },
    { properties: [] },
  ])
    expect(
      await readArguments({ arg: ['a=1'] }, { schema: odd, readText: async () => '' }),
    ).toEqual({ ok: true, values: { a: '1' } })
})

test('--arguments gives the whole object, and --arg stands over it', async () => {
  expect(await read(['limit=2'], '{"limit":1,"paths":["a"]}')).toEqual({
    ok: true,
    values: { limit: 2, paths: ['a'] },
  })
})

test('--arguments may be a file or standard input', async () => {
  expect(await read([], '@call.json')).toEqual({ ok: true, values: { limit: 1 } })
  expect(await read([], '-')).toEqual({ ok: true, values: { limit: 2 } })
})

test.for<[string, string]>([
  ['[1]', `--arguments: expected a JSON object such as '{"path":"a.txt"}', got [1]`],
  ['null', `--arguments: expected a JSON object such as '{"path":"a.txt"}', got null`],
  ['{bad', `--arguments: expected a JSON object such as '{"path":"a.txt"}'; this is not JSON: `],
  ['@', '--arguments @: expected the name of a file after @'],
  ['@no.json', '--arguments @no.json: cannot be read: no such file'],
])('--arguments %s is told what is expected', async ([json, message]) => {
  expect(await read([], json)).toMatchObject({
    ok: false,
    message: expect.stringContaining(message),
  })
})

test.for(['novalue', '=x'])('--arg %s is told what is expected', async (pair) => {
  expect(await read([pair])).toEqual({ ok: false, message: `--arg "${pair}": expected key=value` })
})
