import { expect, test } from 'vitest'
import { tableProblems } from '../tools/table-problems.support.ts'
import { describeProblem } from './configuration.ts'
import { parseConfiguration } from './parse-configuration.ts'

const FILE = '/w/toolblocks.toml'

/** Returns every problem of a file as it is printed. */
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

test('every section of a file is in the configuration', async () => {
  const parsed = await parseConfiguration(
    `${tool}[tools.look]
source = "mcp.notes.read"
run = "deny"
[mcp.servers.notes]
url = "https://a.example"
[format]
resource_header = "none"
[deduplication]
min_bytes = 7
[budget]
per_turn = 9000
[tool_search]
defer_above = 5
[store]
url = "sqlite:kept.db"
[model]
provider = "scripted"
instructions = "Be brief."
[prompts.review]
file = "review.md"
[resources]
folder = "docs"
[agents.reviewer]
summary = "Reviews."
`,
    FILE,
  )
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const { locate, ...configuration } = parsed.configuration
  expect(configuration).toEqual({
    file: FILE,
    root: '/w',
    tools: { read: { source: 'local', command: 'cat', parameters: {} } },
    mcp: {
      servers: { notes: { url: 'https://a.example' } },
      tools: { look: { source: 'mcp.notes.read', server: 'notes', tool: 'read', run: 'deny' } },
    },
    format: { resource_header: 'none' },
    deduplication: { min_bytes: 7 },
    budget: { per_turn: 9000 },
    tool_search: { defer_above: 5 },
    store: { url: 'sqlite:kept.db' },
    model: { provider: 'scripted', instructions: 'Be brief.' },
    agents: { reviewer: { summary: 'Reviews.' } },
    prompts: { review: { file: 'review.md' } },
    resources: { folder: 'docs' },
  })
  expect(locate({ path: ['model', 'instructions'], message: 'too long' })).toEqual({
    file: FILE,
    line: 22,
    key: 'model.instructions',
    message: 'too long',
  })
})

test('a file without tools is a configuration without tools', async () => {
  expect(await parseConfiguration('', FILE)).toMatchObject({
    ok: true,
    configuration: { tools: {} },
  })
})

test.for<[string, string, string]>([
  [
    'bad syntax',
    'x 1',
    '/w/toolblocks.toml:1:3: expected "=" after the key x, got "1"; write key = value, and a key with a space in quotes',
  ],
  [
    'a wrong value',
    `${tool}run = "always"`,
    '/w/toolblocks.toml:5: tools.read.run: expected "ask", "unattended", "deny" or "skip", got string "always"',
  ],
  [
    'an unknown key',
    `${tool}comand = "x"`,
    '/w/toolblocks.toml:5: tools.read.comand: is not a known key; did you mean "command"? Expected source, command, title, summary, description, examples, run, deduplicate, defer, describe, replace, pin, dialect, format_arguments, env, leftover_processes, stateful, pty, actions, on_turn_end, questions, questions_expire_secs, timeout_secs, options, select, fixed, hidden, parameters',
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
    '/w/toolblocks.toml:1: tool: is not a known key; did you mean "tools"? Expected tools, mcp, format, deduplication, budget, tool_search, model, agents, prompts, resources, approvals, questions, serve, store',
  ],
  [
    'a parameter of an unknown type',
    tool.replace('{}', '{ path = { type = "strng" } }'),
    '/w/toolblocks.toml:4: tools.read.parameters.path.type: expected "array", "boolean", "integer", "null", "number", "object" or "string", got string "strng"; did you mean "string"?',
  ],
  [
    'an invalid list of values, deep in a parameter',
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
    "/w/toolblocks.toml:3: tools.read.command: a quote is not closed or the line ends in a backslash: cat 'x",
  ],
  [
    'an unknown placeholder',
    tool.replace('"cat"', '["cat", "{{nope}}"]'),
    '/w/toolblocks.toml:3: tools.read.command.1: unknown placeholder {{nope}}: use {{context}}, {{tool}}, {{tool.name}}, {{tool.arguments.x}}, {{tool.answers.x}} or {{tool.options.x}}; for two literal braces write {{{{',
  ],
  [
    'a placeholder in the program text of an interpreter',
    tool.replace('"cat"', '["sh", "-c", "echo {{tool.arguments.a}}"]'),
    '/w/toolblocks.toml:3: tools.read.command.2: no placeholder is allowed in echo {{tool.arguments.a}}: sh could run a value here: write a text of sh that uses "$1", ["sh", "-c", "… \\"$1\\"", "sh", "{{tool.arguments.a}}"], or write no placeholder, and let the tool read its arguments as JSON from its standard input; code = true of the parameter says that a model writes what is run',
  ],
  [
    'what is to become of processes that are left behind',
    `${tool}leftover_processes = "kill"`,
    '/w/toolblocks.toml:5: tools.read.leftover_processes: expected "keep" or "stop", got string "kill"',
  ],
  [
    'a model that nobody provides',
    `${tool}[model]\nprovider = "antropic"`,
    '/w/toolblocks.toml:6: model.provider: expected "anthropic", "openai", "google", "openai-compatible" or "scripted", got string "antropic"; did you mean "anthropic"?',
  ],
  [
    'how far back a model is pointed',
    `${tool}[deduplication]\nlookback_turns = -1`,
    '/w/toolblocks.toml:6: deduplication.lookback_turns: expected a number >= 0, got number -1',
  ],
])('%s is reported with file, line and key', async ([, text, problem]) => {
  expect(await problems(text)).toEqual([problem])
})

