import {
  type Answer,
  booleanQuestion,
  type ContentBlock,
  createSuccessResult,
  type InputRequest,
  type ToolCall,
} from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { createToolExecutor } from './create-tool-executor.ts'
import { answering, makeCall, context, echo, run, getText } from './executor.support.ts'
import type { ToolEntry } from './tool-entry.ts'

test.for<[unknown, unknown]>([
  ['{"text":"a","times":2}', { text: 'a', times: 2 }],
  [' {"text":"a"}\n', { text: 'a', times: 1 }],
  [{ text: 'a' }, { text: 'a', times: 1 }],
])('arguments %j are read as %j', async ([sentArguments, read]) => {
  const seen = { calls: [] as ToolCall[], contexts: [] }
  const call = { ...makeCall('echo'), arguments: sentArguments } as ToolCall
  await run({ tool: echo(seen), policy: 'unattended' }, call)
  expect(seen.calls[0]?.arguments).toEqual(read)
})

test.for<[unknown, string]>([
  ['{"text":', 'a string that is not a JSON object'],
  ['[1]', 'a string that is not a JSON object'],
  [['a'], 'array of 1'],
  [null, 'null'],
  [undefined, 'nothing'],
])('arguments %j are refused, never spread', async ([sentArguments, got]) => {
  const seen = { calls: [] as ToolCall[], contexts: [] }
  const call = { ...makeCall('echo'), arguments: sentArguments } as ToolCall
  const result = await run({ tool: echo(seen), policy: 'unattended' }, call)
  expect([result.metadata?.outcome, seen.calls]).toEqual(['failed', []])
  expect(getText(result)).toBe(
    `Invalid arguments for the tool "echo"; the call was not run. Expected an object, got ${got}.`,
  )
})

test.for(['', ' \n'])('an empty text means no arguments: %j', async (sentArguments) => {
  const calls: ToolCall[] = []
  const execute = async (call: ToolCall) => (calls.push(call), createSuccessResult([]))
  const tool = { name: 'echo', inputSchema: true, execute }
  const call = { ...makeCall('echo'), arguments: sentArguments } as unknown as ToolCall
  await run({ tool, policy: 'unattended' }, call)
  expect(calls).toEqual([{ ...call, arguments: {} }])
})

const odd: ContentBlock = { type: 'resource', resource: { uri: 'file:a', text: 'x' } }

test('every warning is reported: earlier ones, those of the result, and those of its URIs', async () => {
  const own = { path: '', message: 'own' }
  const entry = answering({ content: [odd], isError: false, metadata: { warnings: [own] } })
  const tool = { ...entry.tool, inputSchema: { $ref: 'https://a/b' } }
  const { metadata } = await run({ ...entry, tool })
  expect(metadata?.warnings).toEqual([
    expect.objectContaining({ code: 'arguments-unchecked' }),
    own,
    expect.objectContaining({ path: '/content/0/resource/uri', code: 'relative' }),
  ])
  expect(metadata?.resources).toEqual([null])
})

test('a result without warnings has no list of warnings', async () => {
  const { metadata } = await run(answering({ content: [], isError: false }))
  expect(metadata).toEqual({ outcome: 'completed' })
})

const question = (id: string) =>
  ({ type: 'question', question: booleanQuestion({ id, text: `${id}?` }) }) as const
const asking = (name: string): ToolEntry => ({
  tool: {
    name,
    inputSchema: true,
    execute: async (_call, { answers }) =>
      createSuccessResult(name in answers ? [] : [question(name)]),
  },
  policy: 'unattended',
})

test('a question that is aborted while another is open does not wait for it, and is never asked', async () => {
  const open = Promise.withResolvers<Answer>()
  const put: string[] = []
  const ask = { user: async ({ id }: InputRequest) => (put.push(id), await open.promise) }
  const executor = createToolExecutor({ tools: [asking('first'), asking('second')] })
  const host = new AbortController()
  const first = executor.execute(makeCall('first'), { ...context, ask })
  const second = executor.execute(makeCall('second'), { ...context, ask, signal: host.signal })
  await new Promise((next) => setImmediate(next))
  host.abort()
  expect((await second).metadata).toMatchObject({ outcome: 'cancelled', question: 'second' })
  open.resolve({ action: 'accept', value: true })
  expect((await first).isError).toBe(false)
  expect(put).toEqual(['first'])
})

test('an open question is closed by its port, not by the executor', async () => {
  const opened = Promise.withResolvers<void>()
  const closing = Promise.withResolvers<void>()
  const user = async (): Promise<Answer> => {
    opened.resolve()
    await closing.promise
    return { action: 'decline' }
  }
  const host = new AbortController()
  const result = run(asking('q'), makeCall('q'), { ask: { user }, signal: host.signal })
  await opened.promise
  host.abort()
  closing.resolve()
  expect((await result).metadata?.outcome).toBe('denied')
})
