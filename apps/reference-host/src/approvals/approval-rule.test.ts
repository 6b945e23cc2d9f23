import { expect, test } from 'vitest'
import { isApprovalRule, readRule, writeRule, type ApprovalRule } from './approval-rule.ts'
import { readRules } from './read-rules.ts'

test.for<[string, ApprovalRule]>([
  ['fs_read', { tool: 'fs_read', conditions: [] }],
  [
    'fs_write(path in docs)(mode=append)',
    {
      tool: 'fs_write',
      conditions: [
        { kind: 'below', argument: 'path', folder: 'docs' },
        { kind: 'exact', argument: 'mode', value: 'append' },
      ],
    },
  ],
  ['git(depth=3)', { tool: 'git', conditions: [{ kind: 'exact', argument: 'depth', value: 3 }] }],
  ['git(as="3")', { tool: 'git', conditions: [{ kind: 'exact', argument: 'as', value: '3' }] }],
  [
    'git(command^=git log)',
    { tool: 'git', conditions: [{ kind: 'prefix', argument: 'command', text: 'git log' }] },
  ],
])('%s is a rule, and is written as it is read', ([text, rule]) => {
  expect(readRule(text)).toEqual({ ok: true, rule })
  expect(writeRule(rule)).toBe(text)
})

test.for(['', '(a=1)', 'git(', 'git()', 'git(command)', 'git(command^=)', 'git(path in )'])(
  '%j is no rule, and the forms are said',
  (text) => {
    expect(readRule(text)).toMatchObject({
      ok: false,
      message: expect.stringContaining(`got ${JSON.stringify(text)}`),
    })
  },
)

test.for<[string, string]>([
  [' git ', 'git'],
  ['git( a = 1 )', 'git(a=1)'],
  ['git (a=1) ', 'git(a=1)'],
  ['git(a.b-c_d= x )', 'git(a.b-c_d=x)'],
  ['git(a=)', 'git(a=)'],
  ['git(a=b=c)', 'git(a=b=c)'],
  ['git(a=(b))', 'git(a=(b))'],
  ['git(a  in  b c)', 'git(a in b c)'],
  ['git(a^= b)', 'git(a^=b)'],
  ['git(a=x\ny)', 'git(a=x\ny)'],
  ['git(a=[1, {"b": null}])', 'git(a=[1,{"b":null}])'],
  ['git(a="true")(b=true)', 'git(a="true")(b=true)'],
  ['git(a="null")(b=null)', 'git(a="null")(b=null)'],
])('%j is the rule %j', ([text, written]) => {
  const read = readRule(text)
  expect(read.ok && writeRule(read.rule)).toBe(written)
  expect(readRule(written)).toEqual(read)
})

test.for([
  'git(a=1',
  'git(a=1)x',
  'git(a=1)()',
  'git( )',
  'git(a b=1)',
  'git(=1)',
  'git(a in b)(c)',
  'git(ain b)',
  ' (a=1)',
])('%j is none', (text) => {
  expect(readRule(text)).toEqual({
    ok: false,
    message: `expected NAME, NAME(argument=value), NAME(argument^=beginning) or NAME(path in folder), got ${JSON.stringify(text)}`,
  })
})

test('of several rules the first that is none says why', () => {
  const git = { tool: 'git', conditions: [] }
  expect(readRules([])).toEqual({ ok: true, rules: [] })
  expect(readRules(['git', 'git'])).toEqual({ ok: true, rules: [git, git] })
  expect(readRules(['git', '(b', '(c'])).toEqual(readRule('(b'))
})

const exact = { kind: 'exact', argument: 'a', value: null }
test.for<unknown>([
  { tool: 'a', conditions: [] },
  { tool: '', conditions: [exact] },
  {
    tool: 'a',
    conditions: [
      { kind: 'prefix', argument: 'a', text: '' },
      { kind: 'below', argument: 'a', folder: '' },
    ],
  },
])('%j was kept as a rule', (value) => {
  expect(isApprovalRule(value)).toBe(true)
})

test.for<unknown>([
  null,
  [],
  {},
  { tool: 1, conditions: [] },
  { tool: 'a' },
  { tool: 'a', conditions: {} },
  { tool: 'a', conditions: [null] },
  { tool: 'a', conditions: [exact, {}] },
  { tool: 'a', conditions: [{ ...exact, argument: 1 }] },
  { tool: 'a', conditions: [{ kind: 'exact', argument: 'a' }] },
  { tool: 'a', conditions: [{ kind: 'exact', argument: 'a', text: 'a', folder: 'a' }] },
  { tool: 'a', conditions: [{ kind: 'prefix', argument: 'a', value: 1, folder: 'a' }] },
  { tool: 'a', conditions: [{ kind: 'below', argument: 'a', value: 1, text: 'a' }] },
  { tool: 'a', conditions: [{ kind: 'other', argument: 'a', value: 1, text: 'a', folder: 'a' }] },
])('%j is no rule that was kept', (value) => {
  expect(isApprovalRule(value)).toBe(false)
})
