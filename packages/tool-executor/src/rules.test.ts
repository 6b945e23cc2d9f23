import type { JsonObject, JsonSchema, JsonValue } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import {
  explainMisfit,
  explainNarrowPrefix,
  formatRule,
  formatRuleCalls,
  type IsBelow,
  isRule,
  isRuleOfCall,
  readRule,
  type Rule,
} from './rules.ts'

test.for<[string, Omit<Rule, 'effect'>]>([
  ['github__*', { tool: 'github__*', conditions: [] }],
  ['*', { tool: '*', conditions: [] }],
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
  for (const effect of ['allow', 'ask', 'deny'] as const) {
    const full = { effect, ...rule }
    expect(readRule(`${effect} ${text}`)).toEqual({ ok: true, rule: full })
    expect(formatRule(full)).toBe(`${effect} ${text}`)
    expect(formatRuleCalls(full)).toBe(text)
  }
})

test.for<[JsonValue, string]>([
  [' a ', 'git(a=" a ")'],
  ['a)(b=1', String.raw`git(a="a)\u0028b=1")`],
  [['a)(b'], String.raw`git(a=["a)\u0028b"])`],
  ['a\nb', String.raw`git(a="a\nb")`],
  ['a\u202eb\u{e0001}', String.raw`git(a="a\u202eb\udb40\udc01")`],
  ['a\u00a0b', String.raw`git(a="a\u00a0b")`],
  ['', 'git(a=)'],
])('a condition with the value %j is one line that is read as it was meant', ([value, text]) => {
  const rule: Rule = {
    effect: 'allow',
    tool: 'git',
    conditions: [{ kind: 'exact', argument: 'a', value }],
  }
  expect(formatRuleCalls(rule)).toBe(text)
  expect(readRule(`allow ${text}`)).toEqual({ ok: true, rule })
})

