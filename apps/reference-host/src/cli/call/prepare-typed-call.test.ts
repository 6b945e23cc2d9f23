import { type Problem, createSuccessResult } from '@toolblocks/protocol'
import { parametersToSchema } from '@toolblocks/protocol/internal'
import { expect, test } from 'vitest'
import { type TypedCall, explainArguments, prepareTypedCall } from './prepare-typed-call.ts'

const entry = {
  tool: {
    name: 'tool',
    inputSchema: parametersToSchema({
      path: { type: 'string' },
      lines: { type: 'integer', default: 10 },
    }),
    execute: async () => createSuccessResult([]),
  },
}

const readText = async () => ''

const prepare = (typed: TypedCall, ...args: string[]) =>
  prepareTypedCall(typed, entry, { args, readText })

test('valid arguments are accepted from every option', async () => {
  expect(await prepare({ arg: ['lines=3'], arguments: '{"path":"a"}' })).toMatchObject({
    ok: true,
    call: { arguments: { path: 'a', lines: 3 } },
    steps: undefined,
  })
})

test.for<[TypedCall, string[], string]>([
  [{}, [], 'the argument "path" is missing; pass it as --arg path=… or with --arguments'],
  [{ arg: ['path=a', 'lines=x'] }, [], '--arg lines: expected integer, got string "x"'],
  [{ arguments: '{"path":1}' }, [], '--arguments /path: expected string, got number 1'],
  [
    { arg: ['path=a', 'pat=b'] },
    [],
    '--arg pat: is not an argument of this tool; did you mean "path"? It takes path, lines',
  ],
  [{}, ['path=a b'], `unexpected "path=a b" after the name of the tool; write --arg 'path=a b'`],
  [
    { arg: ['path=a'] },
    ['b c'],
    `unexpected "b c" after the name of the tool; path is given already, and a value with spaces is put in quotes: --arg 'path=a b c'`,
  ],
  [{}, ['x'], 'unexpected "x" after the name of the tool; write --arg path=x'],
  [
    { arg: ['path=a'], action: ['fetch'] },
    [],
    '--action: the tool "tool" is not stateful: its configuration has neither stateful nor pty',
  ],
  [
    { arg: ['path=a'], action: ['type=x'] },
    [],
    '--action "type=x": expected apply=TEXT, fetch or abort',
  ],
])('%j %j is refused before anything starts', async ([typed, args, message]) => {
  expect(await prepare(typed, ...args)).toEqual({ ok: false, messages: [message] })
})

const schema = { properties: { path: {}, limit: {} } }

const typed = { arg: ['path=a=b', 'deep={}', 'pth=1'] }

test.for<[Problem, string]>([
  [
    { path: '/limit', message: 'm', code: 'required' },
    'the argument "limit" is missing; pass it as --arg limit=… or with --arguments',
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
])('%j is reported with the name of its option: %s', ([problem, line]) => {
  const values = { path: 1, limit: 1, deep: {}, pth: 1, zzzz: 1 }
  expect(explainArguments([problem], { typed, values }, schema)).toEqual([line])
})

test('a value that nobody gave is named as the default of the tool', () => {
  const problem = { path: '/limit', message: 'expected integer, got string "7"' }
  expect(explainArguments([problem], { typed: {}, values: {} }, schema)).toEqual([
    'the tool\'s own default of "limit": expected integer, got string "7"; pass --arg limit=…',
  ])
})

test('a tool without arguments accepts none', () => {
  const problem = { path: '/x', message: 'm', code: 'additionalProperties' }
  for (const none of [true, {}, { properties: {} }])
    expect(explainArguments([problem], { typed: {}, values: { x: 1 } }, none)).toEqual([
      '--arguments /x: is not an argument of this tool; it takes none',
    ])
})
