import {
  type Description,
  type WorkspaceTool,
  createEntry,
  defineFromConfiguration,
  defineFromDescription,
  needsDescription,
  getOrigins,
} from './define-tool.ts'
import {
  type ToolContext,
  type ToolDescription,
  type ToolResult,
  getText,
} from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import type { ToolConfiguration } from '../configuration/tool-schema.ts'
import { configuredEntry } from './configured-entry.support.ts'

const table: ToolConfiguration = { source: 'local', command: './a' }

const makeDescription = (...tools: ToolDescription[]): Description => ({
  ok: true,
  tools,
  warnings: [],
  unusable: {},
})

test('a program is asked for its description if its table has no parameters, or asks for it', () => {
  expect(needsDescription(table)).toBe(true)
  expect(needsDescription({ ...table, parameters: {} })).toBe(false)
  expect(needsDescription({ ...table, parameters: {}, describe: true })).toBe(true)
  expect(needsDescription({ ...table, describe: false })).toBe(true)
})

describe('from its table alone', () => {
  test('a tool has exactly the definition of its table', () => {
    const texts = { title: 'T', summary: 'S', description: 'D', examples: 'E' }
    const tool = { ...table, ...texts, parameters: { a: { type: 'string' as const } }, env: ['X'] }
    expect(defineFromConfiguration('b', tool)).toEqual({
      definition: {
        name: 'b',
        ...texts,
        inputSchema: {
          type: 'object',
          properties: { a: { type: 'string' } },
          required: ['a'],
          additionalProperties: false,
        },
      },
      entry: 'b',
      origins: {
        title: 'configuration',
        summary: 'configuration',
        description: 'configuration',
        examples: 'configuration',
        inputSchema: 'configuration',
      },
      warnings: [],
    })
  })

  test('a tool has the name of its source in its program, otherwise its own name', () => {
    const entry = (source: string): string =>
      defineFromConfiguration('b', { ...table, source }).entry
    expect([entry('local'), entry('local.x.y'), entry('localx')]).toEqual(['b', 'x.y', 'b'])
  })
})

describe('from the description of its program', () => {
  const define = (tool: object, described: Description): ReturnType<typeof defineFromDescription> =>
    defineFromDescription('b', { ...table, ...tool }, described)

  test('a tool has the description under its own name, with the texts of its table over it', () => {
    const described = makeDescription(
      { name: 'other' },
      {
        name: 'x',
        title: 'X',
        summary: 'Reads.',
        parameters: { a: { type: 'string' } },
        stateful: true,
        actions: ['spawn', 'abort'],
      },
    )
    const tool = { source: 'local.x', title: 'B', summary: 'Quick: {{ description }}' }
    const defined = define(tool, described)
    expect(defined).toMatchObject({
      ok: true,
      defined: {
        warnings: [],
        definition: { name: 'b', title: 'B' },
        entry: 'x',
        described: {
          name: 'b',
          title: 'X',
          summary: 'Reads.',
          stateful: true,
          actions: ['spawn', 'abort'],
        },
        stateful: true,
        actions: ['spawn', 'abort'],
        origins: { title: 'configuration', summary: 'both', inputSchema: 'executable' },
      },
    })
  })

  test('it is not a live tool unless the program says so', () => {
    const defined = define({}, makeDescription({ name: 'b' }))
    const keys = defined.ok && Object.keys(defined.defined)
    expect(keys).toEqual(['definition', 'entry', 'described', 'origins', 'warnings'])
  })

  test('parameters of its table are overrides, and invalid ones are reported', () => {
    const described = makeDescription({ name: 'b', parameters: { a: { type: 'string' } } })
    expect(define({ parameters: { a: { summary: 'A.' } } }, described)).toMatchObject({
      ok: true,
      defined: { origins: { inputSchema: 'both' }, warnings: [] },
    })
    const odd = define({ parameters: { z: { summary: 'Z.' } } }, described)
    expect(odd.ok && odd.defined.warnings.map(({ path }) => path)).toEqual([
      ['tools', 'b', 'parameters', 'z'],
    ])
    expect(define({ parameters: {}, describe: true }, described)).toMatchObject({
      defined: { origins: { inputSchema: 'executable' } },
    })
  })

  test('a tool that the program does not describe is reported, with those that it does describe', () => {
    expect(
      define({ source: 'local.reed' }, makeDescription({ name: 'read' }, { name: 'write' })),
    ).toEqual({
      ok: false,
      message:
        'its executable describes no tool "reed"; did you mean "read"? It describes read, write. Name one of them: source = "local.NAME"',
    })
  })

  test('unusable tools and failed requests are reported with their own message', () => {
    const [tools, why] = [[{ name: 'b' }], 'its schema is none']
    const only = (unusable: Readonly<Record<string, string>>): Description => ({
      ok: true,
      tools,
      warnings: [],
      unusable,
    })
    expect(define({}, only({ b: why }))).toEqual({ ok: false, message: why })
    expect(define({}, only({ c: why }))).toMatchObject({ ok: true })
    const failed = { ok: false, message: 'it did not start' } as const
    expect(define({}, failed)).toEqual(failed)
  })
})

