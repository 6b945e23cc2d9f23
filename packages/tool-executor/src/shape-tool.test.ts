import {
  createErrorResult,
  createSuccessResult,
  type Tool,
  type ToolCall,
} from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { createToolExecutor } from './create-tool-executor.ts'
import { context, getText, makeCall, run } from './executor.support.ts'
import { shapeTool } from './shape-tool.ts'
import type { ToolEntry, ToolShape } from './tool-entry.ts'

const ISSUES = { items: [{ number: 1, body: 'long' }], total: 1 }

const seen: ToolCall[] = []
const issues: Tool = {
  name: 'issues',
  inputSchema: {
    type: 'object',
    properties: {
      owner: { type: 'string' },
      repo: { $ref: '#/$defs/name' },
      state: { enum: ['open', 'closed'] },
      per_page: { type: 'integer', default: 30 },
    },
    required: ['owner', 'repo'],
    anyOf: [{ required: ['owner', 'state'] }, { required: ['repo'] }],
    additionalProperties: false,
    $defs: { name: { type: 'string', minLength: 2 } },
  },
  outputSchema: { type: 'object', required: ['total'] },
  execute: async (call) => {
    seen.push(call)
    return { ...createSuccessResult([{ type: 'text', text: 'Found.' }]), structuredContent: ISSUES }
  },
}

async function shape(toolShape: ToolShape, tool: Tool = issues): Promise<ToolEntry> {
  const shaped = await shapeTool(tool, toolShape)
  if (!shaped.ok) throw new Error(JSON.stringify(shaped.problems))
  return { ...shaped.entry, policy: 'unattended' }
}

test('a model does not see fixed and hidden arguments', async () => {
  const { tool } = await shape({ fixed: { owner: 'acme' }, hidden: ['per_page'] })
  expect(tool.inputSchema).toEqual({
    type: 'object',
    properties: { repo: { $ref: '#/$defs/name' }, state: { enum: ['open', 'closed'] } },
    required: ['repo'],
    anyOf: [{ required: ['state'] }, { required: ['repo'] }],
    additionalProperties: false,
    $defs: { name: { type: 'string', minLength: 2 } },
  })
  expect(tool.outputSchema).toEqual(issues.outputSchema)
})

test.for(['completed', 'as-given'] as const)(
  'every call gets the fixed arguments, and none has hidden ones: %s',
  async (how) => {
    const entry = await shape({ fixed: { owner: 'acme' }, hidden: ['per_page'] })
    const defaults = { properties: { per_page: { default: 5 } } }
    const result = await run(
      { ...entry, arguments: how, defaults },
      makeCall('issues', { repo: 'tb' }),
    )
    expect(seen.at(-1)?.arguments).toEqual({ owner: 'acme', repo: 'tb' })
    expect(result.metadata?.fixed).toEqual({ owner: 'acme' })
  },
)

test.for([
  [{ repo: 'tb', owner: 'other' }, '/owner: the host has fixed the value'],
  [{ repo: 'tb', per_page: 1 }, '/per_page: the tool has no such argument here'],
  [{ repo: 't' }, '/repo'],
] as const)('a call with %j is refused', async ([values, why]) => {
  const entry = await shape({ fixed: { owner: 'acme' }, hidden: ['per_page'] })
  const before = seen.length
  const result = await run(entry, makeCall('issues', values))
  expect([result.isError, seen.length]).toEqual([true, before])
  expect(getText(result)).toContain(why)
})

test('a person sees the complete call, and cannot change a fixed argument', async () => {
  const entry = await shape({ fixed: { owner: 'acme' } })
  const shownArguments: ToolCall['arguments'][] = []
  const edits = [
    { owner: 'acme', repo: 'x2' },
    { owner: 'evil', repo: 'x2' },
  ]
  const executor = createToolExecutor({
    tools: [{ ...entry, policy: 'ask' }],
    approve: async (call) => {
      shownArguments.push(call.arguments)
      const edited = edits[shownArguments.length - 1]
      return { decision: 'allowed', ...(edited && { arguments: edited }) }
    },
  })
  const allowed = await executor.execute(makeCall('issues', { repo: 'tb' }), context)
  expect([allowed.isError, seen.at(-1)?.arguments]).toEqual([
    false,
    { owner: 'acme', repo: 'x2', per_page: 30 },
  ])
  const changed = await executor.execute(makeCall('issues', { repo: 'tb' }), context)
  expect(changed.isError).toBe(true)
  expect(shownArguments).toEqual([
    { owner: 'acme', repo: 'tb', per_page: 30 },
    { owner: 'acme', repo: 'tb', per_page: 30 },
  ])
})

