import {
  type Approval,
  type Tool,
  type ToolCall,
  type ToolResult,
  createErrorResult,
  createSuccessResult,
} from '@toolblocks/protocol'
import { toToolContext } from '@toolblocks/protocol/internal'
import { expect, test } from 'vitest'
import { createToolExecutor } from './create-tool-executor.ts'
import { decideByRules } from './decide-by-rules.ts'
import { answering, makeCall, context } from './executor.support.ts'
import { type ApprovalMaterial, type ApproveCall, permitCall } from './permit-call.ts'
import type { ToolPolicy } from './tool-entry.ts'

const call: ToolCall = { id: '1', name: 'remove', arguments: { path: 'a' } }

function remover(ran: unknown[], extra: Partial<Tool> = {}): Tool {
  return {
    name: 'remove',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    execute: async ({ arguments: values }) => {
      ran.push(values)
      return createSuccessResult([])
    },
    ...extra,
  }
}

interface Run {
  result: ToolResult
  ran: unknown[]
  text: string
}

async function run(
  policy: ToolPolicy | undefined,
  approve?: ApproveCall,
  extra: Partial<Tool> = {},
): Promise<Run> {
  const ran: unknown[] = []
  const executor = createToolExecutor({
    tools: [{ tool: remover(ran, extra), ...(policy && { policy }) }],
    ...(approve && { approve }),
  })
  const result = await executor.execute(call, context)
  const [first] = result.content
  return { result, ran, text: first?.type === 'text' ? first.text : '' }
}

const answer =
  (approval: Approval): ApproveCall =>
  async () =>
    approval

test('unattended runs without asking', async () => {
  expect((await run('unattended', answer({ decision: 'denied' }))).ran).toHaveLength(1)
})

test.for(['deny', 'skip'] as const)('%s never runs', async (policy) => {
  const { ran, result, text } = await run(policy, answer({ decision: 'allowed' }))
  expect(ran).toEqual([])
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'denied' } })
  expect(result.metadata?.skipped).toBe(policy === 'skip' ? true : undefined)
  expect(text).toBe(
    policy === 'deny'
      ? 'The configuration denies the tool "remove"; the call was not run.'
      : 'The call of "remove" was skipped by the configuration; continue without its result.',
  )
})

test('ask is the default policy, and without a person it is a denial', async () => {
  const { ran, result, text } = await run(undefined)
  expect(ran).toEqual([])
  expect(result.metadata?.outcome).toBe('denied')
  expect(text).toBe(
    'The tool "remove" needs a person\'s approval and no person is available; the call was not run.',
  )
})

test('an approved call runs', async () => {
  expect((await run('ask', answer({ decision: 'allowed' }))).ran).toEqual([{ path: 'a' }])
})

test('a call that is approved with other arguments runs with those', async () => {
  const { ran } = await run('ask', answer({ decision: 'allowed', arguments: { path: 'b' } }))
  expect(ran).toEqual([{ path: 'b' }])
})

test('edited arguments are checked like the first ones', async () => {
  const { ran, text } = await run('ask', answer({ decision: 'allowed', arguments: { path: 3 } }))
  expect(ran).toEqual([])
  expect(text).toContain('/path: expected string, got number 3')
})

test.for([
  [{ decision: 'denied' }, 'The call of "remove" was denied; the call was not run.'],
  [
    { decision: 'denied', reason: 'not now' },
    'The call of "remove" was denied (not now); the call was not run.',
  ],
] as const)(
  'the decision of a person and its reason reach the model: %j',
  async ([approval, message]) => {
    const { ran, text, result } = await run('ask', answer(approval))
    expect(ran).toEqual([])
    expect(text).toBe(message)
    expect(result.metadata).toEqual({ outcome: 'denied' })
  },
)

test('only a call whose arguments a person changed is a different call', async () => {
  const settings = {
    decide: undefined,
    people: async <Value>(work: () => Promise<Value>) => await work(),
    context: toToolContext(context, {}),
    warn: () => undefined,
  }
  const tool = remover([])
  const permit = async (approval: Approval, more: object = {}): Promise<unknown> =>
    await permitCall(call, { tool }, { ...settings, approve: answer(approval), ...more })
  const changed = { decision: 'allowed', arguments: { path: 'b' } } as const
  expect(await permit(changed)).toEqual({ ok: true, call: { ...call, arguments: { path: 'b' } } })
  expect(await permit({ decision: 'allowed' })).toMatchObject({ call })
  expect(await permit(changed, { decide: decideByRules(['allow remove']) })).toMatchObject({ call })
})

test('the approver sees the arguments as the tool formats them', async () => {
  const formatted = createSuccessResult([{ type: 'text', text: 'rm a' }])
  const materials: ApprovalMaterial[] = []
  const approve: ApproveCall = async (_call, material) => {
    materials.push(material)
    return { decision: 'allowed' }
  }
  await run('ask', approve, { formatArguments: async () => formatted })
  expect(materials[0]?.formatted).toEqual(formatted)
  expect(materials[0]?.entry.tool.name).toBe('remove')
})

