import type { AskApproval, ApprovalWithRule } from '../../terminal/share-screen.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentPorts } from '@toolblocks/agent'
import type { Approval } from '@toolblocks/protocol'
import { createToolExecutor, type ToolEntry } from '@toolblocks/tool-executor'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { placeRules } from './rule-sources.ts'
import { openRules, type RuleStore } from './stored-rules.ts'
import { createApprover } from './create-approver.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-approver-'))
afterAll(() => rmSync(folder, { recursive: true }))

let store: RuleStore
let decisions: (Approval & { by?: 'rule'; rule?: string; source?: string })[]
let ran: unknown[]
let asked: number
let count = 0
beforeEach(() => {
  store = openRules(join(folder, `${(count += 1)}.json`))
  decisions = []
  ran = []
  asked = 0
})

const entry: ToolEntry = {
  tool: {
    name: 'write',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
    execute: async ({ arguments: values }) => {
      ran.push(values)
      return { content: [], isError: false }
    },
  },
}

/** Asks like an agent, with the id of the conversation. A decision that a rule makes at once counts as `decide`. */
function asAgent(
  { decide, approve }: Required<Pick<AgentPorts, 'decide' | 'approve'>>,
  conversation: string,
): Pick<Parameters<typeof createToolExecutor>[0], 'decide' | 'approve'> {
  const origin = { conversation, agents: [] }
  return {
    decide: async (tried, material) => {
      const verdict = await decide(tried, { ...material, ...origin })
      if (verdict && verdict.effect !== 'ask') {
        const { effect, rule, source } = verdict
        const decision = effect === 'allow' ? 'allowed' : 'denied'
        decisions.push({ decision, by: 'rule', rule, source })
      }
      return verdict
    },
    approve: async (tried, material) => {
      const decision = await approve(tried, { ...material, ...origin })
      decisions.push(decision)
      return decision
    },
  }
}

interface Situation {
  answer?: ApprovalWithRule
  rules?: readonly string[]
  conversation?: string
  definition?: string
}

async function call(path: string, situation: Situation): Promise<string | undefined> {
  const { answer, rules = [], conversation = 'c', definition = 'as it was' } = situation
  const ask: AskApproval = async () => {
    asked += 1
    return answer ?? { decision: 'cancelled' }
  }
  const approver = createApprover({
    root: folder,
    isBelow: (candidate, below) => candidate.startsWith(`${below}/`),
    rules: placeRules(rules, 'command line'),
    store,
    describeTool: () => definition,
    ...(answer && { ask }),
  })
  const executor = createToolExecutor({ tools: [entry], ...asAgent(approver, conversation) })
  const signal = new AbortController().signal
  const { metadata } = await executor.execute(
    { id: 'call-1', name: 'write', arguments: { path } },
    { signal, root: folder, conversationId: conversation },
  )
  await executor.close()
  return metadata?.outcome
}

test('a call that a rule of this run allows is not asked about, and the decision is recorded as the rule’s', async () => {
  const rules = ['allow write(path in docs)']
  expect(await call('docs/a', { rules })).toBe('completed')
  expect(decisions).toEqual([
    { decision: 'allowed', by: 'rule', rule: 'write(path in docs)', source: 'command line' },
  ])
  expect(await call('src/a', { rules })).toBe('denied')
  expect(decisions[1]).toMatchObject({ decision: 'denied', by: 'rule' })
  expect(ran).toEqual([{ path: 'docs/a' }])
})

test('an approval of one call is not valid for the next call', async () => {
  const answer = { decision: 'allowed' } as const
  expect(await call('a', { answer })).toBe('completed')
  expect(await call('a', { answer })).toBe('completed')
  expect(asked).toBe(2)
})

test('an approval for a conversation is valid only in it', async () => {
  const answer = { decision: 'allowed', remember: 'conversation' } as const
  await call('a', { answer })
  expect(await call('b', {})).toBe('completed')
  expect(await call('b', { conversation: 'other' })).toBe('denied')
  expect(asked).toBe(1)
})

test('an approval for always is valid until the tool changes its description', async () => {
  await call('a', { answer: { decision: 'allowed', remember: 'always' } })
  expect(await call('b', { conversation: 'other' })).toBe('completed')
  expect(await call('b', { definition: 'changed' })).toBe('denied')
})

test('edited arguments are run and recorded', async () => {
  await call('a', { answer: { decision: 'allowed', arguments: { path: 'b' } } })
  expect(ran).toEqual([{ path: 'b' }])
  expect(decisions).toMatchObject([{ decision: 'allowed', arguments: { path: 'b' } }])
})

test('a call without a person to ask is denied, and the message says how to allow it', async () => {
  expect(await call('a', {})).toBe('denied')
  expect(decisions).toEqual([
    {
      decision: 'denied',
      by: 'rule',
      reason: 'no person can be asked; use --allow-tool write to allow this tool',
    },
  ])
})

