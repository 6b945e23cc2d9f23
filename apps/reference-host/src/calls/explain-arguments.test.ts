import type { Problem } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { explainArguments } from './explain-arguments.ts'

const schema = { properties: { path: {}, limit: {} } }
const typed = { arg: ['path=a=b', 'deep={}', 'pth=1'] }

test.for<[Problem, string]>([
  [
    { path: '/limit', message: 'm', code: 'required' },
    'the argument "limit" is missing; give it as --arg limit=… or with --arguments',
  ],
  [{ path: '/path', message: 'expected number' }, '--arg path: expected number'],
  [{ path: '/deep/a~1b/0', message: 'm', code: 'required' }, '--arg deep.a/b.0: m'],
  [{ path: '/limit', message: 'm' }, '--arguments /limit: m'],
  [{ path: '', message: 'm' }, '--arguments: m'],
  [
    { path: '/pth', message: 'm', code: 'additionalProperties' },
    '--arg pth: is not an argument of this tool; did you mean "path"? It takes path, limit',
  ],
  [
    { path: '/zzzz', message: 'm', code: 'additionalProperties' },
    '--arguments /zzzz: is not an argument of this tool; it takes path, limit',
  ],
  [{ path: '/deep/x', message: 'm', code: 'additionalProperties' }, '--arg deep.x: m'],
])('%j is told in the words of the options: %s', ([problem, line]) => {
  expect(explainArguments([problem], typed, schema)).toEqual([line])
})

test('a tool without arguments takes none', () => {
  const problem = { path: '/x', message: 'm', code: 'additionalProperties' }
  for (const none of [true, {}, { properties: {} }])
    expect(explainArguments([problem], {}, none)).toEqual([
      '--arguments /x: is not an argument of this tool; it takes none',
    ])
})