test('a call that cannot be shown is not run', async () => {
  const formatArguments = async (): Promise<ToolResult> => createErrorResult('no such file')
  const { ran, result } = await run('ask', answer({ decision: 'allowed' }), { formatArguments })
  expect(ran).toEqual([])
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'failed' } })
  expect(result.content).toEqual([
    {
      type: 'text',
      text: 'The call of "remove" was not run, because the tool failed to format it for a person:',
    },
    { type: 'text', text: 'no such file' },
  ])
})

test('invalid arguments are refused before a person is asked', async () => {
  let asked = 0
  const approve: ApproveCall = async () => {
    asked += 1
    return { decision: 'allowed' }
  }
  const executor = createToolExecutor({ tools: [{ tool: remover([]) }], approve })
  await executor.execute({ ...call, arguments: {} }, context)
  expect(asked).toBe(0)
})

test('parallel calls are asked about one at a time', async () => {
  let open = 0
  const most: number[] = []
  const approve: ApproveCall = async () => {
    open += 1
    most.push(open)
    await new Promise((next) => setImmediate(next))
    open -= 1
    return { decision: 'allowed' }
  }
  const executor = createToolExecutor({ tools: [{ tool: remover([]) }], approve })
  await Promise.all([1, 2, 3].map((id) => executor.execute({ ...call, id: String(id) }, context)))
  expect(most).toEqual([1, 1, 1])
})

test('a question that was cancelled cancels the call', async () => {
  const { result, ran, text } = await run('ask', answer({ decision: 'cancelled' }))
  expect([result.metadata?.outcome, ran]).toEqual(['cancelled', []])
  expect(text).toBe(
    'The call of "remove" was cancelled before it was approved; the call was not run.',
  )
})

test('an approval that throws fails only its own call', async () => {
  let calls = 0
  const approve: ApproveCall = async () => {
    calls += 1
    if (calls === 1) throw new Error('terminal closed')
    return { decision: 'allowed' }
  }
  const executor = createToolExecutor({ tools: [{ tool: remover([]) }], approve })
  const results = await Promise.all([
    executor.execute(call, context),
    executor.execute(call, context),
  ])
  expect(results.map(({ isError }) => isError)).toEqual([true, false])
})

test.for<[Approval, string]>([
  [{ decision: 'denied' }, 'The call of "remove" was denied; the call was not run.'],
  [
    { decision: 'cancelled' },
    'The call of "remove" was cancelled before it was approved; the call was not run.',
  ],
])(
  'if the tool was asked to show a call, the result that replaces it says so: %j',
  async ([approval, message]) => {
    const formatArguments = async () => createSuccessResult([{ type: 'text', text: 'rm a' }])
    const { ran, result } = await run('ask', answer(approval), { formatArguments })
    expect(ran).toEqual([])
    expect(result.content).toEqual([
      { type: 'text', text: message },
      {
        type: 'text',
        text: 'The tool formatted the call for a person; the call itself was not run.',
      },
    ])
  },
)

const allowTwo = decideByRules(['allow two'])

const makeTools = (...names: readonly string[]) =>
  names.map((name) => ({ tool: { ...answering(createSuccessResult([])).tool, name } }))

test('an allowed call runs while a person is asked about another one', async () => {
  const open = Promise.withResolvers<{ decision: 'allowed' }>()
  const asked: string[] = []
  const executor = createToolExecutor({
    tools: makeTools('one', 'two'),
    decide: allowTwo,
    approve: async ({ name }) => {
      asked.push(name)
      return await open.promise
    },
  })
  const first = executor.execute(makeCall('one'), context)
  expect((await executor.execute(makeCall('two'), context)).isError).toBe(false)
  open.resolve({ decision: 'allowed' })
  expect((await first).isError).toBe(false)
  expect(asked).toEqual(['one'])
})

test('an allowed call is not shown to a person, so its tool need not show its arguments', async () => {
  const [{ tool } = { tool: undefined }] = makeTools('two')
  const formatArguments = async (): Promise<never> => {
    throw new Error('it was asked to')
  }
  const executor = createToolExecutor({
    tools: tool ? [{ tool: { ...tool, formatArguments } }] : [],
    decide: allowTwo,
  })
  expect((await executor.execute(makeCall('two'), context)).isError).toBe(false)
})

test('a call that is not allowed is denied if no person is available', async () => {
  const executor = createToolExecutor({ tools: makeTools('one'), decide: allowTwo })
  expect((await executor.execute(makeCall('one'), context)).metadata?.outcome).toBe('denied')
})

test('a rejection fails the call', async () => {
  const executor = createToolExecutor({
    tools: makeTools('one'),
    decide: async () => await Promise.reject(new Error('the rules cannot be read')),
    approve: async () => ({ decision: 'allowed' }),
  })
  const { isError, metadata } = await executor.execute(makeCall('one'), context)
  expect([isError, metadata?.outcome]).toEqual([true, 'failed'])
})

test('a call that is aborted while a person is asked about another one is cancelled, and is never asked about', async () => {
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
  const first = executor.execute(makeCall('one'), context)
  const second = executor.execute(makeCall('two'), { ...context, signal: host.signal })
  await new Promise((next) => setImmediate(next))
  host.abort()
  expect((await second).metadata?.outcome).toBe('cancelled')
  open.resolve({ decision: 'allowed' })
  expect((await first).isError).toBe(false)
  expect(asked).toEqual(['one'])
})
