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

test('the value of key=value has the type of the schema, otherwise it is text, even with further equals signs or an empty value', async () => {
  expect(await read(['limit=3', 'q=a=b', 'empty='])).toEqual({
    ok: true,
    values: { limit: 3, q: 'a=b', empty: '' },
  })
})

test('a repeated key becomes a list', async () => {
  expect(await read(['x=a', 'x=b'])).toEqual({ ok: true, values: { x: ['a', 'b'] } })
})

test('a key for which the schema expects a list becomes one, even if the list is typed as JSON', async () => {
  expect(await read(['paths=a'])).toEqual({ ok: true, values: { paths: ['a'] } })
  expect(await read(['paths=["a"]'])).toEqual({ ok: true, values: { paths: ['a'] } })
})

test('a key that the schema does not describe keeps its typed text', async () => {
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

test('--arguments gives the complete object, and --arg overrides it', async () => {
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
  ['{bad', `--arguments: expected a JSON object such as '{"path":"a.txt"}', got invalid JSON: `],
  ['@', '--arguments @: expected the name of a file after @'],
  ['@no.json', '--arguments @no.json: reading failed: no such file'],
])('--arguments %s is refused with what was expected', async ([json, message]) => {
  expect(await read([], json)).toMatchObject({
    ok: false,
    message: expect.stringContaining(message),
  })
})

test.for(['novalue', '=x'])('--arg %s is refused with what was expected', async (pair) => {
  expect(await read([pair])).toEqual({ ok: false, message: `--arg "${pair}": expected key=value` })
})
