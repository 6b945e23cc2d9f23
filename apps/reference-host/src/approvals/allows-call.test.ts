import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@toolblocks/protocol'
import { afterAll, expect, test } from 'vitest'
import { allowsCall } from './allows-call.ts'
import { readRule } from './approval-rule.ts'
import { createIsBelow } from './is-below.ts'

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

test('a rule is for the calls of its tool', () => {
  expect(allows('tool', { any: 1 })).toBe(true)
  expect(allows('tool', {}, 'tools')).toBe(false)
})

test('an exact value is equal as JSON, and of its own type', () => {
  expect(allows('tool(a=3)', { a: 3 })).toBe(true)
  expect(allows('tool(a=3)', { a: '3' })).toBe(false)
  expect(allows('tool(a={"b":[1]})', { a: { b: [1] } })).toBe(true)
  expect(allows('tool(a=null)', {})).toBe(false)
})

test('every condition has to hold', () => {
  expect(allows('tool(a=1)(b=2)', { a: 1, b: 2 })).toBe(true)
  expect(allows('tool(a=1)(b=2)', { a: 1, b: 3 })).toBe(false)
})

test('behind a beginning nothing may stand that a shell takes for more', () => {
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
] as const)('a text that begins with the words %j: %j is allowed: %s', ([text, c, expected]) => {
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
