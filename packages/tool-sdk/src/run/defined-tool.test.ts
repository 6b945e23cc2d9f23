import {
  type LiveCall,
  type Tool,
  type ToolContext,
  readErrorDetails,
  readStatus,
} from '@toolblocks/protocol'
import { describe, expect, test, vi } from 'vitest'
import { defineTool } from '../define-tool.ts'
import { getParts, waiting } from './defined-tool.ts'
import { type Program, getWords, writeProgram } from '../program.support.ts'
import { text } from '../results/blocks.ts'
import { failure, thrownResult } from '../results/output.ts'
import { testTool } from '../test-tool.ts'
import { toTool } from '../to-tool.ts'

const signal = new AbortController().signal
const call = { id: 'c', name: 'called', arguments: { berth: 4 } }
const toolContext: ToolContext = {
  signal,
  root: '/harbour',
  answers: { tide: 'low' },
  options: { limit: 7 },
  workspaceId: 'w-1',
  conversationId: 'c-1',
}
const known = {
  call,
  answers: { tide: 'low' },
  options: { limit: 7 },
  root: '/harbour',
  workspaceId: 'w-1',
  conversationId: 'c-1',
}

const schema = { properties: { berth: { type: 'integer' } } } as const

interface Seen {
  args: object
  signal: AbortSignal
}

/** Both ways to run, and what each of them was given. */
function recording() {
  const seen: Record<'run' | 'format' | 'live', Seen[]> = { run: [], format: [], live: [] }
  const once = defineTool({
    name: 'once',
    inputSchema: schema,
    formatArguments: (args, { log: _log, ...context }) => (
      seen.format.push({ args, ...context }),
      'shown'
    ),
    run: (args, { ask, show, log: _log, progress: _progress, ...context }) => {
      show(typeof ask.boolean)
      seen.run.push({ args, ...context })
      return text('ran')
    },
  })
  const live = defineTool({
    name: 'live',
    inputSchema: schema,
    stateful: true,
    actions: ['spawn', 'fetch'],
    async *run(args, { log: _log, progress: _progress, ...context }) {
      seen.live.push({ args, ...context })
      const input = yield waiting('How deep?')
      return text(`got ${JSON.stringify(input)}`)
    },
  })
  return { once, live, seen }
}

const withSignal = { args: { berth: 4 }, ...known, signal: expect.any(AbortSignal) as AbortSignal }

describe('in the process of a host', () => {
  test('a run, and its presentation, receive everything that the host knows about the call', async () => {
    const { once, seen } = recording()
    const tool = toTool(once)
    expect(getWords(await tool.execute(call, toolContext))).toEqual(['function', 'ran'])
    expect(getWords(await tool.formatArguments!(call, toolContext))).toEqual(['shown'])
    const args = { berth: 4 }
    expect(seen.run).toEqual([{ args, ...known, signal }])
    const { answers: _answers, ...withoutAnswers } = known
    expect(seen.format).toEqual([{ args, ...withoutAnswers, signal }])
    const bare = { signal, root: '/', answers: {} }
    await tool.execute({ ...call, arguments: {} }, bare)
    expect(seen.run[1]).toEqual({
      args: {},
      call: { ...call, arguments: {} },
      ...bare,
      options: {},
    })
  })

  test('a run that stays alive receives the same, and ends with its call', async () => {
    const { live, seen } = recording()
    const tool = toTool(live)
    expect(tool.actions).toEqual(['spawn', 'fetch'])
    const ending = new AbortController()
    const handle: LiveCall = await tool.spawn!(call, { ...toolContext, signal: ending.signal })
    expect(seen.live).toEqual([withSignal])
    expect(seen.live[0]?.signal.aborted).toBe(false)
    ending.abort()
    expect(seen.live[0]?.signal.aborted).toBe(true)
    await vi.waitFor(async () => expect(readStatus(await handle.fetch({ signal }))).toBe('stopped'))
  })

  test('a run from start to end asks the host, which receives the call', async () => {
    const { live, seen } = recording()
    const asked: unknown[] = []
    const result = await toTool(live).execute(call, {
      ...toolContext,
      ask: async (request, context) => {
        asked.push([request.text, context])
        return { action: 'accept', value: 'three' }
      },
    })
    expect(seen.live).toEqual([withSignal])
    expect(getWords(result).at(-1)).toBe('got "three"')
    expect(asked).toMatchObject([[expect.any(String), { source: { call } }]])
  })
})

