import { createSuccessResult, type Approval, type Tool, type ToolCall } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { createToolExecutor } from './create-tool-executor.ts'
import { decideByRules } from './decide-by-rules.ts'
import { context } from './executor.support.ts'
import { ToolExecutorError, type ToolPolicy } from './tool-entry.ts'

const SAY: Tool = {
  name: 'say',
  inputSchema: { type: 'object', properties: { text: { type: 'string', default: 'hello' } } },
  execute: async ({ arguments: { text } }) =>
    createSuccessResult([{ type: 'text', text: String(text) }]),
}

const makeCall = (text?: string): ToolCall => ({
  id: 'c',
  name: 'say',
  arguments: text === undefined ? {} : { text },
})

/** An executor with one tool, and the calls that its person was asked about. */
function open(
  rules: readonly string[],
  {
    policy = 'ask',
    approval = { decision: 'allowed' },
    isDeferred = false,
  }: {
    policy?: ToolPolicy
    approval?: Approval
    isDeferred?: boolean
  } = {},
) {
  const asked: [ToolCall, unknown][] = []
  const executor = createToolExecutor({
    tools: [{ tool: SAY, policy, defer: isDeferred }],
    decide: decideByRules(rules, { source: 'settings' }),
    approve: async (call, { verdict }) => {
      asked.push([call, verdict])
      return approval
    },
  })
  return { executor, asked }
}

test.for<[ToolPolicy, string, string, number]>([
  ['ask', 'allow', 'completed', 0],
  ['ask', 'ask', 'completed', 1],
  ['ask', 'deny', 'denied', 0],
  ['unattended', 'allow', 'completed', 0],
  ['unattended', 'ask', 'completed', 1],
  ['unattended', 'deny', 'denied', 0],
  ['deny', 'allow', 'denied', 0],
  ['deny', 'ask', 'denied', 0],
  ['skip', 'allow', 'denied', 0],
])('a call of policy %s that a rule would %s: %s', async ([policy, effect, outcome, questions]) => {
  const { executor, asked } = open([`${effect} say`], { policy })
  expect((await executor.execute(makeCall('a'), context)).metadata?.outcome).toBe(outcome)
  expect(asked).toHaveLength(questions)
  const decision = { completed: questions === 1 ? 'ask' : 'allowed', denied: 'refused' }[outcome]
  expect(await executor.getPermission(makeCall('a'), context)).toMatchObject({ decision })
})

test('the first rule that fits decides; without one, the policy does', async () => {
  const { executor, asked } = open(['deny say(text=a)', 'ask say(text^=b)', 'allow say'], {
    policy: 'unattended',
  })
  const run = async (text: string) => (await executor.execute(makeCall(text), context)).isError
  expect([await run('a'), await run('b'), await run('c')]).toEqual([true, false, false])
  expect(asked).toEqual([
    [makeCall('b'), { effect: 'ask', rule: 'say(text^=b)', source: 'settings' }],
  ])
})

test('a denial names the rule and where it is', async () => {
  const { executor } = open(['deny say(text^=a)'])
  const { content } = await executor.execute(makeCall('a b'), context)
  expect(content).toEqual([
    {
      type: 'text',
      text: 'The rule "say(text^=a)" (settings) denies this call of "say"; the call was not run.',
    },
  ])
})

test('a rule sees the arguments with which the call runs: those of the call of call_tool, with defaults', async () => {
  const { executor } = open(['deny say(text=hello)', 'deny call_tool', 'allow say'], {
    isDeferred: true,
  })
  const run = async (values: object): Promise<string | undefined> => {
    const call = { id: 'c', name: 'call_tool', arguments: { name: 'say', ...values } }
    return (await executor.execute(call, context)).metadata?.outcome
  }
  expect(await run({})).toBe('denied')
  expect(await run({ arguments: { text: 'hello' } })).toBe('denied')
  expect(await run({ arguments: '{"text":"hello"}' })).toBe('denied')
  expect(await run({ arguments: { text: 'else' } })).toBe('completed')
})

test('arguments that a person edits to those of a rule that denies are denied', async () => {
  const approval = { decision: 'allowed', arguments: { text: 'hello' } } as const
  const { executor, asked } = open(['deny say(text=hello)'], { approval })
  expect((await executor.execute(makeCall('b'), context)).metadata?.outcome).toBe('denied')
  expect(asked).toHaveLength(1)
})

test('a decision from before the call does not outweigh a rule that denies, and answers one that asks', async () => {
  const { executor, asked } = open(['deny say(text=a)', 'ask say'], { policy: 'unattended' })
  const before = { ...context, approval: { decision: 'allowed' } } as const
  expect((await executor.execute(makeCall('a'), before)).isError).toBe(true)
  expect((await executor.execute(makeCall('b'), before)).isError).toBe(false)
  expect(asked).toEqual([])
})

test('without a way to ask, the denial names the rule that asks', async () => {
  const executor = createToolExecutor({
    tools: [{ tool: SAY, policy: 'unattended' }],
    decide: decideByRules(['ask s*']),
  })
  const { content } = await executor.execute(makeCall('a'), context)
  expect(JSON.stringify(content)).toContain(`by the rule \\"s*\\" (application)`)
})

test('a text that is not a rule is a mistake of the application', () => {
  expect(() => decideByRules(['say'])).toThrow(
    new ToolExecutorError(
      'bad-rule',
      'Invalid rule: expected allow, ask or deny before the calls, got "say".',
    ),
  )
})
