import { createFailure, createSuccessResult, type Tool, type ToolCall } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { createToolExecutor, type ToolExecutorOptions } from './create-tool-executor.ts'
import { decideByRules } from './decide-by-rules.ts'
import type { ToolEntry } from './tool-entry.ts'

const { signal } = new AbortController()
const context = { root: '/w', signal }
const CALL: ToolCall = { id: 'c', name: 'remove', arguments: { path: 'a' } }

const REMOVE: Tool = {
  name: 'remove',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  execute: async () => createSuccessResult([{ type: 'text', text: 'Removed.' }]),
}

/** An executor of one tool. Its own person is never asked here. */
function create(entry: Partial<ToolEntry> = {}, more: Partial<ToolExecutorOptions> = {}) {
  return createToolExecutor({ tools: [{ tool: REMOVE, ...entry }], ...more })
}

test('the policy says whether a call may run, and nobody is asked', async () => {
  const asked: string[] = []
  const approve: ToolExecutorOptions['approve'] = async ({ id }) => {
    asked.push(id)
    return { decision: 'allowed' }
  }
  const decisions = await Promise.all(
    (['unattended', 'ask', 'deny', 'skip'] as const).map(
      async (policy) => await create({ policy }, { approve }).getPermission(CALL, context),
    ),
  )
  expect(decisions).toMatchObject([
    { decision: 'allowed' },
    { decision: 'ask' },
    { decision: 'refused', result: { metadata: { outcome: 'denied' } } },
    { decision: 'refused', result: { metadata: { skipped: true } } },
  ])
  expect(asked).toEqual([])
})

test('a rule may allow a call of policy ask', async () => {
  const executor = create({}, { decide: decideByRules(['allow remove(path=a)']) })
  expect(await executor.getPermission(CALL, context)).toEqual({ decision: 'allowed' })
  const other = { ...CALL, arguments: { path: 'b' } }
  expect(await executor.getPermission(other, context)).toEqual({ decision: 'ask' })
})

test('the tool formats a call that needs a person; without a format the call is refused', async () => {
  const formatted = createSuccessResult([{ type: 'text', text: 'Removes a.' }])
  const formatting = create({ tool: { ...REMOVE, formatArguments: async () => formatted } })
  expect(await formatting.getPermission(CALL, context)).toEqual({ decision: 'ask', formatted })
  const failing = create({
    tool: { ...REMOVE, formatArguments: async () => createFailure('no format') },
  })
  expect(await failing.getPermission(CALL, context)).toMatchObject({
    decision: 'refused',
    result: { isError: true },
  })
})

test('a call that ends in an error needs no person', async () => {
  const executor = create()
  for (const call of [
    { ...CALL, name: 'unknown' },
    { ...CALL, arguments: {} },
    { ...CALL, arguments: 'not an object' as never },
  ])
    expect(await executor.getPermission(call, context)).toEqual({ decision: 'allowed' })
})

test('only the spawn of a stateful tool needs a person', async () => {
  const spawn = async () => await Promise.reject(new Error('not started here'))
  const executor = create({ tool: { ...REMOVE, spawn } })
  const withArguments = (values: object): ToolCall => ({ ...CALL, arguments: { ...values } })
  expect(
    await executor.getPermission(withArguments({ action: 'spawn', id: 'a', path: 'a' }), context),
  ).toEqual({ decision: 'ask' })
  expect(
    await executor.getPermission(withArguments({ action: 'fetch', id: 'a' }), context),
  ).toEqual({
    decision: 'allowed',
  })
})

test('a decision that a person made before replaces the question to a person', async () => {
  const executor = create()
  const allowed = { ...context, approval: { decision: 'allowed' } } as const
  expect(await executor.execute(CALL, allowed)).toMatchObject({ isError: false })
  const denied = { ...context, approval: { decision: 'denied', reason: 'Not now' } } as const
  const result = await executor.execute(CALL, denied)
  expect(result).toMatchObject({ metadata: { outcome: 'denied' } })
  expect(JSON.stringify(result.content)).toContain('Not now')
})

test('a decision does not replace a policy that denies, and does not reach the tool', async () => {
  const approval = { decision: 'allowed' } as const
  const contexts: object[] = []
  const tool: Tool = {
    ...REMOVE,
    execute: async (_, received) => {
      contexts.push(received)
      return createSuccessResult([])
    },
  }
  const refused = await create({ policy: 'deny' }).execute(CALL, { ...context, approval })
  expect(refused).toMatchObject({ metadata: { outcome: 'denied' } })
  await create({ tool }).execute(CALL, { ...context, approval })
  expect(contexts).toHaveLength(1)
  expect(contexts[0]).not.toHaveProperty('approval')
})

test('a rule or a format that throws refuses the call: as failed, or as cancelled if the call was', async () => {
  const thrown = { decide: async () => await Promise.reject(new Error('no rules')) }
  const cancelled = { ...context, signal: AbortSignal.abort() }
  const read = async (callContext: typeof context): Promise<unknown> =>
    await create({}, thrown).getPermission(CALL, callContext)
  expect(await read(context)).toMatchObject({
    decision: 'refused',
    result: {
      isError: true,
      content: [{ text: expect.stringContaining('failed') as string }, { text: 'no rules' }],
      metadata: { outcome: 'failed' },
    },
  })
  expect(await read(cancelled)).toMatchObject({
    decision: 'refused',
    result: { metadata: { outcome: 'cancelled' } },
  })
})

test('a rule knows the conversation and the tool, and the format its folder and options', async () => {
  const seen: unknown[] = []
  const options = { style: 'short' }
  const tool: Tool = {
    ...REMOVE,
    formatArguments: async (call, { root, options: toolOptions }) => {
      seen.push([call.id, root, toolOptions])
      return createSuccessResult([])
    },
  }
  const executor = create(
    { tool, options },
    {
      decide: async (call, { entry, conversationId }) => {
        seen.push([call.id, entry.tool.name, conversationId])
        return undefined
      },
    },
  )
  await executor.getPermission(CALL, { ...context, conversationId: 'c-1' })
  expect(seen).toEqual([
    ['c', 'remove', 'c-1'],
    ['c', '/w', options],
  ])
})
