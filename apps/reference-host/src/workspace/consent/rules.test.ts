import type { JsonObject } from '@toolblocks/protocol'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  type Rule,
  allowsCall,
  createIsBelow,
  isRule,
  readRule,
  readRules,
  formatRule,
} from './rules.ts'

test.for<[string, Rule]>([
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
])('%s is a rule, and its formatted text is the same', ([text, rule]) => {
  expect(readRule(text)).toEqual({ ok: true, rule })
  expect(formatRule(rule)).toBe(text)
})

test.for(['', '(a=1)', 'git(', 'git()', 'git(command)', 'git(command^=)', 'git(path in )'])(
  '%j is not a rule, and the message lists the forms',
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
])('%j is parsed as the rule %j', ([text, written]) => {
  const read = readRule(text)
  expect(read.ok && formatRule(read.rule)).toBe(written)
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
])('%j is not a rule', (text) => {
  expect(readRule(text)).toEqual({
    ok: false,
    message: `expected NAME, NAME(argument=value), NAME(argument^=beginning) or NAME(path in folder), got ${JSON.stringify(text)}`,
  })
})

test('if several texts are parsed, the first one that is not a rule gives the error', () => {
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
])('%j is a stored rule', (value) => {
  expect(isRule(value)).toBe(true)
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
])('%j is not a stored rule', (value) => {
  expect(isRule(value)).toBe(false)
})

const root = mkdtempSync(join(tmpdir(), 'toolblocks-rules-'))

afterAll(() => rmSync(root, { recursive: true }))

mkdirSync(join(root, 'docs'))

writeFileSync(join(root, 'docs/a.md'), '')

writeFileSync(join(root, 'secret'), '')

symlinkSync('../secret', join(root, 'docs/link'))

symlinkSync('/nowhere/at/all', join(root, 'docs/dangling'))

symlinkSync('/', join(root, 'docs/top'))

function allows(text: string, values: JsonObject, name = 'tool'): boolean {
  const read = readRule(text)
  if (!read.ok) throw new Error(read.message)
  return allowsCall(read.rule, { id: 'c', name, arguments: values }, createIsBelow(root))
}

test('a rule allows only calls of its tool', () => {
  expect(allows('tool', { any: 1 })).toBe(true)
  expect(allows('tool', {}, 'tools')).toBe(false)
})

test('an exact value is compared as JSON, with its type', () => {
  expect(allows('tool(a=3)', { a: 3 })).toBe(true)
  expect(allows('tool(a=3)', { a: '3' })).toBe(false)
  expect(allows('tool(a={"b":[1]})', { a: { b: [1] } })).toBe(true)
  expect(allows('tool(a=null)', {})).toBe(false)
})

test('a call must meet every condition', () => {
  expect(allows('tool(a=1)(b=2)', { a: 1, b: 2 })).toBe(true)
  expect(allows('tool(a=1)(b=2)', { a: 1, b: 3 })).toBe(false)
})

test('after a prefix, characters that a shell interprets are not allowed', () => {
  expect(allows('tool(c^=git log)', { c: 'git log --oneline -3' })).toBe(true)
  expect(allows('tool(c^=git log)', { c: 'git push' })).toBe(false)
  for (const more of ['; rm x', '&& rm x', '| sh', '`rm x`', '$(rm x)', '> x', '\nrm x'])
    expect(allows('tool(c^=git log)', { c: `git log ${more}` }), more).toBe(false)
})

test.for([
  ['git log', 'git log', true],
  ['git log', 'git logx', false],
  ['git log', 'git log-all', false],
  ['git log', 'git log;rm x', false],
  ['git log', 'git log\trm', true],
  ['git ', 'git log', true],
  ['docs/', 'docs/a.md', true],
  ['docs/', 'docs/../secret', false],
  ['docs/', 'docs/..', false],
  ['docs/', 'docs/a..b', true],
  ['https://a.example', 'https://a.example.evil', false],
  ['https://a.example', 'https://a.example@evil', false],
  ['https://a.example/', 'https://a.example/path', true],
  ['--output=', '--output=a', true],
  ['--output=', '--output=../a', false],
] as const)('for the prefix %j the text %j is allowed: %s', ([text, c, expected]) => {
  expect(allows(`tool(c^=${text})`, { c })).toBe(expected)
})

test.for([
  ['docs/a.md', true],
  ['docs', true],
  ['./docs/new/file.md', true],
  [join(root, 'docs/a.md'), true],
  ['docs2/a.md', false],
  ['docs/../secret', false],
  ['docs/link', false],
  ['docs/dangling', false],
  ['docs/top/etc/passwd', false],
  ['/etc/passwd', false],
  ['docs/a.md\0', false],
  ['docs/new file.md', true],
  ['docs/a-b_c.d+e,f=g@h#i%j', true],
  ['', false],
  [' docs/a.md', false],
  ['docs/a.md ', false],
  ['docs/$(touch x)', false],
  ['docs/`touch x`', false],
  ['docs/a.md;touch x', false],
  ['docs/a.md|sh', false],
  ['docs/a.md\nrm', false],
  ['docs/*', false],
  ['docs/{a,b}', false],
  ['docs/$HOME', false],
  ["docs/'a", false],
  ['file:docs/a.md', false],
  ['file:///etc/passwd', false],
  ['http://docs/a', false],
  ['c:docs/a.md', false],
  ['~/docs/a.md', false],
  ['~root/docs', false],
  ['-rf', false],
  ['--config=docs/a.md', false],
  ['docs\\..\\secret', false],
] as const)('%s is in docs: %s', ([path, expected]) => {
  expect(allows('tool(path in docs)', { path })).toBe(expected)
})
