import type { WorkspaceTool, Description } from './define-tool.ts'
import { LocalToolError } from '@toolblocks/local-executor'
import type { ToolDescription } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import type { ToolConfiguration } from '../configuration/tool-schema.ts'
import {
  type ResolvedTool,
  type ResolvedTools,
  type ResolveOptions,
  resolveTool,
} from './resolve-tools.ts'

interface Resolved extends Partial<ResolvedTools> {
  tool: ResolvedTool | undefined
  kept: WorkspaceTool[]
  asked: unknown[]
}

/** Resolves a table with a program that gives this description. Returns the outcome and what was cached. */
async function resolve(
  table: Partial<ToolConfiguration>,
  description: Partial<Description> = {},
  knownTool?: WorkspaceTool,
): Promise<Resolved> {
  const kept: WorkspaceTool[] = []
  const asked: unknown[] = []
  const described = { ok: true, tools: [{ name: 'a' }], warnings: [], unusable: {}, ...description }
  const tool = { source: 'local', command: ['./a', 'b c'], ...table }
  const options: ResolveOptions = {
    describe: async (question) => {
      asked.push(question)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of its two forms
      return described as Description
    },
    known: { find: () => knownTool, keep: (_name, _tool, made) => void kept.push(made) },
    environment: () => ({}),
  }
  const resolved = await resolveTool('a', tool, options)
  return { ...resolved, tool: resolved.tools?.[0], kept, asked }
}

const path = ['tools', 'a']
const warning = { path: '/tools/0/summary', message: 'it is too long' }
const tools: ToolDescription[] = [{ name: 'a', parameters: { p: { type: 'string' } } }]

test('the description of a program is cached, and its problems are reported with the command', async () => {
  const { tool, warnings, kept, asked } = await resolve({ env: ['X'] }, { warnings: [warning] })
  expect(asked).toEqual([{ command: ['./a', 'b c'], env: ['X'] }])
  expect(tool).toMatchObject({ isPinned: false, described: { name: 'a' } })
  const expected = [
    {
      path,
      message: "in the description of ./a 'b c', /tools/0/summary: it is too long",
    },
  ]
  expect(warnings).toEqual(expected)
  expect(kept).toMatchObject([{ warnings: expected, entry: 'a' }])
})

test('a problem of another entry of the program is not reported for this one', async () => {
  const warnings = [
    { ...warning, tool: 'a' },
    { ...warning, path: '/tools/1/summary', tool: 'b' },
    { ...warning, path: '/tools/2' },
  ]
  const warningPaths = async (table: Partial<ToolConfiguration>): Promise<unknown> =>
    (await resolve(table, { warnings, tools: [{ name: 'a' }, { name: 'b' }] })).warnings?.map(
      ({ message }) => /\/tools\/\d/.exec(message)?.[0],
    )
  expect(await warningPaths({})).toEqual(['/tools/0', '/tools/2'])
  expect(await warningPaths({ source: 'local.b' })).toEqual(['/tools/1', '/tools/2'])
})

test('invalid overrides are reported at their place in the table', async () => {
  const parameters = { z: { summary: 'Z.' } }
  const { warnings, kept } = await resolve(
    { parameters, describe: true },
    { warnings: [warning], tools },
  )
  expect(warnings?.map((one) => one.path)).toEqual([path, [...path, 'parameters', 'z']])
  expect(kept[0]?.warnings).toEqual(warnings)
})

test('a program that could not be asked makes its tool unavailable', async () => {
  const failed = { ok: false, message: 'it did not start' } as const
  expect(await resolve({}, failed)).toEqual({
    tool: undefined,
    warnings: [],
    left: [{ tool: 'a', reason: 'undescribed', path, message: 'it did not start' }],
    kept: [],
    asked: [{ command: ['./a', 'b c'], env: [] }],
  })
})

test('a command that does not match its description makes its tool unavailable', async () => {
  const command = ['./a', '{{tool.arguments.q}}']
  const { tool, left, kept, warnings } = await resolve({ command }, { tools, warnings: [warning] })
  expect([tool, kept]).toEqual([undefined, []])
  expect(warnings).toHaveLength(1)
  expect(left).toEqual([
    {
      tool: 'a',
      reason: 'undescribed',
      path: [...path, 'command', '1'],
      message: '{{tool.arguments.q}} names no parameter: expected p, got "q"; did you mean "p"?',
    },
  ])
})

