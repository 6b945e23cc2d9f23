import { expect, test } from 'vitest'
import { readRule, writeRule, type ApprovalRule } from './approval-rule.ts'

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
