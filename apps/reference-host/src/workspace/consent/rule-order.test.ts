import type { ToolEntry } from '@toolblocks/tool-executor'
import { readRule, type Rule } from '@toolblocks/tool-executor/internal/rules'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { decideByCallRules, findVerdict, recordVerdicts } from './create-approver.ts'
import {
  describeVerdict,
  placeRules,
  readTypedRules,
  type RuleSource,
  toDecision,
} from './rule-sources.ts'
import { openRules, type RuleStore } from './stored-rules.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-rule-order-'))
afterAll(() => rmSync(folder, { recursive: true }))

let store: RuleStore
let count = 0
beforeEach(() => {
  store = openRules(join(folder, `${(count += 1)}.json`))
})

const makeEntry = (name: string): ToolEntry => ({
  tool: { name, inputSchema: {}, execute: async () => ({ content: [], isError: false }) },
})

function makeRule(text: string): Rule {
  const read = readRule(text)
  if (!read.ok) throw new Error(read.message)
  return read.rule
}

interface Sources {
  typed?: readonly string[]
  configuration?: readonly string[]
  settings?: readonly string[]
}

const makeRules = ({ typed, configuration, settings }: Sources) => ({
  root: '/w',
  isBelow: () => false,
  rules: [
    ...placeRules(typed, 'command line'),
    ...placeRules(configuration, 'configuration'),
    ...placeRules(settings, 'settings'),
  ],
  store,
  describeTool: ({ tool }: ToolEntry) => `hash of ${tool.name}`,
})

/** Decides about a call without arguments, as `allow by settings`. */
function decide(name: string, sources: Sources = {}, conversation?: string): string | undefined {
  const call = { id: 'c', name, arguments: {} }
  const about = { entry: makeEntry(name), ...(conversation !== undefined && { conversation }) }
  const { verdict } = findVerdict(call, about, makeRules(sources)) ?? {}
  return verdict && `${verdict.effect} by ${verdict.source}`
}

test('the command line decides before the configuration, the settings and what was stored', async () => {
  await store.remember({ root: '/w', rule: makeRule('deny git'), definitions: {} })
  const all = { typed: ['allow git'], configuration: ['deny git'], settings: ['ask git'] }
  expect(decide('git', all)).toBe('allow by command line')
  expect(decide('git', { ...all, typed: ['deny other'] })).toBe('deny by configuration')
  expect(decide('git', { settings: ['allow gi*'] })).toBe('allow by settings')
  expect(decide('git')).toBe('deny by stored')
  expect(decide('other')).toBeUndefined()
})

test('a folder loosens nothing that the user denies, neither with a rule that asks nor with one that allows', async () => {
  const settings = ['deny git']
  expect(decide('git', { configuration: ['ask git'], settings })).toBe('deny by settings')
  expect(decide('git', { configuration: ['allow *'], settings })).toBe('deny by settings')
  const mild = { configuration: ['allow git'], settings: ['ask *'] }
  expect(decide('git', mild)).toBe('allow by configuration')
  await store.remember({ root: '/w', rule: makeRule('deny rm'), definitions: {} })
  expect(decide('rm', { configuration: ['ask rm'] })).toBe('deny by stored')
  expect(decide('ls', { configuration: ['ask ls'] })).toBe('ask by configuration')
})

test('in each source the order is that of the rules; a stored rule replaces earlier ones', async () => {
  expect(decide('git', { configuration: ['ask git', 'deny git'] })).toBe('ask by configuration')
  const definitions = { git: 'hash of git' }
  const rule = makeRule('allow git')
  await store.remember({ root: '/w', rule, definitions })
  expect(decide('git')).toBe('allow by stored')
  const denied = await store.remember({ root: '/w', rule: makeRule('deny *'), definitions: {} })
  expect(decide('git')).toBe('deny by stored')
  await store.revoke(denied.id)
  expect(decide('git')).toBe('allow by stored')
})

test('a stored rule with * allows the tools that were there, as they were; it denies later ones too', async () => {
  const definitions = { far__read: 'hash of far__read', far__write: 'another hash' }
  await store.remember({ root: '/w', rule: makeRule('allow far__*'), definitions })
  expect(decide('far__read')).toBe('allow by stored')
  expect(decide('far__write')).toBeUndefined()
  expect(decide('far__later')).toBeUndefined()
  expect(decide('far__constructor')).toBeUndefined()
  await store.remember({ root: '/w', rule: makeRule('deny far__*'), definitions: {} })
  expect(decide('far__later')).toBe('deny by stored')
})