test.for(['(a=1)', 'git(', 'git()', 'git(command)', 'git(command^=)', 'git(path in )'])(
  '%j is not a rule, and the message lists the forms',
  (text) => {
    expect(readRule(`deny ${text}`)).toMatchObject({
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
  ['git(a=x\ny)', String.raw`git(a="x\ny")`],
  ['git(a=[1, {"b": null}])', 'git(a=[1,{"b":null}])'],
  ['git(a="true")(b=true)', 'git(a="true")(b=true)'],
  ['git(a="null")(b=null)', 'git(a="null")(b=null)'],
])('%j is parsed as the rule %j', ([text, written]) => {
  const read = readRule(`ask ${text}`)
  expect(read.ok && formatRuleCalls(read.rule)).toBe(written)
  expect(readRule(`ask ${written}`)).toEqual(read)
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
  'g*t',
  '*git',
  'git**',
])('%j is not a rule', (text) => {
  expect(readRule(`deny ${text}`)).toEqual({
    ok: false,
    message: `expected NAME, NAME(argument=value), NAME(argument^=beginning) or NAME(path in folder), with * at most at the end of NAME, got ${JSON.stringify(text)}`,
  })
})

test.for(['', 'git', 'forbid git', 'allow(a=1)', 'ALLOW git'])(
  '%j has no effect, so it is not a rule',
  (text) => {
    expect(readRule(text)).toEqual({
      ok: false,
      message: `expected allow, ask or deny before the calls, got ${JSON.stringify(text)}`,
    })
  },
)

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
  expect(isRule(Object.assign({ effect: 'ask' }, value))).toBe(true)
  expect(isRule(Object.assign({ effect: 'skip' }, value))).toBe(false)
  expect(isRule(value)).toBe(false)
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

/** Folders are compared as texts; nothing is known about a path with a link. */
const isBelow: IsBelow = (path, folder) =>
  path.includes('link') ? undefined : path.startsWith(`${folder}/`)

function fits(text: string, values: JsonObject, name = 'tool', schema: JsonSchema = {}): boolean {
  const read = readRule(text)
  if (!read.ok) throw new Error(read.message)
  return isRuleOfCall(read.rule, { id: 'c', name, arguments: values }, { isBelow, schema })
}

const allows = (text: string, values: JsonObject, name?: string): boolean =>
  fits(`allow ${text}`, values, name)

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

test('a * at the end of the name stands for any characters', () => {
  expect(allows('to*', {})).toBe(true)
  expect(allows('*', {})).toBe(true)
  expect(allows('tool*', {})).toBe(true)
  expect(allows('tools*', {})).toBe(false)
  expect(allows('to*(a=1)', { a: 2 })).toBe(false)
})

test.for<[string, JsonObject, boolean]>([
  ['tool(c^=git push)', { c: 'git push' }, true],
  ['tool(c^=git push)', { c: 'git push && rm x' }, true],
  ['tool(c^=git push)', { c: 'git push;rm x' }, true],
  ['tool(c^=git push)', { c: ' git \t push --force' }, true],
  ['tool(c^=git push)', { c: ['git', 'push', '--force'] }, true],
  ['tool(c^=git push)', { c: ['ls', 'git push'] }, true],
  ['tool(c^=git push)', { c: 'git pushed' }, false],
  ['tool(c^=git push)', { c: 'git push-all' }, false],
  ['tool(c^=git push)', { c: 7 }, false],
  ['tool(c^=git push)', {}, false],
  ['tool(c in keep)', { c: 'keep/a' }, true],
  ['tool(c in keep)', { c: 'link/a' }, true],
  ['tool(c in keep)', { c: ['docs/a', 'keep/a'] }, true],
  ['tool(c in keep)', { c: 'docs/a' }, false],
  ['tool(c in keep)', { c: { path: 'keep/a' } }, true],
  ['tool(c=1)', { c: 1 }, true],
  ['tool(c=1)', { c: [2, 1] }, true],
  ['tool(c=[2,1])', { c: [2, 1] }, true],
  ['tool(c=1)', { c: '1' }, true],
  ['tool(c="1")', { c: 1 }, true],
  ['tool(c=true)', { c: 'true' }, true],
  ['tool(c={})', { c: {} }, true],
  ['tool(c="[object Object]")', { c: {} }, false],
  ['tool(c=1)', { c: 2 }, false],
  ['tool(c=null)', {}, false],
])('in doubt, deny and ask fit: %s for %j: %s', ([text, values, expected]) => {
  expect(fits(`deny ${text}`, values)).toBe(expected)
  expect(fits(`ask ${text}`, values)).toBe(expected)
})

test('in doubt, allow does not fit', () => {
  expect(allows('tool(c in keep)', { c: 'keep/a' })).toBe(true)
  expect(allows('tool(c in keep)', { c: 'keep/link' })).toBe(false)
  expect(allows('tool(c in keep)', { c: ['keep/a'] })).toBe(false)
  expect(allows('tool(c^=git log)', { c: ['git log'] })).toBe(false)
})

test.for<[string, JsonObject]>([
  ['run(command^=git push)', { command: [['git', 'push']] }],
  ['run(command^=git push)', { command: { cmd: 'git push' } }],
  ['edits(path in etc)', { path: [['etc/passwd']] }],
  ['any(a=7)', { a: [[7]] }],
  ['any(a=7)', { a: { v: 7 } }],
  ['any(a=7)', { a: ' 7' }],
  ['any(a=7)', { a: '7.0' }],
])('ask and deny of %s fit a value inside another one, allow does not: %j', ([text, values]) => {
  const [name = ''] = text.split('(')
  expect(fits(`deny ${text}`, values, name)).toBe(true)
  expect(fits(`ask ${text}`, values, name)).toBe(true)
  expect(fits(`allow ${text}`, values, name)).toBe(false)
})

test('a default that the tool itself fills in may be what ask and deny are about, and is not what allow is about', () => {
  const schema = { type: 'object', properties: { force: { type: 'boolean', default: true } } }
  expect(fits('deny del(force=true)', { path: 'x' }, 'del', schema)).toBe(true)
  expect(fits('deny del(force=true)', { force: false }, 'del', schema)).toBe(false)
  expect(fits('allow del(force=true)', { path: 'x' }, 'del', schema)).toBe(false)
})

/** Says why a rule with `allow` does not fit a call. */
function explain(text: string, values: JsonObject, schema: JsonSchema = {}): string | undefined {
  const read = readRule(`allow ${text}`)
  if (!read.ok) throw new Error(read.message)
  return explainMisfit(read.rule, { id: 'c', name: 'tool', arguments: values }, { isBelow, schema })
}

const forced = { type: 'object', properties: { force: { type: 'boolean', default: true } } }

test.for<[string, JsonObject, string, JsonSchema?]>([
  [
    'tool(path^=docs)',
    { path: 'docs/a' },
    'after "docs" there is "/", and allow with ^= fits only complete words; for what is in this folder write "path in docs"',
  ],
  [
    'tool(url^=https://a.example)',
    { url: 'https://a.example@evil' },
    'after "https://a.example" there is "@", and allow with ^= fits only complete words',
  ],
  ['tool(c^=git log)', { c: 'git log ;rm x' }, 'after "git log" there is ";", after which a shell'],
  ['tool(c^=docs/)', { c: 'docs/../a' }, 'after "docs/" there is "../", after which a shell could'],
  ['tool(c^=git log)', { c: 'git  log' }, '"c" does not begin with exactly "git log"'],
  ['tool(c^=git log)', { c: ['git log'] }, '"c" is not a text'],
  ['tool(path in keep)', { path: 'link/a' }, 'it is not certain that "path" leads into "keep"'],
  ['tool(a=7)', { a: '7' }, '"a" has to be exactly 7, also of this type'],
  ['tool(force=true)', {}, 'the call does not have "force", and allow counts no default', forced],
  ['tool(a=7)(c^=git)', { a: 7, c: ['git'] }, '"c" is not a text'],
])('why allow %s does not fit %j is explained', ([text, values, expected, schema]) => {
  expect(explain(text, values, schema)).toContain(expected)
})

test('of a rule that fits, that denies, or that is about other calls nothing is explained', () => {
  expect(explain('tool(path^=docs/)', { path: 'docs/a' })).toBeUndefined()
  expect(explain('tool(path^=docs)', { path: 'other/a' })).toBeUndefined()
  expect(explain('other(path^=docs)', { path: 'docs/a' })).toBeUndefined()
  const call = { id: 'c', name: 'tool', arguments: { path: 'docs/a' } }
  const conditions = [{ kind: 'prefix', argument: 'path', text: 'docs' }] as const
  const deny = { effect: 'deny', tool: 'tool', conditions } as const
  expect(explainMisfit(deny, call, { isBelow, schema: {} })).toBeUndefined()
})

test.for<[string, boolean]>([
  ['allow tool(path^=docs)', true],
  ['allow tool(a=1)(file_path^=docs)', true],
  ['allow tool(outputDir^=docs)', true],
  ['allow tool(path^=docs/)', false],
  ['allow tool(path^=docs/a.md)', false],
  ['allow tool(path^=.docs)', true],
  ['allow tool(path=docs)', false],
  ['allow tool(path in docs)', false],
  ['allow tool(command^=git)', false],
  ['allow tool(profile^=a)', false],
  ['deny tool(path^=docs)', false],
  ['ask tool(path^=docs)', false],
])('%s fits one path where a folder is probably meant: %s', ([text, expected]) => {
  const read = readRule(text)
  const explained = read.ok ? explainNarrowPrefix(read.rule) : 'no rule'
  const isExplained = /write "\w+ in \.?docs"$/.test(explained ?? '')
  expect([explained !== undefined, isExplained], explained).toEqual([expected, expected])
})
