import { createSuccessResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { createToolExecutor } from './create-tool-executor.ts'
import { answering, callOf, context } from './executor.suite.ts'
import type { AllowCall } from './permit-call.ts'

const allowTwo: AllowCall = async ({ name }, { entry }) =>
  name === 'two' && entry.tool.name === name

const toolsOf = (...names: readonly string[]) =>
  names.map((name) => ({ tool: { ...answering(createSuccessResult([])).tool, name } }))

test('a call that is allowed runs while a person is being asked about another one', async () => {
  const open = Promise.withResolvers<{ decision: 'allowed' }>()
  const asked: string[] = []
  const executor = createToolExecutor({
    tools: toolsOf('one', 'two'),
    allow: allowTwo,
    approve: async ({ name }) => {
      asked.push(name)
      return await open.promise
    },
  })
  const first = executor.execute(callOf('one'), context)
  expect((await executor.execute(callOf('two'), context)).isError).toBe(false)
  open.resolve({ decision: 'allowed' })
  expect((await first).isError).toBe(false)
  expect(asked).toEqual(['one'])
})

test('a call that is allowed is not shown to a person, so its tool need not show its arguments', async () => {
  const [{ tool } = { tool: undefined }] = toolsOf('two')
  const formatArguments = async (): Promise<never> => {
    throw new Error('it was asked to')
  }
  const executor = createToolExecutor({
    tools: tool ? [{ tool: { ...tool, formatArguments } }] : [],
    allow: allowTwo,
  })
  expect((await executor.execute(callOf('two'), context)).isError).toBe(false)
})

test('what is not allowed, where nobody can be asked, is denied', async () => {
  const executor = createToolExecutor({ tools: toolsOf('one'), allow: allowTwo })
  expect((await executor.execute(callOf('one'), context)).metadata?.outcome).toBe('denied')
})

test('a rejection fails the call', async () => {
  const executor = createToolExecutor({
    tools: toolsOf('one'),
    allow: async () => await Promise.reject(new Error('the rules cannot be read')),
    approve: async () => ({ decision: 'allowed' }),
  })
  const { isError, metadata } = await executor.execute(callOf('one'), context)
  expect([isError, metadata?.outcome]).toEqual([true, 'failed'])
})

test('a call that is aborted while another one is asked about leaves, and is never asked about', async () => {
  const open = Promise.withResolvers<{ decision: 'allowed' }>()
  const asked: string[] = []
  const tools = ['one', 'two'].map((name) => ({
    tool: { ...answering(createSuccessResult([])).tool, name },
  }))
  const executor = createToolExecutor({
    tools,
    approve: async ({ name }) => {
      asked.push(name)
      return await open.promise
    },
  })
  const host = new AbortController()
  const first = executor.execute(callOf('one'), context)
  const second = executor.execute(callOf('two'), { ...context, signal: host.signal })
  await new Promise((next) => setImmediate(next))
  host.abort()
  expect((await second).metadata?.outcome).toBe('cancelled')
  open.resolve({ decision: 'allowed' })
  expect((await first).isError).toBe(false)
  expect(asked).toEqual(['one'])
})