describe('in a unit test', () => {
  test('a run receives what the test passes, and otherwise only its folder', async () => {
    const { once, live, seen } = recording()
    const ending = AbortSignal.abort()
    const { answers, options, root } = known
    await testTool(once, { berth: 4 }, { answers, options, root, signal: ending })
    await testTool(once, {})
    expect(seen.run).toEqual([
      {
        args: { berth: 4 },
        call: { id: 'test', name: 'once', arguments: { berth: 4 } },
        answers,
        options,
        root,
        signal: ending,
      },
      {
        args: {},
        call: { id: 'test', name: 'once', arguments: {} },
        answers: {},
        options: {},
        root: process.cwd(),
        signal: expect.any(AbortSignal),
      },
    ])
    const result = await testTool(live, {}, { inputs: ['ten'], options })
    expect(getWords(result).at(-1)).toBe('got "ten"')
    expect(seen.live).toMatchObject([{ call: { name: 'live' }, options }])
  })
})

describe('in a program', () => {
  const fields =
    '[args, run.call, run.answers ?? null, run.options, run.root, run.workspaceId, run.conversationId, run.signal.aborted]'
  const schemaText = JSON.stringify(schema)

  async function toldBy(
    program: Program,
    start: (tool: Tool, context: ToolContext) => Promise<string>,
  ) {
    const { root } = program
    const context = program.context({ ...toolContext, root })
    const output = await start(program.tool('called', { stateful: false }), context)
    const { answers, options, workspaceId, conversationId } = known
    return {
      received: JSON.parse(output) as unknown,
      expected: [{ berth: 4 }, call, answers, options, root, workspaceId, conversationId, false],
    }
  }

  test('a run receives everything in its request', async () => {
    const program = writeProgram(`await runTools([defineTool({
      name: 'probe', inputSchema: ${schemaText},
      formatArguments: (args, run) => JSON.stringify(${fields}),
      run: (args, run) => text(JSON.stringify(${fields})) })])`)
    const ran = await toldBy(program, async (tool, context) =>
      getWords(await tool.execute(call, context)).join(''),
    )
    expect(ran.received).toEqual(ran.expected)
    const formatted = await toldBy(program, async (tool, context) =>
      getWords(await tool.formatArguments!(call, context)).join(''),
    )
    // Nothing was asked yet when a call is shown.
    expect(formatted.received).toEqual(
      formatted.expected.map((value) => (value === known.answers ? null : value)),
    )
  })

  test('a run that stays alive receives the same', async () => {
    const program = writeProgram(`await runTools([defineTool({
      name: 'probe', stateful: true, inputSchema: ${schemaText},
      async *run(args, run) { yield waiting(JSON.stringify(${fields})) } })])`)
    const { received, expected } = await toldBy(program, async (_once, context) => {
      const handle = await program.tool('called', { stateful: true }).spawn!(call, context)
      await handle.abort()
      return getWords(handle.started).join('')
    })
    expect(received).toEqual(expected)
  })
})

test('a failure has the given fields', () => {
  expect(
    failure('Aground.', { transient: true, trace: ['a', 'b'], cause: new Error('c') }),
  ).toEqual({
    isError: true,
    content: [{ type: 'text', text: 'Aground.' }],
    _meta: { 'computer.jp/error': { transient: true, trace: ['a', 'b'] } },
  })
  expect(failure('Aground.', { cause: new Error('c') })._meta).toEqual({
    'computer.jp/error': { transient: false, trace: ['Error: c'] },
  })
})

test.for([
  [{ code: 7 }, '{"code":7} was thrown'],
  [undefined, 'undefined was thrown'],
  [new Error('no water'), 'no water'],
] as const)('a thrown value is reported: %j', async ([thrown, message]) => {
  const throws = defineTool({
    name: 'throws',
    run: () => {
      throw thrown
    },
  })
  expect(getWords(await testTool(throws, {}))).toEqual([`The tool "throws" failed: ${message}`])
})

const getTrace = (cause: unknown): unknown => readErrorDetails(thrownResult('called', cause)).trace

test('a thrown error is reported with its causes, the outermost first', () => {
  const cause = new TypeError('no such lamp', { cause: 'a fuse' })
  expect(getTrace(new Error('cannot light it', { cause }))).toEqual([
    'Error: cannot light it',
    'TypeError: no such lamp',
    'a fuse',
  ])
})

test('of an error that causes itself the first 16 causes are reported', () => {
  const loop = new Error('again')
  loop.cause = loop
  expect(getTrace(loop)).toEqual(Array.from({ length: 16 }, () => 'Error: again'))
})

test('a tool of another copy of this package is a tool, and a copy of the object is not', async () => {
  // The specifier is no literal: TypeScript knows no second copy.
  const specifier: string = './defined-tool.ts?copy'
  const copy = (await import(/* @vite-ignore */ specifier)) as { getParts: typeof getParts }
  expect(copy.getParts).not.toBe(getParts)
  const tool = defineTool({ name: 'here', run: () => 'ran' })
  expect(copy.getParts(tool)).toBe(getParts(tool))
  await expect(testTool({ ...tool }, {})).rejects.toMatchObject({ code: 'not-a-tool' })
})