test.for([
  [{ fixed: { ownr: 'a' } }, '/fixed/ownr', 'expected one of owner, repo, state, per_page'],
  [{ fixed: { owner: 7 } }, '/fixed/owner', 'string'],
  [{ fixed: { repo: 'x' } }, '/fixed/repo', '2'],
  [{ hidden: ['per_page', 'sate'] }, '/hidden/1', 'no argument "sate"'],
  [{ hidden: ['owner'] }, '/hidden/0', 'requires the argument "owner"'],
  [{ fixed: { state: 'open' }, hidden: ['state'] }, '/hidden/0', 'both fixed and hidden'],
  [{ select: ['a', 'a/'.repeat(101)] }, '/select/1', 'at most 100 steps'],
] as const)('the shape %j is a problem', async ([toolShape, path, message]) => {
  const shaped = await shapeTool(issues, toolShape)
  expect(shaped).toMatchObject({ ok: false, problems: [{ path }] })
  expect(shaped.ok ? '' : shaped.problems[0]?.message).toContain(message)
})

test('a tool that lists no arguments may have any fixed ones', async () => {
  const open: Tool = { ...issues, inputSchema: { type: 'object' } }
  const entry = await shape({ fixed: { any: [1] } }, open)
  await run(entry, makeCall('issues', { other: true }))
  expect(seen.at(-1)?.arguments).toEqual({ other: true, any: [1] })
})

test('the result names the selected parts, and is complete itself', async () => {
  const entry = await shape({ fixed: { owner: 'acme' }, select: ['items/*/number', '/items/*/id'] })
  expect(entry.tool.outputSchema).toBeUndefined()
  const result = await run(entry, makeCall('issues', { repo: 'tb' }))
  expect(result.structuredContent).toEqual(ISSUES)
  expect(result.metadata).toMatchObject({
    select: ['/items/*/number', '/items/*/id'],
    warnings: [{ path: '/items/*/id', code: 'nothing-selected' }],
  })
})

test.for([
  ['none of the selected parts', { content: [], isError: false, structuredContent: { other: 1 } }],
  ['no data', createSuccessResult([{ type: 'text', text: 'No issues.' }])],
] as const)('a result with %s is given whole, with a warning', async ([why, result]) => {
  const entry = await shape(
    { select: ['items'] },
    { ...issues, inputSchema: true, execute: async () => result },
  )
  const { metadata } = await run(entry, makeCall('issues'))
  expect(metadata?.select).toBeUndefined()
  expect(metadata?.warnings).toMatchObject([{ code: 'nothing-selected' }])
  expect(metadata?.warnings?.[0]?.message).toContain(why)
})

test('an error is given whole', async () => {
  const failed = { ...createErrorResult('no'), structuredContent: ISSUES }
  const entry = await shape(
    { select: ['items'] },
    { ...issues, inputSchema: true, execute: async () => failed },
  )
  const { metadata } = await run(entry, makeCall('issues'))
  expect([metadata?.select, metadata?.warnings]).toEqual([undefined, undefined])
})

test('a tool cannot say itself what is left out of its result', async () => {
  const tool: Tool = {
    ...issues,
    inputSchema: true,
    execute: async () => createSuccessResult([], undefined, { select: ['/a'], fixed: { a: 1 } }),
  }
  const { metadata } = await run({ tool, policy: 'unattended' }, makeCall('issues'))
  expect([metadata?.select, metadata?.fixed]).toEqual([undefined, undefined])
})
