import { tmpdir } from 'node:os'
import type { ToolContext, ToolResult } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { expect, test } from 'vitest'
import { configuredEntry } from './configured-entry.suite.ts'
import { checkSource, createEntry, toRoutes } from './create-entry.ts'
import { defineFromConfiguration } from './define-tool.ts'

/** The one tool of a configuration: a shell script with these settings. */
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

test('what stands between a call and its execution is taken over', async () => {
  const settings =
    'stateful = true\non_turn_end = "keep"\nrun = "skip"\ndeduplicate = false\nquestions.q.target = "assistant"\noptions.a = 1'
  expect(await create('cat', settings)).toMatchObject({
    source: 'local',
    onTurnEnd: 'keep',
    policy: 'skip',
    deduplicate: false,
    routes: { q: { target: 'assistant' } },
    options: { a: 1 },
  })
  expect((await create('cat', '')).onTurnEnd).toBeUndefined()
})

test('what a table does not say is not there', async () => {
  expect(Object.keys(await create('cat', ''))).toEqual(['tool', 'source'])
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

test('a tool of another source is not made, and what is wrong of one that is stands at its place', () => {
  const made = (table: object): ReturnType<typeof createEntry> => {
    const tool = { source: 'local', command: 'x', parameters: { path: {} }, ...table }
    return createEntry('a', tool, defineFromConfiguration('a', tool))
  }
  expect(made({ source: 'x' })).toEqual({
    ok: false,
    problems: [checkSource('a', { source: 'x', command: 'x' })],
  })
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
        message: '"A=b" is not the name of a variable: write the name alone, without = and value',
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
      message:
        'expected a list with "spawn" and as many of fetch, apply, abort as are wanted, got ["fetch"]',
    },
  ])
})

test('who answers a question is a person, the model, or the model with settings of its own', () => {
  const settings = { model: 'small' }
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
