import { expect, test } from 'vitest'
import { createLocalTool } from './create-local-tool.ts'
import {
  DEFAULT_TIMEOUT_MS,
  type LocalToolDefinition,
  LocalToolError,
  MAX_TIMEOUT_MS,
} from './command/local-tool-definition.ts'

function refusal(more: Partial<LocalToolDefinition>): LocalToolError {
  try {
    createLocalTool({ name: 'probe', inputSchema: {}, command: 'true', ...more })
  } catch (error) {
    if (error instanceof LocalToolError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

test('a tool has the fields that describe it, and none of those for running it', () => {
  const described = {
    name: 'fs_read',
    title: 'Read a file',
    summary: 'Reads.',
    description: 'Reads a file.',
    inputSchema: { type: 'object' },
    outputSchema: true,
    annotations: { readOnlyHint: true },
    icons: [],
    _meta: { 'x/y': 1 },
  }
  const { execute, ...tool } = createLocalTool({
    ...described,
    command: 'true',
    toolName: 'read',
    timeoutMs: 1,
    env: ['A'],
    setEnv: { B: 'c' },
    dialect: 'outcome',
    formatsArguments: false,
  })
  expect(execute).toBeTypeOf('function')
  expect(tool).toEqual(described)
})

test('a definition can be read at the first call, which rejects if it is invalid', async () => {
  const wrong = { name: 'probe', inputSchema: {}, command: '{{x}}' }
  const { name, execute } = createLocalTool(wrong, { read: 'at-first-call' })
  expect(name).toBe('probe')
  const context = { root: '/', answers: {}, signal: new AbortController().signal }
  const call = { id: 'c1', name: 'probe', arguments: {} }
  await expect(execute(call, context)).rejects.toThrow(LocalToolError)
  const good = createLocalTool({ ...wrong, command: 'echo done' }, { read: 'at-first-call' })
  expect(await good.execute(call, context)).toMatchObject({ content: [{ text: 'done\n' }] })
})

test('an invalid definition is refused with all its problems', () => {
  const error = refusal({
    command: { program: 'run', args: ['{{a}}', '{{tool.name}}', '{{b}}'] },
    timeoutMs: 0,
    env: ['A=b', 'OK_*'],
    setEnv: { '': 'x' },
  })
  expect(error).toMatchObject({ name: 'LocalToolError', code: 'invalid-definition' })
  expect(error.problems.map(({ path, code }) => [path, code])).toEqual([
    ['/command/args/0', 'unknown-placeholder'],
    ['/command/args/2', 'unknown-placeholder'],
    ['/timeoutMs', 'invalid-timeout'],
    ['/env', 'invalid-variable'],
    ['/setEnv', 'invalid-variable'],
  ])
  expect(error.message).toMatch(
    /^Tool "probe" cannot be created:\n\/command\/args\/0: unknown placeholder \{\{a\}\}/,
  )
  expect(error.message).toContain(
    '\n/env: "A=b" is not the name of a variable: write only the name',
  )
})

test.for([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, MAX_TIMEOUT_MS + 1])(
  'a timeout of %d ms is refused',
  (timeoutMs) => {
    const expected = 'a whole number of milliseconds from 1 to 2147483647'
    const got = String(timeoutMs)
    expect(refusal({ timeoutMs }).problems).toEqual([
      {
        path: '/timeoutMs',
        code: 'invalid-timeout',
        message: `expected ${expected}, got ${got}`,
        expected,
        got,
      },
    ])
  },
)

test.for(['A', 'a b', 'ä', 'X*'])('a variable can be named %s', (name) => {
  expect(() =>
    createLocalTool({ name: 'a', inputSchema: {}, command: 'a', env: [name], timeoutMs: 1 }),
  ).not.toThrow()
})

test.for(['', '=', 'a=', 'a\0'])('a variable cannot be named %j', (name) => {
  const message = `${JSON.stringify(name)} is not the name of a variable: write only the name, without = and value`
  const problem = { code: 'invalid-variable', message }
  expect(refusal({ env: [name], setEnv: { [name]: 'x' } }).problems).toEqual([
    { path: '/env', ...problem },
    { path: '/setEnv', ...problem },
  ])
})

test('a live tool can choose its actions', () => {
  const definition = { name: 'watch', inputSchema: {}, command: 'true', stateful: true }
  expect(createLocalTool({ ...definition, actions: ['spawn', 'fetch'] }).actions).toEqual([
    'spawn',
    'fetch',
  ])
  expect(createLocalTool(definition).actions).toBeUndefined()
})

test.for([
  ['without spawn', ['fetch']],
  ['with an unknown one', ['spawn', 'run']],
  ['that are no list', 'spawn'],
])('actions %s are refused', ([, actions]) => {
  const definition = JSON.parse(JSON.stringify({ actions })) as Partial<LocalToolDefinition>
  const expected = 'a list with "spawn" and any of fetch, apply, abort'
  const got = JSON.stringify(actions)
  expect(refusal(definition).problems).toEqual([
    {
      path: '/actions',
      code: 'invalid-actions',
      message: `expected ${expected}, got ${got}`,
      expected,
      got,
    },
  ])
})

test('the default timeout is two minutes, the longest is about 24 days', () => {
  expect(DEFAULT_TIMEOUT_MS).toBe(2 * 60 * 1000)
  expect(Math.floor(MAX_TIMEOUT_MS / 86_400_000)).toBe(24)
  expect(() =>
    createLocalTool({ name: 'a', inputSchema: {}, command: 'a', timeoutMs: MAX_TIMEOUT_MS }),
  ).not.toThrow()
})
