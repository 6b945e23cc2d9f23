import { expect, test } from 'vitest'
import { createSuccessResult } from '@toolblocks/protocol'
import { createToolExecutor } from '../create-tool-executor.ts'
import { answering, callOf, context } from '../executor.suite.ts'

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
