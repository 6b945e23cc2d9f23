import { expect, test } from 'vitest'
import type { ToolCall } from '@toolblocks/protocol'
import { callOf, echo, run, textOf } from '../executor.suite.ts'
import { readCall } from './read-call.ts'

test.for<[unknown, unknown]>([
  ['{"text":"a","times":2}', { text: 'a', times: 2 }],
  [' {"text":"a"}\n', { text: 'a', times: 1 }],
  [{ text: 'a' }, { text: 'a', times: 1 }],
])('arguments %j are read as %j', async ([given, read]) => {
  const seen = { calls: [] as ToolCall[], contexts: [] }
  const call = { ...callOf('echo'), arguments: given } as ToolCall
  await run({ tool: echo(seen), policy: 'unattended' }, call)
  expect(seen.calls[0]?.arguments).toEqual(read)
})

test.for<[unknown, string]>([
  ['{"text":', 'a string that is no JSON object'],
  ['[1]', 'a string that is no JSON object'],
  [['a'], 'array of 1'],
  [null, 'null'],
  [undefined, 'nothing'],
])('arguments %j are refused, never spread', async ([given, got]) => {
  const seen = { calls: [] as ToolCall[], contexts: [] }
  const call = { ...callOf('echo'), arguments: given } as ToolCall
  const result = await run({ tool: echo(seen), policy: 'unattended' }, call)
  expect([result.metadata?.outcome, seen.calls]).toEqual(['failed', []])
  expect(textOf(result)).toBe(
    `Invalid arguments for the tool "echo"; the call was not run. Expected an object, got ${got}.`,
  )
})

test.for(['', ' \n'])('no text is no arguments: %j', (given) => {
  const call = { id: 'call-1', name: 'echo', arguments: given } as unknown as ToolCall
  expect(readCall(call)).toEqual({ ok: true, call: { ...call, arguments: {} } })
})

test('a call whose arguments are an object is read as it is', () => {
  const call = callOf('echo', { text: 'a' })
  const read = readCall(call)
  expect(read.ok && read.call).toBe(call)
})
