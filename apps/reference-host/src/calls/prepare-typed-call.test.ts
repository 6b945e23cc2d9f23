import { createSuccessResult, parametersToSchema } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { prepareTypedCall, type TypedCall } from './prepare-typed-call.ts'

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
const prepare = (typed: TypedCall, ...words: string[]) =>
  prepareTypedCall(typed, entry, { words, readText })

test('arguments that fit are taken, whatever option they came by', async () => {
  expect(await prepare({ arg: ['lines=3'], arguments: '{"path":"a"}' })).toMatchObject({
    ok: true,
    call: { arguments: { path: 'a', lines: 3 } },
    steps: undefined,
  })
})

test.for<[TypedCall, string[], string]>([
  [{}, [], 'the argument "path" is missing; give it as --arg path=… or with --arguments'],
  [{ arg: ['path=a', 'lines=x'] }, [], '--arg lines: expected integer, got string "x"'],
  [{ arguments: '{"path":1}' }, [], '--arguments /path: expected string, got number 1'],
  [
    { arg: ['path=a', 'pat=b'] },
    [],
    '--arg pat: is not an argument of this tool; did you mean "path"? It takes path, lines',
  ],
  [{}, ['path=a b'], `unexpected "path=a b" after the name of the tool; write --arg 'path=a b'`],
  [{}, ['x'], 'unexpected "x" after the name of the tool; write --arg path=x'],
  [
    { arg: ['path=a'], action: ['fetch'] },
    [],
    '--action: the tool "tool" does not stay alive: its configuration says neither stateful nor pty',
  ],
  [
    { arg: ['path=a'], action: ['type=x'] },
    [],
    '--action "type=x": expected apply=TEXT, fetch or abort',
  ],
])('%j %j is refused before anything is started', async ([typed, words, message]) => {
  expect(await prepare(typed, ...words)).toEqual({ ok: false, messages: [message] })
})