test.for<ApprovalWithRule>([
  { decision: 'allowed' },
  { decision: 'denied' },
  { decision: 'denied', reason: 'later' },
  { decision: 'cancelled' },
])('%j is passed on unchanged, and nothing is remembered', async (answer) => {
  await call('a', { answer })
  expect(decisions).toStrictEqual([answer])
  expect(store.list()).toEqual([])
})

test('an approval is remembered with the tool, its definition and the folder', async () => {
  await call('a', { answer: { decision: 'allowed', remember: 'always' } })
  await call('a', {
    answer: { decision: 'allowed', remember: 'conversation' },
    definition: 'other',
  })
  const rule = { effect: 'allow', tool: 'write', conditions: [] }
  expect(store.list().map(({ id: _id, at: _at, ...kept }) => kept)).toStrictEqual([
    { root: folder, rule, definitions: { write: 'as it was' } },
    { root: folder, rule, definitions: { write: 'other' }, conversation: 'c' },
  ])
})

test('an approval is valid for its tool, in its folder, under its conditions', async () => {
  const yes = { definitions: { write: 'as it was', read: 'as it was' } }
  const rule = { effect: 'allow', tool: 'write', conditions: [] } as const
  await store.remember({ ...yes, root: '/elsewhere', rule })
  await store.remember({ ...yes, root: folder, rule: { ...rule, tool: 'read' } })
  expect(await call('docs/a', {})).toBe('denied')
  const below = { kind: 'below', argument: 'path', folder: 'docs' } as const
  await store.remember({ ...yes, root: folder, rule: { ...rule, conditions: [below] } })
  expect(await call('src/a', {})).toBe('denied')
  expect(await call('docs/a', {})).toBe('completed')
  expect(decisions.at(-1)).toEqual({
    decision: 'allowed',
    by: 'rule',
    rule: 'write(path in docs)',
    source: 'stored',
  })
})

test('a denial is passed on with its reason', async () => {
  expect(await call('a', { answer: { decision: 'denied', reason: 'not now' } })).toBe('denied')
  expect(decisions).toMatchObject([{ decision: 'denied', reason: 'not now' }])
  expect(store.list()).toEqual([])
})

test('an approval for always also allows calls that waited meanwhile, and each decision is recorded', async () => {
  const answered = Promise.withResolvers<ApprovalWithRule>()
  const options = {
    root: folder,
    isBelow: () => false,
    rules: [],
    store,
    describeTool: () => 'as it was',
  }
  const ask: AskApproval = async () => {
    asked += 1
    return await answered.promise
  }
  const executor = createToolExecutor({
    tools: [entry],
    ...asAgent(createApprover({ ...options, ask }), 'c'),
  })
  const { signal } = new AbortController()
  const running = ['1', '2'].map(
    async (id) =>
      await executor.execute(
        { id, name: 'write', arguments: { path: id } },
        { signal, root: folder, conversationId: 'c' },
      ),
  )
  answered.resolve({ decision: 'allowed', remember: 'always' })
  await Promise.all(running)
  await executor.close()
  expect(asked).toBe(1)
  expect(decisions).toMatchObject([{ decision: 'allowed' }, { by: 'rule', decision: 'allowed' }])
})

test('an approval for later calls is stored before its call runs; if it cannot be stored, the call does not run', async () => {
  const kept = store
  const order: string[] = []
  store = {
    ...kept,
    remember: async (approval) => {
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
      order.push(`stored after ${ran.length} calls`)
      return await kept.remember(approval)
    },
  }
  const answer = { decision: 'allowed', remember: 'always' } as const
  expect(await call('a', { answer })).toBe('completed')
  expect(order).toEqual(['stored after 0 calls'])
  store = { ...kept, list: () => [], remember: async () => await Promise.reject(new Error('full')) }
  expect(await call('b', { answer })).toBe('failed')
  expect(ran).toEqual([{ path: 'a' }])
})

test('a prompt says which of the waiting calls it is about; the next ones are counted anew', async () => {
  const places: unknown[] = []
  const approver = createApprover({
    root: folder,
    isBelow: () => false,
    rules: [],
    store,
    describeTool: () => '',
    ask: async (_call, { position }) => {
      places.push(position)
      return { decision: 'allowed' }
    },
  })
  const executor = createToolExecutor({ tools: [entry], ...asAgent(approver, 'c') })
  const { signal } = new AbortController()
  const make = async (...ids: readonly string[]): Promise<void> =>
    void (await Promise.all(
      ids.map(
        async (id) =>
          await executor.execute(
            { id, name: 'write', arguments: {} },
            { signal, root: folder, conversationId: 'c' },
          ),
      ),
    ))
  await make('a', 'b', 'c')
  await make('d')
  await make('e', 'f')
  await executor.close()
  expect(places).toEqual([
    { number: 1, of: 3 },
    { number: 2, of: 3 },
    { number: 3, of: 3 },
    undefined,
    { number: 1, of: 2 },
    { number: 2, of: 2 },
  ])
})
