import type { JsonSchema } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { readRule } from '@toolblocks/tool-executor/internal/rules'
import { expect, test } from 'vitest'
import { placeRules, type RuleSource } from './rule-sources.ts'
import { describeUnfitCallRules, describeUnfitRules, findTypedMistake } from './unfit-rules.ts'

const makeEntry = (name: string, inputSchema: JsonSchema = {}): ToolEntry => ({
  tool: { name, inputSchema, execute: async () => ({ content: [], isError: false }) },
})

const COMMAND: JsonSchema = { type: 'object', properties: { command: { type: 'string' } } }
const ENTRIES = [
  makeEntry('git_log', COMMAND),
  makeEntry('open', { ...COMMAND, additionalProperties: true }),
  makeEntry('mixed', { ...COMMAND, anyOf: [{ properties: { other: {} } }] }),
  makeEntry('notes__read', { type: 'object' }),
]

function describe(text: string, source: RuleSource = 'configuration'): readonly string[] {
  const rules = placeRules([text], source, (index) => `/w/some.toml:7: approvals.rules.${index}`)
  return describeUnfitRules(rules, { entries: ENTRIES, names: ['lost'], servers: ['off'] })
}

test.for<[string, RuleSource, string]>([
  [
    'deny git_lgo',
    'configuration',
    '/w/some.toml:7: approvals.rules.0: "deny git_lgo": no tool has this name, so the rule denies nothing; did you mean "git_log"? The tools are git_log, open, mixed, notes__read',
  ],
  [
    'allow something',
    'command line',
    '--allow-tool "something": no tool has this name, so the rule allows nothing; the tools are git_log, open, mixed, notes__read',
  ],
  [
    'deny git_log(comand^=git push)',
    'command line',
    '--deny-tool "git_log(comand^=git push)": the tool git_log has no argument "comand", so the rule denies nothing; did you mean "command"? Expected command',
  ],
  [
    'deny hub__delete',
    'settings',
    '/w/some.toml:7: approvals.rules.0: "deny hub__delete": no tool has this name, so the rule denies nothing; the tools are git_log, open, mixed, notes__read. A folder chooses the names of its servers and tools itself; "toolblocks tools" lists them',
  ],
  [
    'allow notes__reed',
    'settings',
    '/w/some.toml:7: approvals.rules.0: "allow notes__reed": no tool has this name, so the rule allows nothing; did you mean "notes__read"? The tools are git_log, open, mixed, notes__read. A folder chooses the names of its servers and tools itself; "toolblocks tools" lists them',
  ],
])(
  '%s of the %s is reported with its place, what it has no effect on, and a name',
  ([text, source, message]) => {
    expect(describe(text, source)).toEqual([message])
  },
)

test.for<[string, RuleSource]>([
  ['deny git_log(command^=git push)', 'configuration'],
  ['deny open(any=1)', 'configuration'],
  ['deny mixed(other=1)', 'configuration'],
  ['deny notes__*', 'configuration'],
  ['deny notes__read(path in docs)', 'configuration'],
  // It cannot be called now.
  ['deny lost', 'configuration'],
  ['deny off__delete', 'configuration'],
  ['ask search_tools', 'configuration'],
  // The rules of the settings are for every folder.
  ['allow elsewhere', 'settings'],
])('%s of the %s is not reported', ([text, source]) => {
  expect(describe(text, source)).toEqual([])
})

test.for<[string, RuleSource, string | undefined]>([
  [
    'ask git_log(comand=x)',
    'command line',
    '--ask-tool "git_log(comand=x)": the tool git_log has no argument "comand", so nothing is asked because of the rule; did you mean "command"? Expected command',
  ],
  ['allow git_log(comand=x)', 'command line', undefined],
  ['deny git_log(comand=x)', 'configuration', undefined],
  // It may be for the other tools that it names.
  ['deny *(comand=x)', 'command line', undefined],
  ['deny git_lgo(comand=x)', 'command line', undefined],
  ['deny open(any=1)', 'command line', undefined],
])('%s of the %s ends a command, or not', ([text, source, mistake]) => {
  expect(findTypedMistake(placeRules([text], source), ENTRIES)).toBe(mistake)
})

test('a stored rule that fits no tool of its workspace is reported with the command that removes it', () => {
  const stored = ['deny git_lgo', 'deny later__*'].map((text, index) => {
    const read = readRule(text)
    if (!read.ok) throw new Error(read.message)
    return { id: `id${index}`, root: '/w', rule: read.rule, definitions: {}, at: '' }
  })
  const rules = { rules: [], root: '/w', store: { list: () => stored } }
  expect(describeUnfitCallRules(rules, { entries: ENTRIES })).toEqual([
    'the stored rule id0 ("toolblocks approvals revoke id0" removes it): "deny git_lgo": no tool has this name, so the rule denies nothing; did you mean "git_log"? The tools are git_log, open, mixed, notes__read',
  ])
})
