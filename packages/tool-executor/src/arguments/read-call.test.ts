import { expect, test } from 'vitest'
import type { ToolCall } from '@toolblocks/protocol'
import { callOf, echo, run, textOf } from '../executor.suite.ts'

test.for<[unknown, unknown]>([
  ['{"text":"a","times":2}', { text: 'a', times: 2 }],
  [{ text: 'a' }, { text: 'a', times: 1 }],
])('arguments %j are read as %j', async ([given, read]) => {
  const seen = { calls: [] as ToolCall[], contexts: [] }
  const call = { ...callOf('echo'), arguments: given } as ToolCall
  await run({ tool: echo(seen), policy: 'unattended' }, call)
  expect(seen.calls[0]?.arguments).toEqual(read)
})

test.for<[unknown, string]>([
  ['{"text":', 'got a string that is no JSON object'],
  ['[1]', 'got a string that is no JSON object'],
  [['a'], 'got array of 1'],
  [null, 'got null'],
  [undefined, 'got nothing'],
])('arguments %j are refused, never spread', async ([given, words]) => {
  const seen = { calls: [] as ToolCall[], contexts: [] }
  const call = { ...callOf('echo'), arguments: given } as ToolCall
  const result = await run({ tool: echo(seen), policy: 'unattended' }, call)
  expect([result.isError, seen.calls]).toEqual([true, []])
  expect(textOf(result)).toContain(words)
})
