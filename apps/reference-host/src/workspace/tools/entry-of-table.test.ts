import { describe, expect, test } from 'vitest'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { configuredEntry } from './configured-entry.support.ts'
import {
  checkSource,
  createEntry,
  defineFromConfiguration,
  defineFromDescription,
  toRoutes,
} from './define-tool.ts'

/** Creates the only tool of a configuration with these settings. */
async function create(settings: string): Promise<ToolEntry> {
  const file = `[tools.tool]\nsource = "local"\ncommand = "cat"\nparameters = {}\n${settings}\n`
  return await configuredEntry(file, '/w')
}

test('the policy of a table is in the entry', async () => {
  const settings =
    'stateful = true\non_turn_end = "keep"\nrun = "skip"\ndeduplicate = false\nquestions.q.target = "assistant"\noptions.a = 1'
  expect(await create(settings)).toMatchObject({
    source: 'local',
    onTurnEnd: 'keep',
    policy: 'skip',
    deduplicate: false,
    routes: { q: { target: 'assistant' } },
    options: { a: 1 },
  })
  expect((await create('')).onTurnEnd).toBeUndefined()
})

test('keys that a table does not have are absent', async () => {
  expect(Object.keys(await create(''))).toEqual(['tool', 'source'])
})

test.for([
  ['local', true],
  ['local.a.b', true],
  ['locals', false],
  ['mcp.a', false],
  ['', false],
] as const)('the source %j is one of this machine: %s', ([source, isOwn]) => {
  expect(checkSource('a', { source, command: 'x' })).toEqual(
    isOwn
      ? undefined
      : {
          path: ['tools', 'a', 'source'],
          message: `expected "local", "local.<entry>" or "mcp.<server>.<tool>", got ${JSON.stringify(source)}`,
        },
  )
})

describe('a table that restricts or allows values of its arguments', () => {
  const marked = (parameter: string): Promise<ToolEntry> =>
    configuredEntry(
      `[tools.tool]\nsource = "local"\ncommand = ["sh", "-c", "{{tool.arguments.x}}"]\nparameters.x = ${parameter}\n`,
      '/w',
    )

  test('lets a model write what is run, which the model cannot see', async () => {
    const { tool } = await marked('{ type = "string", code = true }')
    expect(JSON.stringify(tool)).not.toMatch(/code/i)
    const properties = { x: { type: 'string' } }
    expect(tool.inputSchema).toEqual({
      type: 'object',
      properties,
      required: ['x'],
      additionalProperties: false,
    })
    await expect(marked('{ type = "string" }')).rejects.toThrow('sh could run a value here')
  })

  test('lets a value begin with a dash', () => {
    const tool = {
      source: 'local',
      command: ['sh', '{{tool.arguments.x}}'],
      parameters: { x: { allow_dash: true } },
    }
    // The mark for a dash does not also mark program text.
    expect(createEntry('a', tool, defineFromConfiguration('a', tool)).ok).toBe(false)
  })

  test('is the only source of this: the description of a program allows nothing', () => {
    const tool = { source: 'local', command: ['sh', '-c', '{{tool.arguments.x}}'] }
    const described = {
      ok: true,
      tools: [{ name: 'a', parameters: { x: { type: 'string', code: true } } }],
      warnings: [],
      unusable: {},
    } as const
    const read = defineFromDescription('a', tool, described)
    if (!read.ok) throw new Error(read.message)
    expect(createEntry('a', tool, read.defined)).toMatchObject({ ok: false })
    const allowing = { ...tool, describe: true, parameters: { x: { code: true } } }
    expect(createEntry('a', allowing, read.defined)).toMatchObject({ ok: true })
  })
})

test('an error of a tool has its place', () => {
  const made = (table: object): ReturnType<typeof createEntry> => {
    const tool = { source: 'local', command: 'x', parameters: { path: {} }, ...table }
    return createEntry('a', tool, defineFromConfiguration('a', tool))
  }
  expect(made({ command: ['cat', '{{tool.arguments.pth}}', '{{nope}}'] })).toMatchObject({
    ok: false,
    problems: [{ path: ['tools', 'a', 'command', '2'] }],
  })
  expect(made({ command: ['cat', '{{tool.arguments.pth}}'], env: ['A=b'] })).toEqual({
    ok: false,
    problems: [
      {
        path: ['tools', 'a', 'command', '1'],
        message:
          '{{tool.arguments.pth}} names no parameter: expected path, got "pth"; did you mean "path"?',
      },
      {
        path: ['tools', 'a', 'env'],
        message: '"A=b" is not the name of a variable: write only the name, without = and value',
      },
    ],
  })
})

test('a parameter is suggested for an argument only', () => {
  const tool = {
    source: 'local',
    command: 'x',
    stateful: true,
    actions: ['fetch' as const],
    parameters: { fetch: {} },
  }
  const made = createEntry('a', tool, defineFromConfiguration('a', tool))
  expect(!made.ok && made.problems).toEqual([
    {
      path: ['tools', 'a', 'actions'],
      message: 'expected a list with "spawn" and any of fetch, apply, abort, got ["fetch"]',
    },
  ])
})

test('the target of a question is a person, the model, or the model with other settings', () => {
  const settings = { name: 'small' }
  expect(
    toRoutes({
      none: {},
      fixed: { answer: true },
      person: { target: 'user' },
      model: { target: 'assistant', answer: 1 },
      other: { target: settings },
    }),
  ).toStrictEqual({
    none: {},
    fixed: { answer: true },
    person: { target: 'user' },
    model: { answer: 1, target: 'assistant' },
    other: { target: { settings } },
  })
})