describe('the source of each part', () => {
  const definition = { name: 'a', inputSchema: {}, title: 'T', summary: 'S' }
  test.for<[object, 'configuration' | 'executable' | 'server', object]>([
    [{}, 'server', { title: 'server', summary: 'server', inputSchema: 'server' }],
    [
      { title: 'T' },
      'server',
      { title: 'configuration', summary: 'server', inputSchema: 'server' },
    ],
    [
      { title: 'a {{description}} b' },
      'server',
      { title: 'both', summary: 'server', inputSchema: 'server' },
    ],
    [
      { title: '{{description}}' },
      'configuration',
      { title: 'configuration', summary: 'configuration', inputSchema: 'configuration' },
    ],
    [
      { parameters: { a: {} } },
      'configuration',
      { title: 'configuration', summary: 'configuration', inputSchema: 'configuration' },
    ],
    [
      { parameters: { a: {} } },
      'executable',
      { title: 'executable', summary: 'executable', inputSchema: 'both' },
    ],
    [
      { title: '{description}', parameters: {} },
      'executable',
      { title: 'configuration', summary: 'executable', inputSchema: 'executable' },
    ],
  ])('%j of a tool described by its %s: %j', ([tool, describer, origins]) => {
    expect(getOrigins(definition, tool, describer)).toEqual(origins)
  })
})

/** Creates the only tool of a configuration: a shell script with these settings. */
async function create(script: string, settings: string): Promise<ToolEntry> {
  const file = `[tools.tool]\nsource = "local"\ncommand = ["sh", "-c", "${script}"]\nparameters = {}\n${settings}\n`
  return await configuredEntry(file, tmpdir())
}

async function run(created: Promise<ToolEntry>): Promise<ToolResult> {
  const { tool } = await created
  const context: ToolContext = {
    signal: new AbortController().signal,
    root: tmpdir(),
    answers: {},
  }
  return await tool.execute({ id: 'call-1', name: 'tool', arguments: {} }, context)
}

test('timeout_secs are seconds', async () => {
  const text = 'the shell has started and ended'
  const result = await run(create(`sleep 0.1; echo ${text}`, 'timeout_secs = 10'))
  expect(result).toMatchObject({ isError: false, content: [{ text: `${text}\n` }] })
  expect(await run(create('sleep 30', 'timeout_secs = 0.05'))).toMatchObject({
    metadata: { outcome: 'timeout' },
  })
})

test('a program gets the variables that env names, and no others of the host', async () => {
  process.env['TOOLBLOCKS_TEST_NAMED'] = 'seen'
  process.env['TOOLBLOCKS_TEST_OTHER'] = 'unseen'
  const script = 'echo $TOOLBLOCKS_TEST_NAMED $TOOLBLOCKS_TEST_OTHER'
  const named = await run(create(script, 'env = ["TOOLBLOCKS_TEST_NAMED"]'))
  const unnamed = await run(create(`${script} end`, ''))
  delete process.env['TOOLBLOCKS_TEST_NAMED']
  delete process.env['TOOLBLOCKS_TEST_OTHER']
  expect(named.content).toMatchObject([{ text: 'seen\n' }])
  expect(unnamed.content).toMatchObject([{ text: 'end\n' }])
})

const TABLE = (command: string, more: string): string =>
  `[tools.tool]\nsource = "local.inner"\ncommand = ${command}\n${more}\n`

test('all call settings of a table are in the entry', async () => {
  const entry = await configuredEntry(
    TABLE(
      '["cat"]',
      `title = "T"
summary = "S"
description = "D"
examples = "E"
run = "skip"
deduplicate = false
on_turn_end = "keep"
options = { depth = 3 }
parameters = { path = { type = "string" } }
[tools.tool.questions]
plain = { answer = 7 }
asked = { target = "user", fallback = "assistant" }
other = { target = { name = "small", max_output_tokens = 9 }, answer = "x" }`,
    ),
    tmpdir(),
  )
  const { tool, ...rest } = entry
  expect(tool).toMatchObject({ name: 'tool', title: 'T', summary: 'S', description: 'D' })
  expect(tool).toMatchObject({ examples: 'E', inputSchema: { required: ['path'] } })
  expect(rest).toEqual({
    source: 'local.inner',
    policy: 'skip',
    options: { depth: 3 },
    routes: {
      plain: { answer: 7 },
      asked: { target: 'user', fallback: 'assistant' },
      other: { target: { settings: { name: 'small', maxOutputTokens: 9 } }, answer: 'x' },
    },
    onTurnEnd: 'keep',
    deduplicate: false,
  })
})

