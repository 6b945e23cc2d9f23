import type { TurnEvent } from '@toolblocks/agent'
import {
  createFailure,
  createSuccessResult,
  type JsonObject,
  type ToolResult,
} from '@toolblocks/protocol'
import type { RuleVerdict } from '@toolblocks/tool-executor'
import { readRule } from '@toolblocks/tool-executor/internal/rules'
import { execFileSync } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createTerminal } from '../../terminal/terminal.ts'
import type { CallRules } from './create-approver.ts'
import { placeRules } from './rule-sources.ts'
import { describeNarrowRules, noteNearRules } from './near-rules.ts'

const ENTRY = {
  tool: { name: 'read', inputSchema: {}, execute: async () => createSuccessResult([]) },
}

const RULES: CallRules = {
  root: '/w',
  isBelow: () => undefined,
  rules: [
    ...placeRules(['allow read(path^=docs)', 'allow read(path^=other)'], 'command line'),
    ...placeRules(['allow read(path in docs)'], 'settings', (index) => `config.toml:${index + 1}`),
  ],
  store: { list: () => [] },
  describeTool: () => '',
}

const TYPED =
  '--allow-tool "read(path^=docs)" does not fit: after "docs" there is "/", and allow with ^= fits only complete words; for what is in this folder write "path in docs".\n'
const WRITTEN =
  'config.toml:1: "allow read(path in docs)" does not fit: it is not certain that "path" leads into "docs".\n'

/** Decides about one call and returns what is shown after its result. */
async function show(
  verdict: RuleVerdict | undefined,
  result: ToolResult,
  {
    agents,
    by = [],
    rules = RULES,
  }: { agents?: readonly string[]; by?: readonly string[]; rules?: CallRules } = {},
): Promise<{ after: string; denied: string }> {
  const [stderr, stream] = [new PassThrough(), new PassThrough()]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- streams that are no terminal
  const terminal = createTerminal({ stdin: stream, stdout: stream, stderr, env: {} } as never)
  const read = (): string => String(stderr.read() ?? '')
  const call = { id: '1', name: 'read', arguments: { path: 'docs/a' } }
  const notes = noteNearRules({ terminal })
  const decide = notes.watch(async () => verdict, rules)
  const material = { entry: ENTRY, ...(agents && { agents }) }
  expect(await decide(call, material)).toBe(verdict)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not read
  const delivered = {} as never
  let moment: TurnEvent = { type: 'result', call, milliseconds: 1, result, delivered }
  for (const agent of by) moment = { type: 'delegated', agent, moment }
  await notes.after(() => expect(read()).toBe(''))(moment)
  const after = read()
  await decide(call, material)
  notes.showDenied()
  return { after, denied: read() }
}

/** Returns what is shown after the folder has denied this call. */
async function propose(name: string, values: JsonObject): Promise<string> {
  const [stderr, stream] = [new PassThrough(), new PassThrough()]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- streams that are no terminal
  const terminal = createTerminal({ stdin: stream, stdout: stream, stderr, env: {} } as never)
  const notes = noteNearRules({ terminal })
  const decide = notes.watch(async () => DENY, { ...RULES, rules: [] })
  const entry = { tool: { ...ENTRY.tool, name } }
  await decide({ id: '1', name, arguments: values }, { entry })
  notes.showDenied()
  return String(stderr.read() ?? '')
}

const DENIED = createFailure('no', 'denied')
const DENY: RuleVerdict = { effect: 'deny', rule: 'read', source: 'configuration' }

test('after the result of a denied call, the rules follow that nearly allow it, and why they do not', async () => {
  const both = TYPED + WRITTEN
  expect(await show(DENY, DENIED)).toEqual({ after: both, denied: both })
  expect(await show(undefined, DENIED)).toEqual({ after: both, denied: '' })
})

test('if no rule of the command line nearly allows the call, the option that outweighs a rule of the folder follows', async () => {
  const rules = { ...RULES, rules: [] }
  const { after } = await show(DENY, DENIED, { rules })
  expect(after).toBe('To allow it all the same, for this run: --allow-tool "read(path=docs/a)"\n')
  const own: RuleVerdict = { ...DENY, source: 'stored' }
  expect((await show(own, DENIED, { rules })).after).toBe('')
})

test.for<[string, JsonObject, 'call' | 'tool']>([
  ['read', { path: 'a b', depth: 3, list: ['*', '"$x`!\\'] }, 'call'],
  ['read', { path: `it's '\\'' $(touch x) \`y\` "!!" *` }, 'call'],
  ['read', { path: 'a)(depth=1' }, 'call'],
  ['read', { path: ' a\nb\u001b[31m\u202e ' }, 'call'],
  ['read', { path: '3' }, 'call'],
  ['read', { path: '' }, 'call'],
  ['read', {}, 'call'],
  ["it's $x", { path: 'a' }, 'call'],
  ['read', { 'a b': 1 }, 'tool'],
  ['read', { path: 'x'.repeat(2000) }, 'tool'],
])(
  'of %s with %j, the option is pasted as one word that allows this call and no other',
  async ([name, values, expected]) => {
    const text = await propose(name, values)
    const [, option = ''] =
      /^To allow (?:it|all calls of [^\n]+) all the same, for this run: ([^\n]+)\n$/.exec(text) ??
      []
    const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${option}`], { encoding: 'utf8' })
    const [flag, calls, ...more] = printed.split('\0')
    expect([flag, more]).toEqual(['--allow-tool', ['']])
    const conditions = Object.entries(values).map(([argument, value]) => ({
      kind: 'exact',
      argument,
      value,
    }))
    expect(readRule(`allow ${calls}`)).toEqual({
      ok: true,
      rule: { effect: 'allow', tool: name, conditions: expected === 'call' ? conditions : [] },
    })
  },
)

test.for(['*', 'git*', 'read(a=1)', "it's $(x)", ' read', 're\u202ead'])(
  'no option is proposed for a tool with the name %j, which a rule cannot have for it alone',
  async (name) => {
    expect(await propose(name, { path: 'a' })).toBe('')
    expect(await propose(name, {})).toBe('')
  },
)

test('after a call that a rule or a person allowed, no rule follows', async () => {
  const allow: RuleVerdict = { effect: 'allow', rule: 'read', source: 'stored' }
  expect(await show(allow, DENIED)).toEqual({ after: '', denied: '' })
  expect(await show(undefined, createSuccessResult([]))).toEqual({ after: '', denied: '' })
})

test('a call of an agent is not confused with one of the model', async () => {
  const own = await show(DENY, DENIED, { agents: ['ada'], by: ['ada'] })
  expect(own.after).toBe(TYPED + WRITTEN)
  expect((await show(DENY, DENIED, { by: ['ada'] })).after).toBe('')
})

test('a rule of another folder or of no known tool is not reported as narrow', () => {
  const described = describeNarrowRules(RULES.rules, [ENTRY])
  expect(described).toHaveLength(2)
  expect(described[0]).toMatch(/^--allow-tool "read\(path\^=docs\)": allow with \^= fits only/)
  expect(describeNarrowRules(RULES.rules, [])).toEqual([])
})
