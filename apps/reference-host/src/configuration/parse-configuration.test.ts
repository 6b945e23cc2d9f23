import { expect, test } from 'vitest'
import { describeProblem } from './configuration.ts'
import { tableProblems } from '../tools/table-problems.suite.ts'
import { parseConfiguration } from './parse-configuration.ts'

const FILE = '/w/toolblocks.toml'

/** Every problem of a file as a person sees it. */
async function problems(text: string): Promise<string[]> {
  const parsed = await parseConfiguration(text, FILE)
  if (!parsed.ok) return parsed.problems.map(describeProblem)
  return tableProblems(parsed.configuration).map(describeProblem)
}

const tool = `[tools.read]
source = "local"
command = "cat"
parameters = {}
`

test('a tool is read with its settings, and the workspace is the folder of the file', async () => {
  const parsed = await parseConfiguration(
    `${tool}run = "unattended"\n[format]\nstructured = "content"`,
    FILE,
  )
  expect(parsed).toMatchObject({
    ok: true,
    warnings: [],
    configuration: {
      file: FILE,
      root: '/w',
      tools: { read: { source: 'local', command: 'cat', parameters: {}, run: 'unattended' } },
      format: { structured: 'content' },
    },
  })
})

test('a file without tools is a configuration without tools', async () => {
  expect(await parseConfiguration('', FILE)).toMatchObject({
    ok: true,
    configuration: { tools: {} },
  })
})

test.for<[string, string, string]>([
  ['bad syntax', 'x 1', '/w/toolblocks.toml:1: '],
  [
    'a wrong value',
    `${tool}run = "always"`,
    '/w/toolblocks.toml:5: tools.read.run: expected "ask", "unattended", "deny" or "skip", got string "always"',
  ],
  [
    'an unknown key',
    `${tool}comand = "x"`,
    '/w/toolblocks.toml:5: tools.read.comand: is not a known key; expected source, command, title, summary, description, examples, run, deduplicate, describe, pin, dialect, format_arguments, env, left_behind, stateful, pty, actions, on_turn_end, questions, timeout_secs, options, parameters; did you mean "command"?',
  ],
  [
    'a missing key',
    '[tools.read]\nsource = "local"\nparameters = {}',
    '/w/toolblocks.toml:1: tools.read.command: is required and missing; expected a value',
  ],
  [
    'a wrong type',
    `${tool}timeout_secs = "1"`,
    '/w/toolblocks.toml:5: tools.read.timeout_secs: expected number, got string "1"',
  ],
  [
    'an inline table',
    '[tools]\nread = { source = 1, command = "x", parameters = {} }',
    '/w/toolblocks.toml:2: tools.read.source: expected string, got number 1',
  ],
  [
    'an unknown word',
    `${tool}run = "unatended"`,
    '/w/toolblocks.toml:5: tools.read.run: expected "ask", "unattended", "deny" or "skip", got string "unatended"; did you mean "unattended"?',
  ],
  [
    'an unknown section',
    '[tool.read]',
    '/w/toolblocks.toml:1: tool: is not a known key; expected tools, mcp, format, deduplication, budget, model, store; did you mean "tools"?',
  ],
  [
    'a parameter of a type that is none',
    tool.replace('{}', '{ path = { type = "strng" } }'),
    '/w/toolblocks.toml:4: tools.read.parameters.path.type: expected "array", "boolean", "integer", "null", "number", "object" or "string", got string "strng"; did you mean "string"?',
  ],
  [
    'a list of values that is none, deep in a parameter',
    `${tool.replace('parameters = {}\n', '')}[tools.read.parameters.list]\ntype = "array"\n[tools.read.parameters.list.items]\nenum = "x"`,
    '/w/toolblocks.toml:7: tools.read.parameters.list.items.enum: expected array, got string "x"',
  ],
  [
    'a default that its parameter refuses',
    tool.replace('{}', '{ n = { type = "integer", default = "x" } }'),
    '/w/toolblocks.toml:4: tools.read.parameters.n.default: expected integer, got string "x"',
  ],
  [
    'a placeholder that names no parameter',
    tool
      .replace('"cat"', '["cat", "{{tool.arguments.pth}}"]')
      .replace('{}', '{ path = { type = "string" } }'),
    '/w/toolblocks.toml:3: tools.read.command.1: {{tool.arguments.pth}} names no parameter: expected path, got "pth"; did you mean "path"?',
  ],
  [
    'a deadline that no timer can wait for',
    `${tool}timeout_secs = 1e12`,
    '/w/toolblocks.toml:5: tools.read.timeout_secs: expected a number <= 2147483, got number 1000000000000',
  ],
  [
    'a store of another kind',
    '[store]\nurl = "mysql://x"',
    '/w/toolblocks.toml:2: store.url: expected "sqlite:PATH" or "postgres://…", got string "mysql://x"',
  ],
  [
    'a source of another kind',
    tool.replace('"local"', '"mcp.files"'),
    '/w/toolblocks.toml:2: tools.read.source: expected "local", "local.<entry>" or "mcp.<server>.<tool>", got "mcp.files"',
  ],
  [
    'a command that ends in a quote',
    tool.replace('"cat"', `"cat 'x"`),
    '/w/toolblocks.toml:3: tools.read.command: ',
  ],
  [
    'an unknown placeholder',
    tool.replace('"cat"', '["cat", "{{nope}}"]'),
    '/w/toolblocks.toml:3: tools.read.command',
  ],
  [
    'a placeholder in the program text of an interpreter',
    tool.replace('"cat"', '["env", "sh", "-c", "echo {{tool.arguments.a}}"]'),
    '/w/toolblocks.toml:3: tools.read.command.3: no placeholder can stand in echo {{tool.arguments.a}}: a value in the program text of sh would be run',
  ],
  [
    'what is to become of processes that are left behind',
    `${tool}left_behind = "kill"`,
    '/w/toolblocks.toml:5: tools.read.left_behind: expected "keep" or "stop", got string "kill"',
  ],
  [
    'a model that nobody provides',
    `${tool}[model]\nprovider = "antropic"`,
    '/w/toolblocks.toml:6: model.provider: expected ',
  ],
  [
    'how far back a model is pointed',
    `${tool}[deduplication]\nlookback_turns = -1`,
    '/w/toolblocks.toml:6: deduplication.lookback_turns: ',
  ],
])('%s is told with file, line and key', async ([, text, start]) => {
  expect((await problems(text))[0]?.slice(0, start.length)).toBe(start)
})