test('settings that a table does not have are left to the executor', async () => {
  const { tool: _tool, ...rest } = await create('true', '')
  expect(rest).toStrictEqual({ source: 'local' })
})

/** Returns the text that a tool of this table prints for a call with these arguments. */
async function print(
  command: string,
  more: string,
  values: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { tool } = await configuredEntry(TABLE(command, more), tmpdir())
  const context = { signal: new AbortController().signal, root: tmpdir(), answers: {} }
  const { content } = await tool.execute({ id: 'c', name: 'tool', arguments: values }, context)
  return content.map(getText).join('')
}

test('its program is called with the name after "local."', async () => {
  expect(JSON.parse(await print('["cat"]', 'parameters = {}'))).toMatchObject({
    tool: { name: 'inner' },
  })
})

test('a dialect is parsed as the table names it', async () => {
  const quoted = JSON.stringify('["echo", "{\\"type\\":\\"success\\",\\"content\\":\\"fine\\"}"]')
  const command: string = JSON.parse(quoted)
  expect(await print(command, 'parameters = {}\ndialect = "outcome"')).toBe('fine')
  expect(await print(command, 'parameters = {}')).toContain('"success"')
})

test('marked arguments may be program text, or begin with a dash', async () => {
  const code = '[tools.tool.parameters.text]\ntype = "string"\ncode = true'
  const script = '["sh", "-c", "{{tool.arguments.text}}"]'
  expect(await print(script, code, { text: 'echo from code' })).toBe('from code\n')
  const dash = '[tools.tool.parameters.text]\ntype = "string"\nallow_dash = '
  const echo = '["echo", "{{tool.arguments.text}}"]'
  expect(await print(echo, `${dash}true`, { text: '-x' })).toBe('-x\n')
  expect(await print(echo, `${dash}false`, { text: '-x' })).not.toBe('-x\n')
})

// Only Linux has the program setsid and lists processes that are still running.
test.skipIf(process.platform !== 'linux')(
  'remaining processes are stopped if the table says so',
  async () => {
    const script = 'setsid sleep 30 >/dev/null 2>&1 & sleep 0.2'
    const { metadata } = await run(create(script, 'leftover_processes = "stop"'))
    expect(metadata?.warnings).toMatchObject([{ message: expect.stringContaining('were killed') }])
  },
)

test('a table decides if a tool is stateful, its actions, and if it formats arguments; its program decides only without a table’s value', () => {
  const defined: WorkspaceTool = {
    definition: { name: 'tool', inputSchema: { type: 'object' } },
    entry: 'tool',
    stateful: true,
    actions: ['spawn', 'fetch', 'abort'],
    origins: {},
    warnings: [],
  }
  const written = { source: 'local', command: 'x' }
  const made = (more: object) => {
    const created = createEntry('tool', { ...written, ...more }, defined)
    if (!created.ok) throw new Error(JSON.stringify(created.problems))
    const { spawn, actions, formatArguments } = created.entry.tool
    return [spawn !== undefined, actions, formatArguments !== undefined]
  }
  expect(made({})).toEqual([true, ['spawn', 'fetch', 'abort'], false])
  expect(made({ actions: ['spawn', 'apply'] })).toEqual([true, ['spawn', 'apply'], false])
  expect(made({ stateful: false, format_arguments: true })[0]).toBe(false)
  expect(made({ format_arguments: true })[2]).toBe(true)
})

test('a program sees the variables of the host that are passed to it', async () => {
  const defined: WorkspaceTool = {
    definition: { name: 'tool', inputSchema: { type: 'object' } },
    entry: 'tool',
    origins: {},
    warnings: [],
  }
  const command = ['sh', '-c', 'echo $OURS']
  const created = createEntry('tool', { source: 'local', command, env: ['OURS'] }, defined, {
    environment: { ...process.env, OURS: 'handed over' },
  })
  if (!created.ok) throw new Error(JSON.stringify(created.problems))
  const result = await run(Promise.resolve(created.entry))
  expect(result.content).toMatchObject([{ text: 'handed over\n' }])
})
