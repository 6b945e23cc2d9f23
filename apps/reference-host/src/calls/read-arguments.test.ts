import { expect, test } from 'vitest'
import { readArguments } from './read-arguments.ts'

const schema = { properties: { paths: { type: 'array' }, limit: { type: 'integer' } } }
const read = (arg: string[], json?: string) =>
  readArguments({ arg, ...(json !== undefined && { json }) }, schema)

test('key=value is text, also with further equals signs or nothing behind the first', () => {
  expect(read(['limit=3', 'q=a=b', 'empty='])).toEqual({
    ok: true,
    values: { limit: '3', q: 'a=b', empty: '' },
  })
})

test('a key that is repeated is a list', () => {
  expect(read(['x=a', 'x=b'])).toEqual({ ok: true, values: { x: ['a', 'b'] } })
})

test('a key that the schema wants as a list is one, and a list in JSON stays as typed', () => {
  expect(read(['paths=a'])).toEqual({ ok: true, values: { paths: ['a'] } })
  expect(read(['paths=["a"]'])).toEqual({ ok: true, values: { paths: '["a"]' } })
})

test('--json gives the whole object, and --arg stands over it', () => {
  expect(read(['limit=2'], '{"limit":1,"paths":["a"]}')).toEqual({
    ok: true,
    values: { limit: '2', paths: ['a'] },
  })
})

test.for(['[1]', 'null', '"a"', '{bad'])('--json %s is told what is expected', (json) => {
  expect(read([], json)).toMatchObject({
    ok: false,
    message: expect.stringContaining('expected a JSON object'),
  })
})

test.for(['novalue', '=x'])('--arg %s is told what is expected', (pair) => {
  expect(read([pair])).toEqual({ ok: false, message: `--arg "${pair}": expected key=value` })
})