test('a model has the values of the file', async () => {
  const parsed = await parseConfiguration(`${tool}[model]\nprovider = "scripted"\n`, FILE)
  expect(parsed).toMatchObject({ ok: true, configuration: { model: { provider: 'scripted' } } })
})

test('[conversation.tools.<name>] is accepted too, and keys without a meaning are reported', async () => {
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
    warnings: [
      {
        file: FILE,
        line: 4,
        key: 'conversation.tools.read.enable',
        message: 'this key has no meaning here and was ignored',
      },
    ],
  })
})

test('problems of [conversation.tools.<name>] name the key as it is written', async () => {
  const [line] = await problems(
    '[conversation.tools.read]\nsource = "local"\ncommand = "cat"\nrun = 1\nparameters = {}',
  )
  expect(line).toBe(
    '/w/toolblocks.toml:4: conversation.tools.read.run: expected "ask", "unattended", "deny" or "skip", got number 1',
  )
})

test('a tool can have its remaining processes stopped', async () => {
  expect(await problems(`${tool}leftover_processes = "stop"`)).toEqual([])
  expect(await problems(`${tool}leftover_processes = "keep"`)).toEqual([])
})

test('a source names the entry the executable is asked for', async () => {
  const parsed = await parseConfiguration(tool.replace('"local"', '"local.fs_read"'), FILE)
  expect(parsed.ok && tableProblems(parsed.configuration)).toEqual([])
})

test('all errors of one kind are reported at once, each with its place', async () => {
  expect(await problems(`${tool}run = 1\n[model]\nprovider = 2\n[other]`)).toEqual([
    '/w/toolblocks.toml:8: other: is not a known key; expected tools, mcp, format, deduplication, budget, tool_search, model, agents, prompts, resources, approvals, questions, serve, store',
    '/w/toolblocks.toml:5: tools.read.run: expected "ask", "unattended", "deny" or "skip", got number 1',
    '/w/toolblocks.toml:7: model.provider: expected "anthropic", "openai", "google", "openai-compatible" or "scripted", got number 2',
  ])
  const defaults = 'parameters = { a = { type = "integer", default = "x" }, b = { type = "x" } }'
  expect(await problems(tool.replace('parameters = {}', defaults))).toEqual([
    '/w/toolblocks.toml:4: tools.read.parameters.a.default: expected integer, got string "x"',
    '/w/toolblocks.toml:4: tools.read.parameters.b.type: expected "array", "boolean", "integer", "null", "number", "object" or "string", got string "x"',
  ])
})

test('[tools.<name>] overrides [conversation.tools.<name>], and other keys of it have no meaning', async () => {
  const text = `${tool}[conversation]
mode = "x"
[conversation.tools.read]
source = "local"
command = "other"
parameters = {}
[conversation.tools.write]
source = "local"
command = "tee"
parameters = {}
`
  const parsed = await parseConfiguration(text, FILE)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const { tools } = parsed.configuration
  expect(Object.entries(tools).map(([name, { command }]) => [name, command])).toEqual([
    ['write', 'tee'],
    ['read', 'cat'],
  ])
  expect(parsed.warnings.map(({ key, line }) => [key, line])).toEqual([
    ['conversation.mode', 6],
    ['conversation.tools.read', 7],
  ])
})

test('keys that are not in the file are absent, and the others have the values of the file', async () => {
  const parsed = await parseConfiguration('', FILE)
  expect(parsed.ok && { ...parsed.configuration, locate: undefined }).toStrictEqual({
    file: FILE,
    root: '/w',
    tools: {},
    mcp: { servers: {}, tools: {} },
    format: {},
    deduplication: {},
    budget: {},
    tool_search: {},
    agents: {},
    prompts: {},
    locate: undefined,
  })
  const full = await parseConfiguration(
    '[mcp.servers.s]\ncommand = "x"\n[tools.t]\nsource = "mcp.s.u"\n[store]\nurl = "sqlite:x"\n[budget]\n[deduplication]\nlookback_turns = 1\n',
    FILE,
  )
  expect(full.ok && full.configuration).toMatchObject({
    tools: {},
    mcp: { servers: { s: { command: 'x' } }, tools: { t: { server: 's', tool: 'u' } } },
    store: { url: 'sqlite:x' },
    deduplication: { lookback_turns: 1 },
  })
})

test('a problem at a path that the file does not have gets the line of the nearest parent', async () => {
  const parsed = await parseConfiguration(tool, FILE)
  if (!parsed.ok) throw new Error('not read')
  const { locate } = parsed.configuration
  expect(locate({ path: ['tools', 'read', 'run'], message: 'm' })).toEqual({
    file: FILE,
    line: 1,
    key: 'tools.read.run',
    message: 'm',
  })
  expect(locate({ path: ['model'], message: 'm' })).toStrictEqual({
    file: FILE,
    key: 'model',
    message: 'm',
  })
})

test('only tools are accepted below conversation', async () => {
  const parsed = await parseConfiguration(
    tool.replace('[tools.read]', '[conversation.tools.url]'),
    FILE,
  )
  if (!parsed.ok) throw new Error('not read')
  const { locate } = parsed.configuration
  expect(locate({ path: ['tools', 'url'], message: 'm' }).key).toBe('conversation.tools.url')
  expect(locate({ path: ['store', 'url'], message: 'm' }).key).toBe('store.url')
})

test('a table cannot have the name of the tool that starts agents', async () => {
  const table = '[tools.delegate]\nsource = "local"\ncommand = "a"\nparameters = {}\n'
  expect(await problems(table)).toEqual([])
  expect(await problems(`${table}[agents.a]\nsummary = "Reads."\n`)).toEqual([
    '/w/toolblocks.toml:1: tools.delegate: is the name of the tool that starts [agents]; expected another name',
  ])
})