test('a model is read as it is written', async () => {
  const parsed = await parseConfiguration(`${tool}[model]\nprovider = "scripted"\n`, FILE)
  expect(parsed).toMatchObject({ ok: true, configuration: { model: { provider: 'scripted' } } })
})

test('[conversation.tools.<name>] is accepted too, and keys that mean nothing are said', async () => {
  const text = `[conversation.tools.read]
source = "local"
command = "cat"
enable = true
parameters = {}
`
  const parsed = await parseConfiguration(text, FILE)
  expect(parsed).toMatchObject({
    ok: true,
    configuration: { tools: { read: { command: 'cat' } } },
    warnings: [{ line: 4, key: 'conversation.tools.read.enable' }],
  })
})

test('problems of [conversation.tools.<name>] name the key as it is written', async () => {
  const [line] = await problems(
    '[conversation.tools.read]\nsource = "local"\ncommand = "cat"\nrun = 1\nparameters = {}',
  )
  expect(line).toContain(':4: conversation.tools.read.run: ')
})

test('a tool may have what it leaves behind stopped', async () => {
  expect(await problems(`${tool}left_behind = "stop"`)).toEqual([])
  expect(await problems(`${tool}left_behind = "keep"`)).toEqual([])
})

test('a source names the entry the executable is asked for', async () => {
  const parsed = await parseConfiguration(tool.replace('"local"', '"local.fs_read"'), FILE)
  expect(parsed.ok && tableProblems(parsed.configuration)).toEqual([])
})