test('a stored rule counts in its workspace, and one for a conversation only in it', async () => {
  await store.remember({ root: '/elsewhere', rule: makeRule('deny git'), definitions: {} })
  const rule = makeRule('deny git')
  await store.remember({ root: '/w', rule, definitions: {}, conversation: 'ann' })
  expect(decide('git')).toBeUndefined()
  expect(decide('git', {}, 'bob')).toBeUndefined()
  expect(decide('git', {}, 'ann')).toBe('deny by stored')
})

test('two conversations at once: each verdict is recorded once with its call, and a client that approves itself is not asked', async () => {
  const rule = makeRule('ask git')
  await store.remember({ root: '/w', rule, definitions: {}, conversation: 'ann' })
  const rules = makeRules({ typed: ['deny rm', 'allow ls'] })
  const recorded: unknown[] = []
  const record = async (event: unknown): Promise<void> => void recorded.push(event)
  const run = async (name: string, conversationId: string, approval: 'user' | 'client') => {
    const verdicts = recordVerdicts(decideByCallRules(rules), { record, approval })
    const call = { id: `${name} of ${conversationId}`, name, arguments: {} }
    return (await verdicts(call, { entry: makeEntry(name), conversationId }))?.effect
  }
  expect(
    await Promise.all([
      run('git', 'ann', 'user'),
      run('git', 'bob', 'user'),
      run('git', 'ann', 'client'),
      run('rm', 'ann', 'client'),
      run('ls', 'bob', 'user'),
    ]),
  ).toEqual(['ask', undefined, undefined, 'deny', 'allow'])
  const by = { type: 'approval', by: 'rule', source: 'command line' }
  expect(recorded).toEqual([
    { ...by, callId: 'rm of ann', decision: 'denied', rule: 'rm' },
    { ...by, callId: 'ls of bob', decision: 'allowed', rule: 'ls' },
  ])
})

test('a mistake in a typed rule names its option', () => {
  expect(readTypedRules(['allow git', 'deny git('])).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^--deny-tool: expected NAME.*got "git\("$/) as string,
  })
  expect(readTypedRules()).toEqual({ ok: true, rules: [] })
})

test('how a rule that denies is ended goes to the person, and what decides about the call has nothing of it', async () => {
  const { id } = await store.remember({ root: '/w', rule: makeRule('deny rm'), definitions: {} })
  const denials: unknown[] = []
  const decideAbout = decideByCallRules(
    makeRules({ typed: ['allow ls'] }),
    (call, decision, agents) => denials.push([call.id, describeVerdict(decision, 'tb'), agents]),
  )
  const about = (name: string) =>
    [{ id: 'c', name, arguments: {} }, { entry: makeEntry(name) }] as const
  expect(await decideAbout(...about('ls'))).toMatchObject({ effect: 'allow' })
  expect(await decideAbout(...about('rm'))).toEqual({
    effect: 'deny',
    rule: 'rm',
    source: 'stored',
  })
  expect(denials).toEqual([
    ['c', `the rule rm (stored); "tb approvals revoke ${id}" removes it`, []],
  ])
})

test.for<[string, RuleSource, string]>([
  ['deny rm(path=a b)', 'command line', '; it is the option --deny-tool "rm(path=a b)"'],
  ['deny rm', 'configuration', '; it is in some.toml:7'],
  ['ask rm', 'settings', '; it is in some.toml:7'],
])('of %s in the %s a person reads where it is', ([text, source, where]) => {
  const [placedRule] = placeRules([text], source, () => 'some.toml:7')
  const calls = text.slice(text.indexOf(' ') + 1)
  expect(placedRule && describeVerdict(toDecision(placedRule), 'tb')).toBe(
    `the rule ${calls} (${source})${where}`,
  )
})

test('of a rule whose file has no lines, the source is enough', () => {
  const [placedRule] = placeRules(['deny rm'], 'configuration')
  expect(placedRule && describeVerdict(toDecision(placedRule), 'tb')).toBe(
    'the rule rm (configuration)',
  )
})