test('a cached tool is used without asking, with its earlier warnings', async () => {
  const warnings = [{ path, message: 'as it was' }]
  const defined = {
    definition: { name: 'a', inputSchema: {} },
    entry: 'a',
    described: { name: 'a', inputSchema: {} },
    origins: {},
    warnings,
  }
  const known = await resolve({ pin: true }, {}, defined)
  expect(known).toMatchObject({ asked: [], kept: [], warnings, tool: { isPinned: true } })
  expect((await resolve({}, {}, defined)).tool).toMatchObject({ isPinned: false })
})

test('a command that cannot be parsed is reported at its place; other errors are thrown', async () => {
  const failing = (error: Error): ReturnType<typeof resolveTool> => {
    const known = { find: () => undefined, keep: () => undefined }
    const tool = { source: 'local', command: 'x' }
    return resolveTool('a', tool, {
      describe: () => Promise.reject(error),
      known,
      environment: () => ({}),
    })
  }
  const problem = { path: '/command', code: 'empty-command' as const, message: 'm' }
  expect(await failing(new LocalToolError('a', [problem]))).toEqual({
    problems: [{ path: [...path, 'command'], message: 'm' }],
  })
  await expect(failing(new Error('broken'))).rejects.toThrow('broken')
})

test('a tool that can be called at once is created with the variables of this process', async () => {
  const made = async (parameters: ToolConfiguration['parameters']): Promise<number> => {
    let copies = 0
    const options: ResolveOptions = {
      describe: async () => ({ ok: false, message: 'not asked' }),
      known: { find: () => undefined, keep: () => undefined },
      environment: () => {
        copies += 1
        return {}
      },
    }
    await resolveTool(
      'a',
      { source: 'local', command: 'x', ...(parameters && { parameters }) },
      options,
    )
    return copies
  }
  expect([await made({}), await made(undefined)]).toEqual([1, 0])
})

test('the variables of this process reach a tool as a copy, whoever describes it', async () => {
  const made = async (table: Partial<ToolConfiguration>): Promise<unknown> => {
    const tool = { source: 'local', command: ['sh', '-c', 'echo $OURS'], env: ['OURS'], ...table }
    const options: ResolveOptions = {
      describe: async () => ({ ok: true, tools: [{ name: 'a' }], warnings: [], unusable: {} }),
      known: { find: () => undefined, keep: () => undefined },
      environment: () => ({ ...process.env, OURS: 'copied' }),
    }
    const { tools: [resolved] = [] } = await resolveTool('a', tool, options)
    const context = { signal: new AbortController().signal, root: '/', answers: {} }
    const call = { id: 'c', name: 'a', arguments: {} }
    return (await resolved?.tool.execute(call, context))?.content
  }
  expect(await made({ parameters: {} })).toMatchObject([{ text: 'copied\n' }])
  expect(await made({})).toMatchObject([{ text: 'copied\n' }])
})

test('a table with parameters asks no program, and has nothing to pin', async () => {
  const { tool, asked, warnings } = await resolve({ parameters: {} })
  expect([asked, warnings]).toEqual([[], []])
  expect(tool).toMatchObject({ isPinned: false, origins: { inputSchema: 'configuration' } })
  expect(await resolve({ parameters: {}, pin: true })).toMatchObject({
    tool: { isPinned: false },
    warnings: [
      {
        path: [...path, 'pin'],
        message:
          'this tool has "parameters", so it is not asked for its description and there is nothing to pin; remove "parameters" or "pin"',
      },
    ],
  })
})

test('an error of a table is reported, and its program is not asked', async () => {
  expect(await resolve({ source: 'x' })).toMatchObject({
    asked: [],
    problems: [{ path: [...path, 'source'] }],
  })
  expect(await resolve({ parameters: {}, timeout_secs: -1 })).toMatchObject({
    problems: [{ path: [...path, 'timeoutMs'] }],
  })
})
